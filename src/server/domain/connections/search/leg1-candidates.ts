import type { ConnectionSet } from '../set/connection-set.ts';
import type { MinuteWindow } from './connection-filter.ts';
import type { ConnectionQuery } from './connection-query.ts';

/** Returns the first record from this number on that can be leg 1, in listing order; the number of all records when there is none. */
export type Leg1Candidates = (from: number) => number;

type Range = { readonly start: number; readonly end: number };

/** Flags airports and all others of their cities. */
const addCityAirports = ({ otherCityAirports }: ConnectionSet, airports: Uint8Array): Uint8Array => {
  const flags = airports.slice();
  for (const [airport, isOne] of airports.entries())
    if (isOne === 1) for (const other of otherCityAirports(airport)) flags[other] = 1;
  return flags;
};

/** Flags the airports at which leg 1 can arrive when leg 2 must arrive at one of `arrivals`. */
const findFeederAirports = (set: ConnectionSet, arrivals: readonly number[]): Uint8Array => {
  const { recordsByOff, offRecords, recordBoard } = set.columns;
  const boards = new Uint8Array(set.header.airports.length);
  for (const arrival of arrivals)
    for (const record of recordsByOff.subarray(offRecords[arrival] ?? 0, offRecords[arrival + 1] ?? 0))
      boards[recordBoard[record] ?? 0] = 1;
  return addCityAirports(set, boards);
};

/** Rounding must not exclude a route of exactly the largest circuity. */
const ROUNDING = 1 + 1e-9;

/**
 * Flags the masks that have one of the dates of a query: there are a few thousand masks for a million units, and most flights of a
 * year do not operate on a given day of it.
 */
const findDatedMasks = ({ columns: { masks }, frame }: ConnectionSet, query: ConnectionQuery): Uint8Array => {
  const flags = new Uint8Array(masks.length / frame.words);
  for (let mask = 0; mask < flags.length; mask += 1)
    for (let word = query.firstWord; word <= query.lastWord; word += 1)
      if (((masks[mask * frame.words + word] ?? 0) & (query.dates[word] ?? 0)) !== 0) flags[mask] = 1;
  return flags;
};

/** Returns whether one of the units of a record departs on a date of the query. */
const createDateCheck = (set: ConnectionSet, query: ConnectionQuery): ((record: number) => boolean) => {
  if (query.isAnyDate) return () => true;
  const { recordUnits, unitsOfRecord, unitMask } = set.columns;
  const dated = findDatedMasks(set, query);
  return (record) => {
    const end = recordUnits[record + 1] ?? 0;
    for (let index = recordUnits[record] ?? 0; index < end; index += 1)
      if (dated[unitMask[unitsOfRecord[index] ?? 0] ?? 0] === 1) return true;
    return false;
  };
};

/** Returns whether a straight flight from where a record arrives to a destination of the query stays within the circuity. */
const createCircuityCheck = (
  set: ConnectionSet,
  { arrivals, maxCircuity }: ConnectionQuery,
): ((record: number) => boolean) => {
  if (!arrivals) return () => true;
  const { recordBoard, recordOff, recordRoute } = set.columns;
  const { alongRoute, directFrom } = set.distances;
  const destinations = arrivals.numbers.map((arrival) => {
    const direct = directFrom(arrival);
    // Leg 2 can depart from another airport of the city. That of an unknown position is NaN, which is never less.
    const rest = direct.map((metres, airport) => {
      let least = metres;
      for (const other of set.otherCityAirports(airport)) {
        const alternative = direct[other] ?? Number.NaN;
        if (alternative < least) least = alternative;
      }
      return least;
    });
    return { direct, rest };
  });
  const limit = (maxCircuity / 100) * ROUNDING;
  return (record) => {
    const flown = alongRoute[recordRoute[record] ?? 0] ?? Number.NaN;
    const [board, off] = [recordBoard[record] ?? 0, recordOff[record] ?? 0];
    for (const { direct, rest } of destinations)
      if (flown + (rest[off] ?? Number.NaN) <= limit * (direct[board] ?? Number.NaN)) return true;
    return false;
  };
};

const isInWindow = (minute: number, { from, to }: MinuteWindow): boolean =>
  from <= to ? minute >= from && minute <= to : minute >= from || minute <= to;

/**
 * Finds the records that can be leg 1 of a query, by carrier, departure airport, dates, departure time and arrival airport: a requested connection
 * airport, or one with flights to the requested destination that is not too far off. Scanning all records takes some milliseconds.
 */
export const findLeg1Candidates = (set: ConnectionSet, query: ConnectionQuery): Leg1Candidates => {
  const { departures, vias, arrivals, leg1Carriers, departureWindow } = query;
  const { boardRecords, recordDeparture, recordOff, recordCarrier } = set.columns;
  const changes = vias && addCityAirports(set, vias.has);
  const feeders = arrivals && findFeederAirports(set, arrivals.numbers);
  const carriers = leg1Carriers?.has;
  const [isOnDate, isOnTheWay] = [createDateCheck(set, query), createCircuityCheck(set, query)];
  const isCandidate = (record: number): boolean => {
    const off = recordOff[record] ?? 0;
    if (changes && changes[off] !== 1) return false;
    if (feeders && feeders[off] !== 1) return false;
    if (carriers && carriers[recordCarrier[record] ?? 0] !== 1) return false;
    if (departureWindow && !isInWindow(recordDeparture[record] ?? 0, departureWindow)) return false;
    return isOnTheWay(record) && isOnDate(record);
  };
  // Airport numbers ascend, and so do the numbers of their records.
  const ranges: readonly Range[] = departures
    ? departures.numbers.map((airport) => ({ start: boardRecords[airport] ?? 0, end: boardRecords[airport + 1] ?? 0 }))
    : [{ start: 0, end: set.size }];
  return (from) => {
    for (const { start, end } of ranges)
      for (let record = Math.max(start, from); record < end; record += 1) if (isCandidate(record)) return record;
    return set.size;
  };
};
