import { setTimeout as delay } from 'node:timers/promises';
import { createLease } from '#lib/lease.ts';
import { singleFlight } from '#lib/single-flight.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { isOverloaded } from '#store/pool/driver/driver.ts';
import {
  readNodePosition,
  readReplicaPosition,
  readPrimaryPosition,
  type WalPosition,
} from '#store/pool/replication.ts';

/** A replica that can serve reads in place of the primary. */
export type MonitoredReplica = {
  readonly sql: Database;
  /** Whether it is not used for a while, because it failed, fell behind or is no replica. */
  readonly isPaused: () => boolean;
  /** Whether it has replayed all that was committed on the primary a lease before the call; false when it is unavailable or too late. */
  readonly isUpToDate: () => Promise<boolean>;
  /** Reads up to where it has all commits, whatever its role by now; undefined when it is unavailable. */
  readonly readPosition: () => Promise<WalPosition | undefined>;
  /** Reports that a query failed: the replica is not used for a while. */
  readonly reportFailure: (error: unknown) => void;
};

export type ReplicaMonitorOptions = {
  readonly replicas: readonly Database[];
  readonly onError: (error: unknown) => void;
  /** How long a position of the primary is used, milliseconds: changes are reported that much later. 0, the default, reads it for each request. */
  readonly leaseMs?: number;
};

/** How long a request waits for a replica to catch up, and how often it checks, milliseconds. */
const CATCH_UP_MS = 20;
const CHECK_MS = 2;
/** How long a replica is not used after it fell behind or was overloaded, and after it failed or was no replica, milliseconds. */
const BUSY_PAUSE_MS = 100;
const FAILURE_PAUSE_MS = 5000;

/** Shares a query between concurrent callers; it runs after the last of them has called. */
const shareQuery = <T>(query: () => Promise<T>): (() => Promise<T | undefined>) => {
  let result: T | undefined;
  const runQuery = singleFlight(async () => {
    result = await query();
  });
  return async () => {
    await runQuery();
    // This may be the result of a later run, which is at least as recent.
    return result;
  };
};

const covers = (replayed: WalPosition, written: WalPosition): boolean =>
  replayed.system === written.system && replayed.timeline === written.timeline && replayed.position >= written.position;

/**
 * Monitors how far replicas are behind the primary, so that none serves a request with less than what was committed before it. The requests
 * that wait at a moment share one small query to each server; without requests there are none.
 */
export const monitorReplicas = (
  primary: Sql,
  { replicas, onError, leaseMs = 0 }: ReplicaMonitorOptions,
): readonly MonitoredReplica[] => {
  let written: WalPosition | undefined;
  const lease = createLease(leaseMs, async () => {
    written = await readPrimaryPosition(primary);
  });
  const readPrimary = async (): Promise<WalPosition | undefined> => {
    if (!lease.isCaughtUp()) await lease.catchUp();
    return written;
  };
  return replicas.map((sql) => {
    const readReplica = shareQuery(() => readReplicaPosition(sql));
    const readNode = shareQuery(() => readNodePosition(sql));
    let pausedUntil = -Infinity;
    const pause = (ms: number): void => {
      pausedUntil = performance.now() + ms;
    };
    const reportFailure = (error: unknown): void => {
      pause(isOverloaded(error) ? BUSY_PAUSE_MS : FAILURE_PAUSE_MS);
      onError(error);
    };
    const readOrReport = async (read: () => Promise<WalPosition | undefined>): Promise<WalPosition | undefined> => {
      try {
        const position = await read();
        // A promoted replica, or the present primary: it will not be a replica again soon.
        if (!position) pause(FAILURE_PAUSE_MS);
        return position;
      } catch (error) {
        reportFailure(error);
        return undefined;
      }
    };
    const hasCaughtUp = async (required: WalPosition): Promise<boolean> => {
      const startedAt = performance.now();
      for (;;) {
        const replayed = await readOrReport(readReplica);
        if (!replayed) return false;
        if (covers(replayed, required)) return true;
        if (performance.now() - startedAt >= CATCH_UP_MS) {
          pause(BUSY_PAUSE_MS);
          return false;
        }
        await delay(CHECK_MS);
      }
    };
    const isPaused = (): boolean => performance.now() < pausedUntil;
    return {
      sql,
      isPaused,
      reportFailure,
      readPosition: () => readOrReport(readNode),
      isUpToDate: async () => {
        if (isPaused()) return false;
        // The request that then goes to the primary reports why it is unavailable; the replica is not to blame.
        const position = await readPrimary().catch(() => undefined);
        return position !== undefined && hasCaughtUp(position);
      },
    };
  });
};
