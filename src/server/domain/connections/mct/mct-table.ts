import type { ConnectionAirport } from '../flights/connecting-flight.ts';
import type { MctEnd } from './mct-end.ts';
import { matchesSuppressionArea } from './mct-matching.ts';
import { type MctRecordIndex, createMctRecordIndex, type RankedRecord } from './mct-record-index.ts';
import type { MctDefaults, MctRecord, MctSide, MctStatus } from './mct-record.ts';
import { type MctRule, computeMctRules } from './mct-rules.ts';

/** The minimum connecting times of one station, or between two stations of a city. */
export type StationMct = {
  /** Arrivals of equal keys have equal rules with every departure. */
  readonly computeArrivalKey: (end: MctEnd) => string;
  /** Departures of equal keys have equal rules with every arrival. */
  readonly computeDepartureKey: (end: MctEnd) => string;
  /** The smallest minimum that holds for any pair here. */
  readonly leastMinutes: number;
  /** Returns rules that cover all dates without overlap, earliest first. */
  readonly computeRules: (arrival: MctEnd, departure: MctEnd) => readonly MctRule[];
};

/** Merges indexes by precedence, lazily: the first few records settle most pairs. */
function* mergeByRank(iterators: readonly Iterator<RankedRecord>[]): Generator<MctRecord> {
  const heads = iterators.map((iterator) => iterator.next());
  for (;;) {
    let best = -1;
    let rank = Infinity;
    for (const [index, head] of heads.entries())
      if (!head.done && head.value.rank < rank) [best, rank] = [index, head.value.rank];
    const head = heads[best];
    const iterator = iterators[best];
    if (!head || head.done || !iterator) return;
    yield head.value.record;
    heads[best] = iterator.next();
  }
}

/** Creates the MCT of a station from the indexes of all records that can apply there and the default minutes. */
const createStationMct = (
  indexes: readonly MctRecordIndex[],
  minutes: Readonly<Record<MctStatus, number>>,
): StationMct => ({
  computeArrivalKey: (end) => indexes.map((index) => index.computeArrivalKey(end)).join('/'),
  computeDepartureKey: (end) => indexes.map((index) => index.computeDepartureKey(end)).join('/'),
  leastMinutes: Math.min(minutes.DD, minutes.DI, minutes.ID, minutes.II, ...indexes.map((index) => index.leastMinutes)),
  computeRules: (arrival, departure) => {
    const status: MctStatus = `${arrival.status}${departure.status}`;
    const applicable = mergeByRank(indexes.map((index) => index.listApplicable(arrival, departure)));
    return computeMctRules(applicable, { status, minutes: minutes[status] });
  },
});

const toAreaKey = ({ suppressionRegion, suppressionCountryCode, suppressionStateCode }: MctRecord): string =>
  [suppressionRegion, suppressionCountryCode, suppressionStateCode].join('|');

/**
 * Creates a lookup of the records that apply at an airport because of their region, country or state. Thousands of airports share few combinations of
 * areas; airports with the same combination share one index.
 */
const createAreaIndexes = (
  records: readonly RankedRecord[],
  sides: readonly MctSide[],
): ((point: ConnectionAirport) => MctRecordIndex) => {
  const areas = [...Map.groupBy(records, ({ record }) => toAreaKey(record))];
  const indexes = new Map<string, MctRecordIndex>();
  return (point) => {
    const matching = areas.filter(([, [first]]) => first !== undefined && matchesSuppressionArea(first.record, point));
    const key = matching.map(([area]) => area).join();
    const cached = indexes.get(key);
    if (cached) return cached;
    const index = createMctRecordIndex(
      matching.flatMap(([, members]) => members),
      sides,
    );
    indexes.set(key, index);
    return index;
  };
};

