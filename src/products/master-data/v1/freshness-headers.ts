import type { UtcMinute } from '../../../domain/time/dates.ts';
import { lastModified } from '../../../http/response/conditional.ts';
import type { Deps } from './deps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * `Last-Modified` of an answer. The answer is made of the records in memory and, at some, of the day and of clocks. It has
 * surely been as it is since the last of three moments: when the records were read; when the day began, where the day was
 * not asked for; when a clock that is shown last changed. Times that the store has of its rows would say less: a load is seen when it commits,
 * which is later, and flights that make a carrier a publishing one, or another release of the service, touch no row.
 */
export const freshnessHeaders = (
  { clock, masterRecords }: Deps,
  { dependsOnDay, clockChanges = [] }: { readonly dependsOnDay: boolean; readonly clockChanges?: readonly UtcMinute[] },
): Readonly<Record<string, string>> => {
  const now = clock();
  const moments = [
    masterRecords().readAt.getTime(),
    ...(dependsOnDay ? [Math.floor(now.getTime() / DAY_MS) * DAY_MS] : []),
    ...clockChanges.map((minute) => minute * MINUTE_MS),
  ];
  return lastModified(Math.max(...moments), now);
};
