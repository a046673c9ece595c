import type { MctEnd } from './mct-end.ts';
import { mctStatuses, type MctRecord, type MctSide, type MctStatus } from './mct-record.ts';
import { newSideBook } from './side-book.ts';

/** A record, its place in the order of precedence (0 wins over all others), and the numbers of what it asks of either side. */
export type RankedRecord = {
  readonly record: MctRecord;
  readonly rank: number;
  readonly arrivalSide: number;
  readonly departureSide: number;
};

/** Some records that can apply at a station, ready to be held against pairs of flights. */
export type MctLayer = {
  /** Arrivals of equal keys meet the same of these records with every departure. */
  readonly arrivalKeyOf: (end: MctEnd) => string;
  readonly departureKeyOf: (end: MctEnd) => string;
  /** The least time that one of them gives; infinite when none does. */
  readonly leastMinutes: number;
  /** The records that apply to a pair, those that win over others first. */
  readonly applying: (arrival: MctEnd, departure: MctEnd) => Iterator<RankedRecord>;
};

type Lists = Readonly<Record<MctStatus, readonly RankedRecord[]>>;
type SideName = 'arrivalSide' | 'departureSide';

/** One bit for each record of a list, the first in the lowest bit of the first word. */
type Bits = Int32Array;

/** One side of a layer: which of its records a flight fits. */
type LayerSide = { readonly keyOf: (end: MctEnd) => string; readonly bitsOf: (status: MctStatus, end: MctEnd) => Bits };

const EMPTY: Bits = new Int32Array(0);

const bitsOfSides = (list: readonly RankedRecord[], name: SideName, fitting: ReadonlySet<number>): Bits => {
  const bits = new Int32Array(Math.ceil(list.length / 32));
  for (const [index, record] of list.entries())
    if (fitting.has(record[name])) bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
  return bits;
};

/** Flights that fit the same sides are alike here, so that each such group is held against the records once. */
const newLayerSide = (lists: Lists, name: SideName, allSides: readonly MctSide[]): LayerSide => {
  const letterAt = name === 'arrivalSide' ? 0 : 1;
  const bookFor = (letter: 'D' | 'I') => {
    const records = mctStatuses.filter((status) => status[letterAt] === letter).flatMap((status) => lists[status]);
    return newSideBook(new Set(records.map((record) => record[name])), allSides);
  };
  const books = { D: bookFor('D'), I: bookFor('I') };
  const known = new WeakMap<MctEnd, { readonly key: string; readonly fitting: readonly number[] }>();
  const found = new Map<string, Bits>();
  const lookUp = (end: MctEnd) => {
    const before = known.get(end);
    if (before) return before;
    const fitting = books[end.status].fitting(end);
    const now = { key: `${end.status}${fitting.join(',')}`, fitting };
    known.set(end, now);
    return now;
  };
  return {
    keyOf: (end) => lookUp(end).key,
    bitsOf: (status, end) => {
      const list = lists[status];
      if (list.length === 0) return EMPTY;
      const { key, fitting } = lookUp(end);
      const before = found.get(`${status}${key}`);
      if (before) return before;
      const bits = bitsOfSides(list, name, new Set(fitting));
      found.set(`${status}${key}`, bits);
      return bits;
    },
  };
};

/** The records of a list that are in both sets, in the order of the list. */
function* inBoth(list: readonly RankedRecord[], one: Bits, other: Bits): Generator<RankedRecord> {
  for (let word = 0; word < one.length; word += 1) {
    let bits = (one[word] ?? 0) & (other[word] ?? 0);
    while (bits !== 0) {
      const record = list[word * 32 + 31 - Math.clz32(bits & -bits)];
      if (record) yield record;
      bits &= bits - 1;
    }
  }
}

/** `records` in any order; `sides` are those of the table, by number. */
export const newMctLayer = (records: readonly RankedRecord[], sides: readonly MctSide[]): MctLayer => {
  const sorted = records.toSorted((one, other) => one.rank - other.rank);
  const withStatus = (status: MctStatus) => sorted.filter(({ record }) => record.status === status);
  const lists = { DD: withStatus('DD'), DI: withStatus('DI'), ID: withStatus('ID'), II: withStatus('II') };
  const arrivals = newLayerSide(lists, 'arrivalSide', sides);
  const departures = newLayerSide(lists, 'departureSide', sides);
  return {
    arrivalKeyOf: arrivals.keyOf,
    departureKeyOf: departures.keyOf,
    leastMinutes: records.reduce((least, { record: { minutes } }) => Math.min(least, minutes ?? least), Infinity),
    applying: (arrival, departure) => {
      const status: MctStatus = `${arrival.status}${departure.status}`;
      return inBoth(lists[status], arrivals.bitsOf(status, arrival), departures.bitsOf(status, departure));
    },
  };
};
