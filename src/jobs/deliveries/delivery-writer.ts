import type { Database } from '../../store/pool/database.ts';
import { writePushed, type PushResults } from '../../store/deliveries/push-results.ts';
import type { PushLane } from './endpoint-sender.ts';

export type PushWriting = {
  readonly lanes: Map<string, PushLane>;
  readonly worker: string;
  readonly leaseMs: number;
  readonly writeMs: number;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
};

/** Writes what the lanes of a process have done, of all of them at once. */
export type PushWriter = {
  /** Takes note that a lane has something to write; whether whoever runs the writer has to be woken for it. */
  readonly settled: (lane: PushLane) => boolean;
  /** Writes what is due, and answers after how many milliseconds to look again. */
  readonly step: () => Promise<number>;
  /** How often in a row it could not be written. */
  readonly failures: () => number;
  /** The streams of endpoints that were handed back since this was last asked. */
  readonly takeReleased: () => readonly number[];
};

/** An endpoint that others wait for is handed back so soon, together with those that end meanwhile. */
const URGENT_MS = 10;
const AFTER_FAILURE_MS = 1000;

type Batch = { readonly lanes: readonly PushLane[]; readonly results: PushResults };

const collect = (lanes: Iterable<PushLane>): Batch | undefined => {
  const collected = [...lanes].flatMap((lane) => {
    const results = lane.collect();
    return results ? [{ lane, results }] : [];
  });
  if (collected.length === 0) return undefined;
  return {
    lanes: collected.map(({ lane }) => lane),
    results: {
      standings: collected.flatMap(({ results }) => results.standings),
      attempts: collected.flatMap(({ results }) => results.attempts),
      retries: collected.flatMap(({ results }) => results.retries),
      deadLetters: collected.flatMap(({ results }) => results.deadLetters),
    },
  };
};

const without = (
  { standings, attempts, retries, deadLetters }: PushResults,
  lost: ReadonlySet<string>,
): PushResults => {
  const isKept = ({ endpointId }: { readonly endpointId: string }): boolean => !lost.has(endpointId);
  return {
    standings: standings.filter(({ id }) => !lost.has(id)),
    attempts: attempts.filter(isKept),
    retries: retries.filter(isKept),
    deadLetters: deadLetters.filter(isKept),
  };
};

/** Writes in one transaction what was done since the last one, so that thousands of attempts a second cost a few transactions. */
export const newPushWriter = (
  db: Database,
  { lanes, worker, leaseMs, writeMs, clock, onError }: PushWriting,
): PushWriter => {
  const dirty = new Set<PushLane>();
  let isUrgent = false;
  let released: number[] = [];
  /** What could not be written yet: it comes before anything newer. */
  let batch: Batch | undefined;
  let [lastAt, failures] = [-Infinity, 0];

  const write = async ({ lanes: of, results: all }: Batch): Promise<void> => {
    const from = performance.now();
    // What was lost may be served again, by this worker too, and must not be set back.
    const results = without(all, new Set(of.filter((lane) => lane.isLost()).map(({ id }) => id)));
    const own = await db.begin((sql) => writePushed(sql, results, { worker, leaseMs, now: clock() }));
    const freed = new Set(results.standings.filter(({ isReleased }) => isReleased).map(({ id }) => id));
    for (const lane of of) {
      if (own.has(lane.id) && !freed.has(lane.id)) {
        lane.written(results);
        lane.lease(from + leaseMs);
        continue;
      }
      if (!own.has(lane.id)) lane.lease(undefined);
      if (lanes.get(lane.id) === lane) lanes.delete(lane.id);
      released.push(lane.stream);
    }
  };

  return {
    settled: (lane) => {
      const wasUrgent = isUrgent;
      const hadNone = dirty.size === 0;
      dirty.add(lane);
      isUrgent ||= lane.isClosed();
      return hadNone || isUrgent !== wasUrgent;
    },
    step: async () => {
      const dueAt = lastAt + (isUrgent ? URGENT_MS : writeMs);
      const waitMs = dueAt - performance.now();
      if (!batch && dirty.size === 0) return writeMs;
      if (waitMs > 0) return waitMs;
      if (!batch) {
        batch = collect(dirty);
        dirty.clear();
        isUrgent = false;
      }
      if (!batch) return writeMs;
      try {
        await write(batch);
        batch = undefined;
        failures = 0;
        lastAt = performance.now();
        return 0;
      } catch (error) {
        onError(error);
        failures += 1;
        lastAt = performance.now() + AFTER_FAILURE_MS - writeMs;
        return AFTER_FAILURE_MS;
      }
    },
    failures: () => failures,
    takeReleased: () => {
      const taken = released;
      released = [];
      return taken;
    },
  };
};
