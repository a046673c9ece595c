import { withTimeout } from '#lib/with-timeout.ts';
import type { Sql } from '#store/pool/database.ts';
import type { Context } from 'hono';
import type { Env } from '../context/env.ts';
import { markStale } from '../middleware/data-as-of.ts';
import type { PrimaryState } from '../middleware/replica-reads.ts';

/** How long after the start of a successful check a product counts as healthy, milliseconds: as long as health can lag behind the database. */
const FRESH_MS = 1000;
/** Interval of the checks while there are requests for health, so that few of them wait for one, milliseconds. */
const PERIOD_MS = 500;
/** How long after a request the checks go on, milliseconds: longer than the interval of common load balancers. */
const IDLE_MS = 60_000;
const QUERY_TIMEOUT_MS = 2000;
const RETRY_AFTER_SECONDS = 5;

/** Sends the health of a product, `healthy` or a 503 with `unhealthy`, under its name in the document. */
export const sendHealth = (c: Context<Env>, product: string, isHealthy: boolean) =>
  isHealthy
    ? c.json({ [product]: 'healthy' as const }, 200)
    : c.json({ [product]: 'unhealthy' as const }, 503, { 'Retry-After': String(RETRY_AFTER_SECONDS) });

/** Returns whether a query succeeds within two seconds. Any error of the database is what a health check reports. */
const succeedsInTime = async (query: Promise<unknown>): Promise<boolean> => {
  const success = query.then(
    () => true,
    () => false,
  );
  return (await withTimeout(QUERY_TIMEOUT_MS, success)) ?? false;
};

/** One query, repeated while there are requests for its result. */
class HealthCheck {
  readonly #query: () => Promise<unknown>;
  readonly #freshMs: number;
  #pending: Promise<boolean> | undefined;
  /** When the last check that succeeded began. */
  #healthyAt = -Infinity;
  #requestedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(query: () => Promise<unknown>, freshMs: number) {
    this.#query = query;
    this.#freshMs = freshMs;
  }

  /** Returns true at once after a recent success; otherwise waits for the check that runs, or for a new one. */
  async isHealthy(): Promise<boolean> {
    if (this.#freshMs === 0) return succeedsInTime(this.#query());
    this.#requestedAt = performance.now();
    this.#timer ??= setInterval(() => this.#onTimer(), PERIOD_MS).unref();
    return this.#requestedAt - this.#healthyAt < this.#freshMs || this.#runOnce();
  }

  #onTimer(): void {
    void this.#runOnce();
    if (performance.now() - this.#requestedAt < IDLE_MS) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #runOnce(): Promise<boolean> {
    return (this.#pending ??= this.#run().finally(() => {
      this.#pending = undefined;
    }));
  }

  async #run(): Promise<boolean> {
    const startedAt = performance.now();
    const isHealthy = await succeedsInTime(this.#query());
    if (isHealthy) this.#healthyAt = startedAt;
    return isHealthy;
  }
}

export type HealthProberOptions = {
  /** How long a success is reused, milliseconds; 0 runs the query for each request. */
  readonly freshMs?: number | undefined;
  /** Whether the database is known to be unreachable for requests; by default it never is. */
  readonly isAway?: (() => boolean) | undefined;
  /** Finds replicas that take the place of the primary for reads; by default there are none. */
  readonly primary?: Pick<PrimaryState, 'findReplica'> | undefined;
};

/** Checks the database for the health of products, on connections of its own: health does not wait behind requests. */
export class HealthProber {
  readonly #sql: Sql;
  readonly #freshMs: number;
  readonly #isAway: () => boolean;
  readonly #primary: HealthProberOptions['primary'];

  constructor(sql: Sql, { freshMs = FRESH_MS, isAway = () => false, primary }: HealthProberOptions = {}) {
    this.#sql = sql;
    this.#freshMs = freshMs;
    this.#isAway = isAway;
    this.#primary = primary;
  }

  /**
   * Creates the handler of a health operation: `healthy` if the query succeeds within two seconds, else a 503 with `unhealthy`. A product that
   * only reads is also healthy while a replica takes the place of the primary; the headers of the response say so.
   */
  createHandler(product: string, query: (sql: Sql) => Promise<unknown>, { needsPrimary = false } = {}) {
    const check = new HealthCheck(() => query(this.#sql), this.#freshMs);
    const isReadable = async (c: Context<Env>): Promise<boolean> => {
      const replica = await this.#primary?.findReplica();
      if (!replica || !(await succeedsInTime(query(replica.sql)))) return false;
      markStale(c, replica.asOf);
      return true;
    };
    return async (c: Context<Env>) => {
      const isHealthy = !this.#isAway() && (await check.isHealthy());
      return sendHealth(c, product, isHealthy || (!needsPrimary && (await isReadable(c))));
    };
  }
}
