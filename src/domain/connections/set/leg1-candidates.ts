import type { ConnectionSet } from '../connection-set.ts';
import { lowerBound } from './departures.ts';
import type { Question } from './question.ts';

/** Records that may be leg 1, in listing order. */
export type Candidates = {
  readonly length: number;
  readonly at: (index: number) => number;
  /** The first candidate of a number or a higher one. */
  readonly firstFrom: (record: number) => number;
};

type Range = { readonly start: number; readonly end: number };

/** Flags the airports of some and all others of their cities. */
const withCities = ({ sameCity }: ConnectionSet, airports: Uint8Array): Uint8Array => {
  const flags = airports.slice();
  for (const [airport, isOne] of airports.entries())
    if (isOne === 1) for (const mate of sameCity(airport)) flags[mate] = 1;
  return flags;
};

/** Flags the airports at which a leg 1 can arrive if leg 2 is to arrive at one of `arrivals`. */
const feedersOf = (set: ConnectionSet, arrivals: readonly number[]): Uint8Array => {
  const { recordsByOff, offRecords, recordBoard } = set.columns;
  const boards = new Uint8Array(set.header.airports.length);
  for (const arrival of arrivals)
    for (const record of recordsByOff.subarray(offRecords[arrival] ?? 0, offRecords[arrival + 1] ?? 0))
      boards[recordBoard[record] ?? 0] = 1;
  return withCities(set, boards);
};

/**
 * The records that a question allows to be leg 1, by carrier, by where it departs, and by where it arrives: where the change is to be made, or
 * can be made to go on to where the journey is to end. All records are gone through in less than a millisecond.
 */
export const candidatesOf = (
  set: ConnectionSet,
  { departures, vias, arrivals, leg1Carriers }: Question,
): Candidates => {
  const { boardRecords, recordBoard, recordOff, recordCarrier } = set.columns;
  const changes = vias && withCities(set, vias.has);
  const feeders = arrivals && feedersOf(set, arrivals.numbers);
  const carriers = leg1Carriers?.has;
  // Numbers of airports ascend, and so do those of their records.
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
