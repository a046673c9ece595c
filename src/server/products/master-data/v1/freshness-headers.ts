import type { UtcMinute } from '#domain/time/dates.ts';
import { toLastModifiedHeader } from '#http/response/conditional.ts';
import type { Deps } from './deps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns `Last-Modified`: the latest of the load of the records, the start of the current day (without AsOf) and the last
 * change of a rendered zone clock. Row timestamps would be too early: commits are later, and some changes touch no row.
 */
export const createFreshnessHeaders = (
  { clock, masterRecords }: Deps,
  { dependsOnDay, clockChanges = [] }: { readonly dependsOnDay: boolean; readonly clockChanges?: readonly UtcMinute[] },
): Readonly<Record<string, string>> => {
  const now = clock();
  const instants = [
    masterRecords().readAt.getTime(),
    ...(dependsOnDay ? [Math.floor(now.getTime() / DAY_MS) * DAY_MS] : []),
    ...clockChanges.map((minute) => minute * MINUTE_MS),
  ];
  return toLastModifiedHeader(Math.max(...instants), now);
};
