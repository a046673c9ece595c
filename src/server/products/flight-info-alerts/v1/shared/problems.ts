import { hasMatchingTag, computeJsonEntityTag } from '#http/response/conditional.ts';
import { Problem } from '#http/response/problem.ts';

/** The Problem of a position whose following events were pruned; `oldest` is the first that can still be read. */
export const positionExpiredProblem = (oldest: number): Problem =>
  new Problem('cursor-expired', `The oldest retained position is ${oldest}.`);

/** Throws Problem `precondition-failed` unless If-Match is absent or matches the tag of the current body. */
export const rejectOutdated = (ifMatch: string | undefined, current: object, name: 'alert' | 'endpoint'): void => {
  if (ifMatch === undefined || hasMatchingTag(ifMatch, computeJsonEntityTag(current))) return;
  throw new Problem(
    'precondition-failed',
    `The ${name} has none of the tags in If-Match. Read it again and check the changes.`,
  );
};