/** All minimum connecting times, indexed by station. */
export type MctTable = {
  readonly defaults: MctDefaults;
  /** By arrival and departure station as filed; without the records that name neither. */
  readonly byStations: ReadonlyMap<string, readonly RankedRecord[]>;
  /** The different criteria of the records for a side, by number. */
  readonly sides: readonly MctSide[];
  /** The records without stations and areas, which can apply at every airport. */
  readonly everywhere: MctRecordIndex;
  /** Returns the records without stations whose region, country or state contains the airport. */
  readonly areaIndexOf: (point: ConnectionAirport) => MctRecordIndex;
};

const stationsKey = (arrivalStation: string, departureStation: string): string =>
  `${arrivalStation}|${departureStation}`;

const sideKey = (side: MctSide): string =>
  [
    side.carrier,
    side.isCodeshare ? 'Y' : '',
    side.operator,
    side.flights?.from ?? '',
    side.flights?.to ?? '',
    side.terminal,
    side.station,
    side.stateCode,
    side.countryCode,
    side.region,
    side.equipment,
    side.body,
  ].join('|');

const hasSuppressionArea = ({ suppressionStateCode, suppressionCountryCode, suppressionRegion }: MctRecord): boolean =>
  suppressionStateCode !== '' || suppressionCountryCode !== '' || suppressionRegion !== '';

const ANYWHERE = stationsKey('', '');

/** Records indexed in one step, which takes a few milliseconds. */
const RECORDS_A_STEP = 1000;

/** Creates the table of records that are already sorted by precedence; yields every few milliseconds. */
export function* createMctTableInSteps(ranked: readonly MctRecord[], defaults: MctDefaults): Generator<void, MctTable> {
  const sides: MctSide[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (side: MctSide): number => {
    const key = sideKey(side);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, sides.length);
    return sides.push(side) - 1;
  };
  const byStations = new Map<string, RankedRecord[]>();
  for (const [rank, record] of ranked.entries()) {
    const sided = { record, rank, arrivalSide: numberOf(record.arrival), departureSide: numberOf(record.departure) };
    const key = stationsKey(record.arrivalStation, record.departureStation);
    const list = byStations.get(key);
    if (list) list.push(sided);
    else byStations.set(key, [sided]);
    if (rank % RECORDS_A_STEP === RECORDS_A_STEP - 1) yield;
  }
  const unbound = byStations.get(ANYWHERE) ?? [];
  byStations.delete(ANYWHERE);
  const everywhere = createMctRecordIndex(
    unbound.filter(({ record }) => !hasSuppressionArea(record)),
    sides,
  );
  yield;
  const areaIndexOf = createAreaIndexes(
    unbound.filter(({ record }) => hasSuppressionArea(record)),
    sides,
  );
  return { defaults, byStations, sides, everywhere, areaIndexOf };
}

/** Blank stations match any, but a change of airports requires records that name both. */
const listStationKeys = (arrival: string, departure: string): readonly string[] =>
  arrival === departure
    ? [stationsKey(arrival, arrival), stationsKey(arrival, ''), stationsKey('', arrival)]
    : [stationsKey(arrival, departure)];

/** Returns the minimum connecting times at an airport or between two airports, in a fraction of a millisecond. */
export const getStationMct = (
  { byStations, defaults, sides, everywhere, areaIndexOf }: MctTable,
  arrivalStation: ConnectionAirport,
  departureStation: ConnectionAirport,
): StationMct => {
  const records = listStationKeys(arrivalStation.iata, departureStation.iata).flatMap(
    (key) => byStations.get(key) ?? [],
  );
  const here = createMctRecordIndex(
    records.filter(({ record }) => matchesSuppressionArea(record, arrivalStation)),
    sides,
  );
  if (arrivalStation.iata === departureStation.iata)
    return createStationMct([here, areaIndexOf(arrivalStation), everywhere], defaults);
  const { interAirport } = defaults;
  const minutes = { DD: interAirport, DI: interAirport, ID: interAirport, II: interAirport };
  return createStationMct([here], minutes);
};
