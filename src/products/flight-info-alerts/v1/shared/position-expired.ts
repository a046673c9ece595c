import { Problem } from '../../../../http/response/problem.ts';

/** The Problem of a position behind which events are gone; `oldest` is the first that can still be read. */
export const positionExpired = (oldest: number): Problem =>
  new Problem('cursor-expired', `Events are retained from position ${oldest} on.`);
