import { Problem } from '../../../../http/response/problem.ts';

/** How long whoever is refused should wait, seconds: streams of a client that has been restarted are gone by then. */
const RETRY_AFTER_SECONDS = 5;

/** Counts what an account keeps open. */
export type StreamLimiter = {
  /** Takes a place for a stream of events; answers how to give it back, once. Throws the Problem that there is none left. */
  readonly acquire: (stream: number) => () => void;
};

/** Places for so many streams and waiting requests of each account, in this process. */
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
