import { DEFAULT_MAX_CONNECTING_MINUTES } from '../rules/connection-point.ts';
import { MAX_CIRCUITY_PERCENT } from '../rules/circuity.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import { listMaskDates } from '../set/day-masks.ts';
import type { ConnectionQuery } from './connection-query.ts';

/**
 * Connections are counted by airport, day and days since their last date before it: 0 where there is none, 7 for a week or more. So a search in up
 * to seven days counts each connection on its first date in them.
 */
export const GAPS = 8;

/** Days from the first of the set, both included. */
type DayRange = { readonly first: number; readonly last: number };

/** Returns the days of a query; undefined for more than a week of them, or none. */
const toDayRange = ({ from, days, frame }: ConnectionSet, query: ConnectionQuery): DayRange | undefined => {
  if (query.isAnyDate) return { first: 0, last: days - 1 };
  const dates = listMaskDates(frame, query.dates);
  const [first, last] = [dates[0], dates.at(-1)];
  return first === undefined || last === undefined || last - first >= GAPS - 1
    ? undefined
    : { first: first - from, last: last - from };
};

/** Returns whether a query has no other filter than dates and airports. */
const isUnfiltered = (query: ConnectionQuery): boolean =>
  [query.leg1Carriers, query.leg2Carriers, query.departureWindow].every((one) => one === undefined) &&
  query.types.every(Boolean) &&
  query.sameAirport &&
  query.otherAirports &&
  query.maxCircuity === MAX_CIRCUITY_PERCENT &&
  query.minMinutes === 0 &&
  query.maxMinutes === DEFAULT_MAX_CONNECTING_MINUTES &&
  query.maxElapsed === Number.POSITIVE_INFINITY &&
  query.services === 3;

type Counted = { readonly counts: Uint32Array; readonly counted: Uint16Array; readonly airports: readonly number[] };

/** Returns the counts for the only airports of a query: where its connections depart, connect or arrive. */
const findCounts = (
  { columns }: ConnectionSet,
  { departures, vias, arrivals }: ConnectionQuery,
): Counted | undefined => {
  const [only, other] = [
    departures && { counts: columns.departureCounts, counted: columns.departureAirports, airports: departures.numbers },
    // A connection between two airports is counted at both.
    vias && { counts: columns.viaCounts, counted: columns.viaAirports, airports: vias.numbers },
    arrivals && { counts: columns.arrivalCounts, counted: columns.arrivalAirports, airports: arrivals.numbers },
  ].filter((one) => one !== undefined);
  return other || (vias && vias.numbers.length !== 1) ? undefined : only;
};

/** Returns the exact number of matches of a query that was counted when the set was built; undefined for all others. */
export const findKnownCount = (set: ConnectionSet, query: ConnectionQuery): number | undefined => {
  const found = findCounts(set, query);
  if (!found || !isUnfiltered(query)) return undefined;
  const { counts, counted, airports } = found;
  const range = toDayRange(set, query);
  const rows = airports.map((airport) => counted.indexOf(airport));
  if (!range || rows.includes(-1)) return undefined;
  let total = 0;
  for (const row of rows)
    for (let day = range.first; day <= range.last; day += 1) {
      const index = (row * set.days + day) * GAPS;
      total += counts[index] ?? 0;
      // Those whose last date before is not in the range.
      for (let gap = day - range.first + 1; gap < GAPS; gap += 1) total += counts[index + gap] ?? 0;
    }
  return total;
};
