import { setTimeout as delay } from 'node:timers/promises';
import { singleFlight } from '../../lib/single-flight.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import { replayedUpTo, writtenUpTo, type LogPlace } from '../../store/pool/replication.ts';

/** A replica that may be asked in place of the primary. */
export type FollowedReplica = {
  readonly sql: Database;
  /** Whether it shows by now all that was committed on the primary before the call; false when it is away, or not soon enough. */
  readonly isUpToDate: () => Promise<boolean>;
  /** It failed to answer: it is left alone for a while. */
  readonly hasFailed: (error: unknown) => void;
};

export type FollowOptions = {
  readonly replicas: readonly Database[];
  readonly onError: (error: unknown) => void;
};

/** How long a request waits for a replica, and how often it is looked meanwhile, milliseconds. */
const PATIENCE_MS = 20;
const LOOK_MS = 2;
/** How long one that fell behind, and one that failed, is left alone, milliseconds. */
const BEHIND_MS = 100;
const AWAY_MS = 5000;

/** The answer of a question for all who ask at once: it is asked after the last of them has. */
const shared = <T>(ask: () => Promise<T>): (() => Promise<T | undefined>) => {
  let answer: T | undefined;
  const fresh = singleFlight(async () => {
    answer = await ask();
  });
  return async () => {
    await fresh();
    // A later one may be here by now: it says more.
    return answer;
  };
};

const covers = (replayed: LogPlace | undefined, written: LogPlace | undefined): boolean =>
  replayed !== undefined &&
  written !== undefined &&
  replayed.system === written.system &&
  replayed.timeline === written.timeline &&
  replayed.position >= written.position;

/**
 * Follows how far replicas are behind their primary, so that none answers with less than what was committed before it was asked. It costs one
 * small question to each side for however many requests wait at that moment, and none when nobody asks.
 */
export const followReplicas = (primary: Sql, { replicas, onError }: FollowOptions): readonly FollowedReplica[] => {
  const written = shared(() => writtenUpTo(primary));
  return replicas.map((sql) => {
    const replayed = shared(() => replayedUpTo(sql));
    let restsUntil = -Infinity;
    const rest = (ms: number): void => {
      restsUntil = performance.now() + ms;
    };
    const hasFailed = (error: unknown): void => {
      rest(AWAY_MS);
      onError(error);
    };
    const catchesUp = async (): Promise<boolean> => {
      const beganAt = performance.now();
      const wanted = await written();
      for (;;) {
        if (covers(await replayed(), wanted)) return true;
        if (performance.now() - beganAt >= PATIENCE_MS) return false;
        await delay(LOOK_MS);
      }
    };
    return {
      sql,
      hasFailed,
      isUpToDate: async () => {
        if (performance.now() < restsUntil) return false;
        try {
          if (await catchesUp()) return true;
          rest(BEHIND_MS);
        } catch (error) {
          hasFailed(error);
        }
        return false;
      },
    };
  });
};
