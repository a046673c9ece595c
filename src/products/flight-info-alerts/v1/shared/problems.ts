import { hasMatchingTag, computeJsonEntityTag } from '../../../../http/response/conditional.ts';
import { Problem } from '../../../../http/response/problem.ts';

/** The Problem of a position behind which events are gone; `oldest` is the first that can still be read. */
export const positionExpired = (oldest: number): Problem =>
  new Problem('cursor-expired', `Events are retained from position ${oldest} on.`);

/** Throws the Problem that something is not as If-Match says; `shown` is how it stands, and `name` what it is called. */
export const rejectOutdated = (ifMatch: string | undefined, shown: object, name: 'alert' | 'endpoint'): void => {
  if (ifMatch === undefined || hasMatchingTag(ifMatch, computeJsonEntityTag(shown))) return;
  throw new Problem(
    'precondition-failed',
    `The ${name} has none of the tags in If-Match. Get it again and look at what has changed.`,
  );
};
