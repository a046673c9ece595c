import type { ConnectionSet } from '../set/connection-set.ts';
import { lowerBound } from './departure-index.ts';
import type { MinuteWindow } from './connection-filter.ts';
import type { ConnectionQuery } from './connection-query.ts';

/** Records that can be leg 1, in listing order. */
export type Leg1Candidates = {
  readonly length: number;
  readonly at: (index: number) => number;
  /** Returns the index of the first candidate with this number or a higher one. */
  readonly firstFrom: (record: number) => number;
};

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

const isInWindow = (minute: number, { from, to }: MinuteWindow): boolean =>
  from <= to ? minute >= from && minute <= to : minute >= from || minute <= to;

/**
 * Finds the records that can be leg 1 of a query, by carrier, departure airport, departure time and arrival airport: a requested connection airport, or one with
 * flights to the requested destination. Scans all records in less than a millisecond.
 */
export const findLeg1Candidates = (
  set: ConnectionSet,
  { departures, vias, arrivals, leg1Carriers, departureWindow }: ConnectionQuery,
): Leg1Candidates => {
  const { boardRecords, recordBoard, recordDeparture, recordOff, recordCarrier } = set.columns;
  const changes = vias && addCityAirports(set, vias.has);
  const feeders = arrivals && findFeederAirports(set, arrivals.numbers);
  const carriers = leg1Carriers?.has;
  // Airport numbers ascend, and so do the numbers of their records.
  const ranges: readonly Range[] = departures
    ? departures.numbers.map((airport) => ({ start: boardRecords[airport] ?? 0, end: boardRecords[airport + 1] ?? 0 }))
    : [{ start: 0, end: recordBoard.length }];
  const records = new Uint32Array(ranges.reduce((sum, { start, end }) => sum + end - start, 0));
  let length = 0;
  for (const { start, end } of ranges) {
    for (let record = start; record < end; record += 1) {
      const off = recordOff[record] ?? 0;
      if (changes && changes[off] !== 1) continue;
      if (feeders && feeders[off] !== 1) continue;
      if (carriers && carriers[recordCarrier[record] ?? 0] !== 1) continue;
      if (departureWindow && !isInWindow(recordDeparture[record] ?? 0, departureWindow)) continue;
      records[length] = record;
      length += 1;
    }
  }
  return {
    length,
    at: (index) => records[index] ?? 0,
    firstFrom: (record) => lowerBound((index) => records[index] ?? 0, { start: 0, end: length }, record),
  };
};
