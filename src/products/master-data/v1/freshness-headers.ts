import type { UtcMinute } from '../../../domain/time/dates.ts';
import { toLastModifiedHeader } from '../../../http/response/conditional.ts';
import type { Deps } from './deps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns `Last-Modified`: the latest of when the records were loaded, when the current day began (if the request has no
 * AsOf), and when a rendered zone clock last changed. Row timestamps would be too early: a load becomes visible only at its
 * commit, and changes of publishing carriers or of the software touch no row.
 */
export const createFreshnessHeaders = (
  { clock, masterRecords }: Deps,
  { dependsOnDay, clockChanges = [] }: { readonly dependsOnDay: boolean; readonly clockChanges?: readonly UtcMinute[] },
): Readonly<Record<string, string>> => {
  const now = clock();
  const moments = [
    masterRecords().readAt.getTime(),
    ...(dependsOnDay ? [Math.floor(now.getTime() / DAY_MS) * DAY_MS] : []),
    ...clockChanges.map((minute) => minute * MINUTE_MS),
  ];
  return toLastModifiedHeader(Math.max(...moments), now);
};
