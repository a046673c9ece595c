import { Problem } from '../../../../http/response/problem.ts';

/** Retry-After, seconds: the old streams of a restarted client have ended by then. */
const RETRY_AFTER_SECONDS = 5;

/** Limits the concurrent streams and waiting requests of each account in this process. */
export type StreamLimiter = {
  /** Acquires a slot; returns a function to call once to release it. Throws Problem `too-many-streams` if none is free. */
  readonly acquire: (stream: number) => () => void;
};

/** Creates a limiter with `max` slots for each account. */
export const createStreamLimiter = (max: number): StreamLimiter => {
  const open = new Map<number, number>();
  return {
    acquire: (stream) => {
      const count = open.get(stream) ?? 0;
      if (count >= max)
        throw new Problem(
          'too-many-streams',
          `The account has ${count} streams and waiting requests open, which is as many as it can have.`,
          { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
        );
      open.set(stream, count + 1);
      return () => {
        const left = (open.get(stream) ?? 1) - 1;
        if (left > 0) open.set(stream, left);
        else open.delete(stream);
      };
    },
  };
};
