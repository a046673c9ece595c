import type { ConnectionSet } from '../connection-set.ts';
import { lowerBound } from './departures.ts';
import { feedersOf } from './join.ts';
import type { Question } from './question.ts';

/** Records that may be leg 1, in listing order. */
export type Candidates = {
  readonly length: number;
  readonly at: (index: number) => number;
  /** The first candidate of a number or a higher one. */
  readonly firstFrom: (record: number) => number;
};

const listed = (records: Uint32Array): Candidates => ({
  length: records.length,
  at: (index) => records[index] ?? 0,
  firstFrom: (record) => lowerBound((index) => records[index] ?? 0, { start: 0, end: records.length }, record),
});

const everyRecord = (count: number): Candidates => ({
  length: count,
  at: (index) => index,
  firstFrom: (record) => record,
});

const joined = (parts: readonly Uint32Array[]): Uint32Array => {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const range = (from: number, to: number): Uint32Array =>
  Uint32Array.from({ length: to - from }, (_, index) => from + index);

/** A part of all records this small is put in order faster than all are gone through. */
const SMALL_PART = 1 / 4;

/** By where leg 1 departs if that is told, else by where the connection is made or can be made; else every record. */
export const candidatesOf = (set: ConnectionSet, { departures, vias, arrivals }: Question): Candidates => {
  const { boardRecords, recordsByOff, offRecords, recordBoard } = set.columns;
  if (departures) {
    // Numbers of airports ascend, and so do those of their records.
    return listed(
      joined(departures.numbers.map((airport) => range(boardRecords[airport] ?? 0, boardRecords[airport + 1] ?? 0))),
    );
  }
  const arrivingAt = (airports: readonly number[]): readonly Uint32Array[] =>
    airports.map((airport) => recordsByOff.subarray(offRecords[airport] ?? 0, offRecords[airport + 1] ?? 0));
  if (vias) {
    const parts = arrivingAt([...new Set(vias.numbers.flatMap((airport) => [airport, ...set.sameCity(airport)]))]);
    return listed(parts.length === 1 ? joined(parts) : joined(parts).sort());
  }
  if (arrivals) {
    const feeders = feedersOf(set, arrivals.numbers);
    const parts = arrivingAt([...feeders.keys()].filter((airport) => feeders[airport] === 1));
    const count = parts.reduce((sum, part) => sum + part.length, 0);
    if (count < recordBoard.length * SMALL_PART) return listed(joined(parts).sort());
  }
  return everyRecord(recordBoard.length);
};
