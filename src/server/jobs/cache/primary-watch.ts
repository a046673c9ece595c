import { setTimeout as delay } from 'node:timers/promises';
import { singleFlight } from '#lib/single-flight.ts';
import type { Sql } from '#store/pool/database.ts';
import { isOverloaded, isUnreachable } from '#store/pool/driver/driver.ts';
import { readPrimaryPosition, type WalPosition } from '#store/pool/replication.ts';
import type { RunOutcome } from '../driver.ts';
import type { MonitoredReplica } from './replica-monitor.ts';

export type PrimaryWatchOptions = {
  readonly replicas: readonly MonitoredReplica[];
  /** How far behind a replica may be that takes the place of the primary, milliseconds; 0 means that none does. */
  readonly maxStalenessMs: number;
  readonly clock: () => Date;
  /** Called after each check that the primary answered, e.g. to check the copies in memory. */
  readonly onConfirmed?: (() => Promise<void>) | undefined;
};

/** A replica, and the instant up to which it has all changes. */
type DatedReplica = Pick<MonitoredReplica, 'sql' | 'reportFailure'> & { readonly asOf: Date };

/** Connections to all nodes can be lost at the same moment, when the roles of the nodes change: a later attempt has new ones. */
const RETRY_PAUSES_MS = [50, 250];

/** Queries that were sent during an outage are rejected up to this time after its end, milliseconds. */
const OUTAGE_END_MS = 3000;

/** How far the primary had written at an instant. */
type Sample = WalPosition & { readonly at: Date };

/**
 * Watches the primary, and finds replicas for reads while it is away. Each check remembers how far the primary had written at an instant: a replica
 * that has replayed as much has all changes up to that instant.
 */
export class PrimaryWatch {
  readonly #readPosition: () => Promise<WalPosition>;
  readonly #options: PrimaryWatchOptions;
  /** Oldest first; as many as `maxStalenessMs` needs. */
  #samples: Sample[] = [];
  #isAway = false;
  /** When a check failed last; undefined before the first failure. */
  #awayAt: Date | undefined;
  #next = 0;
  readonly #checkOnce: () => Promise<void>;

  constructor(primary: Sql, options: PrimaryWatchOptions) {
    this.#readPosition = () => readPrimaryPosition(primary);
    this.#options = options;
    this.#checkOnce = singleFlight(() => this.#check());
  }

  /** Checks the primary; never rejects. */
  async check(): Promise<RunOutcome> {
    await this.#checkOnce();
    if (!this.#isAway) await this.#options.onConfirmed?.();
    return 'done';
  }

  /** Whether the primary did not answer the last check. */
  isAway(): boolean {
    return this.#isAway;
  }

  /**
   * Whether an error of the primary means that it is unreachable. So does an overload during an outage: queries that wait for a connection
   * are rejected as such when the new primary answers the first of them.
   */
  isOutage(error: unknown): boolean {
    if (isUnreachable(error)) return true;
    return isOverloaded(error) && this.#awayAt !== undefined && this.#ageOf(this.#awayAt) <= OUTAGE_END_MS;
  }

  /**
   * Returns a replica for reads; undefined when none is recent enough, or when `error`, with which the primary rejected a query, is not that of
   * an outage. Replicas that have failed lately are tried last.
   */
  async findReplica(error?: unknown): Promise<DatedReplica | undefined> {
    const { maxStalenessMs } = this.#options;
    if (maxStalenessMs === 0 || (error !== undefined && !this.isOutage(error))) return undefined;
    // So that later requests do not wait for the primary.
    if (error !== undefined) void this.#checkOnce();
    for (const pauseMs of RETRY_PAUSES_MS) {
      const found = await this.#findOnce();
      if (found || this.#options.replicas.length === 0) return found;
      await delay(pauseMs);
    }
    return this.#findOnce();
  }

  async #findOnce(): Promise<DatedReplica | undefined> {
    const { replicas } = this.#options;
    const turn = this.#next++;
    const inTurn = replicas.map((_, index) => replicas[(turn + index) % replicas.length]);
    const candidates = inTurn.toSorted((a, b) => Number(a?.isPaused()) - Number(b?.isPaused()));
    for (const replica of candidates) {
      const asOf = replica && (await this.#findInstant(replica));
      if (asOf) return { sql: replica.sql, reportFailure: replica.reportFailure, asOf };
    }
    return undefined;
  }

  async #check(): Promise<void> {
    const at = this.#options.clock();
    try {
      const position = await this.#readPosition();
      this.#isAway = false;
      this.#samples.push({ ...position, at });
      this.#dropOldSamples(at);
    } catch (error) {
      // A primary that answers others is not away.
      this.#isAway = !isOverloaded(error);
      if (this.#isAway) this.#awayAt = at;
    }
  }

  #dropOldSamples(now: Date): void {
    const oldest = now.getTime() - this.#options.maxStalenessMs;
    const kept = this.#samples.findIndex(({ at }) => at.getTime() >= oldest);
    this.#samples.splice(0, kept === -1 ? this.#samples.length : kept);
  }

  /** Returns the latest known instant up to which a replica has all changes; undefined when that is too long ago. */
  async #findInstant(replica: MonitoredReplica): Promise<Date | undefined> {
    const replayed = await replica.readPosition();
    if (!replayed) return undefined;
    const covered = this.#samples.findLast(
      ({ system, position }) => system === replayed.system && position <= replayed.position,
    );
    return covered && this.#ageOf(covered.at) <= this.#options.maxStalenessMs ? covered.at : undefined;
  }

  #ageOf(instant: Date): number {
    return this.#options.clock().getTime() - instant.getTime();
  }
}
