import { DAYS_AFTER, DAYS_BEFORE, type DayFrame } from '../set/day-masks.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import type { ConnectionQuery } from './connection-query.ts';

/** Units that can be leg 2, sorted by the minute of the UTC day at which they depart. */
export type Departures = { readonly units: Uint32Array; readonly minutes: Uint16Array };

/** The dates on which leg 2 can depart when leg 1 departs on one of `dates`. */
const buildSurroundingDates = ({ words }: DayFrame, dates: Uint32Array): Uint32Array => {
  const around = new Uint32Array(words);
  const last = words * 32 - 1;
  for (let bit = 0; bit <= last; bit += 1) {
    if ((((dates[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 0) continue;
    for (let other = Math.max(0, bit - DAYS_BEFORE); other <= Math.min(last, bit + DAYS_AFTER); other += 1)
      around[other >>> 5] = (around[other >>> 5] ?? 0) | (1 << (other & 31));
  }
  return around;
};

/** Returns the first index from `start` to `end` whose value is not below `value` (binary search). */
export const lowerBound = (
  valueAt: (index: number) => number,
  { start, end }: { readonly start: number; readonly end: number },
  value: number,
): number => {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Creates a lookup of the departures of an airport that a query can match: by carrier, destination and dates around its own. */
export const createDepartureIndex = (
  { columns, units, frame, isConnecting }: ConnectionSet,
  { arrivals, leg2Carriers, dates, isAnyDate }: ConnectionQuery,
): ((airport: number) => readonly Departures[]) => {
  const { boardUnits, unitsByRoute, unitRecord, unitMask, recordCarrier, masks } = columns;
  const around = isAnyDate ? undefined : buildSurroundingDates(frame, dates);
  const departsAround = (unit: number): boolean => {
    if (!around) return true;
    const start = (unitMask[unit] ?? 0) * frame.words;
    const last = units.lastWord[unit] ?? 0;
    for (let word = units.firstWord[unit] ?? 0; word <= last; word += 1)
      if (((masks[start + word] ?? 0) & (around[word] ?? 0)) !== 0) return true;
    return false;
  };
  const isMatch = (unit: number): boolean => {
    const record = unitRecord[unit] ?? 0;
    if (isConnecting[record] !== 1) return false;
    return (!leg2Carriers || leg2Carriers.has[recordCarrier[record] ?? 0] === 1) && departsAround(unit);
  };
  const listMatching = (candidates: Uint32Array): Departures => {
    const matching = candidates.filter(isMatch);
    return { units: matching, minutes: Uint16Array.from(matching, (unit) => units.minute[unit] ?? 0) };
  };
  const offAt = (index: number): number => units.arrivalAirport[unitsByRoute[index] ?? 0] ?? 0;
  const find = (airport: number): readonly Departures[] => {
    const all = { start: boardUnits[airport] ?? 0, end: boardUnits[airport + 1] ?? 0 };
    if (!arrivals)
      return [listMatching(Uint32Array.from({ length: all.end - all.start }, (_, index) => all.start + index))];
    return arrivals.numbers.flatMap((off) => {
      const start = lowerBound(offAt, all, off);
      const end = lowerBound(offAt, { start, end: all.end }, off + 1);
      return start === end ? [] : [listMatching(unitsByRoute.subarray(start, end))];
    });
  };
  const cache: (readonly Departures[] | undefined)[] = [];
  return (airport) => (cache[airport] ??= find(airport).filter((list) => list.units.length > 0));
};
