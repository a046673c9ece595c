import type { MctEnd } from './mct-end.ts';
import { matchesSide } from './mct-matching.ts';
import { type MctRecord, type MctSide, type MctStatus, mctStatuses } from './mct-record.ts';

/** The different criteria of some records for one side of the connection, indexed by carrier. */
type SideIndex = {
  /** Returns the numbers of the sides that a flight matches, ascending within each carrier; the order is stable. */
  readonly findMatching: (end: MctEnd) => readonly number[];
};

/** A large station has thousands of sides; a flight is compared only with those of its own carriers and those without carrier. */
const createSideIndex = (numbers: Iterable<number>, sides: readonly MctSide[]): SideIndex => {
  const byCarrier = new Map<string, number[]>();
  for (const number of numbers) {
    const carrier = sides[number]?.carrier ?? '';
    const list = byCarrier.get(carrier);
    if (list) list.push(number);
    else byCarrier.set(carrier, [number]);
  }
  return {
    findMatching: (end) =>
      [...new Set(['', end.carrier, end.operatingCarrier])].flatMap((carrier) =>
        (byCarrier.get(carrier) ?? []).filter((number) => {
          const side = sides[number];
          return side !== undefined && matchesSide(side, end);
        }),
      ),
  };
};

/** A record, its rank by precedence (0 wins over all others), and the numbers of its two sides. */
export type RankedRecord = {
  readonly record: MctRecord;
  readonly rank: number;
  readonly arrivalSide: number;
  readonly departureSide: number;
};

/** The records that can apply at a station, indexed for lookups by pairs of flights. */
export type MctRecordIndex = {
  /** Arrivals of equal keys match the same records with every departure. */
  readonly computeArrivalKey: (end: MctEnd) => string;
  readonly computeDepartureKey: (end: MctEnd) => string;
  /** The smallest time of these records; infinite when none sets a time. */
  readonly leastMinutes: number;
  /** Iterates over the records that apply to a pair, in order of precedence. */
  readonly listApplicable: (arrival: MctEnd, departure: MctEnd) => Iterator<RankedRecord>;
};

type Lists = Readonly<Record<MctStatus, readonly RankedRecord[]>>;
type SideName = 'arrivalSide' | 'departureSide';

/** One bit for each record of a list, the first in the lowest bit of the first word. */
type Bits = Int32Array;

/** One side of the index: which records a flight matches. */
type IndexedSide = {
  readonly computeKey: (end: MctEnd) => string;
  readonly findBits: (status: MctStatus, end: MctEnd) => Bits;
};

const EMPTY: Bits = new Int32Array(0);

const bitsOfSides = (list: readonly RankedRecord[], name: SideName, matching: ReadonlySet<number>): Bits => {
  const bits = new Int32Array(Math.ceil(list.length / 32));
  for (const [index, record] of list.entries())
    if (matching.has(record[name])) bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
  return bits;
};

/** Flights that match the same sides have equal keys, so that each group is compared with the records once. */
const createIndexedSide = (lists: Lists, name: SideName, allSides: readonly MctSide[]): IndexedSide => {
  const letterAt = name === 'arrivalSide' ? 0 : 1;
  const createIndexFor = (letter: 'D' | 'I') => {
    const records = mctStatuses.filter((status) => status[letterAt] === letter).flatMap((status) => lists[status]);
    return createSideIndex(new Set(records.map((record) => record[name])), allSides);
  };
  const indexes = { D: createIndexFor('D'), I: createIndexFor('I') };
  const matchesByEnd = new WeakMap<MctEnd, { readonly key: string; readonly matching: readonly number[] }>();
  const bitsByKey = new Map<string, Bits>();
  const matchEnd = (end: MctEnd) => {
    const cached = matchesByEnd.get(end);
    if (cached) return cached;
    const matching = indexes[end.status].findMatching(end);
    const match = { key: `${end.status}${matching.join(',')}`, matching };
    matchesByEnd.set(end, match);
    return match;
  };
  return {
    computeKey: (end) => matchEnd(end).key,
    findBits: (status, end) => {
      const list = lists[status];
      if (list.length === 0) return EMPTY;
      const { key, matching } = matchEnd(end);
      const cached = bitsByKey.get(`${status}${key}`);
      if (cached) return cached;
      const bits = bitsOfSides(list, name, new Set(matching));
      bitsByKey.set(`${status}${key}`, bits);
      return bits;
    },
  };
};

/** Iterates over the records that are in both sets, in the order of the list. */
function* listInBoth(list: readonly RankedRecord[], one: Bits, other: Bits): Generator<RankedRecord> {
  for (let word = 0; word < one.length; word += 1) {
    let bits = (one[word] ?? 0) & (other[word] ?? 0);
    while (bits !== 0) {
      const record = list[word * 32 + 31 - Math.clz32(bits & -bits)];
      if (record) yield record;
      bits &= bits - 1;
    }
  }
}

/** Creates an index of records in any order; `sides` are those of the table, by number. */
export const createMctRecordIndex = (records: readonly RankedRecord[], sides: readonly MctSide[]): MctRecordIndex => {
  const sorted = records.toSorted((one, other) => one.rank - other.rank);
  const withStatus = (status: MctStatus) => sorted.filter(({ record }) => record.status === status);
  const lists = { DD: withStatus('DD'), DI: withStatus('DI'), ID: withStatus('ID'), II: withStatus('II') };
  const arrivals = createIndexedSide(lists, 'arrivalSide', sides);
  const departures = createIndexedSide(lists, 'departureSide', sides);
  return {
    computeArrivalKey: arrivals.computeKey,
    computeDepartureKey: departures.computeKey,
    leastMinutes: records.reduce((least, { record: { minutes } }) => Math.min(least, minutes ?? least), Infinity),
    listApplicable: (arrival, departure) => {
      const status: MctStatus = `${arrival.status}${departure.status}`;
      return listInBoth(lists[status], arrivals.findBits(status, arrival), departures.findBits(status, departure));
    },
  };
};
