import type { ConnectionAirport } from '../flights/connecting-flight.ts';
import { toArrivalEnd, toDepartureEnd } from '../mct/mct-end.ts';
import type { MctRule } from '../mct/mct-rules.ts';
import { getStationMct, type MctTable } from '../mct/mct-table.ts';
import type { FlightReader, SetContents } from './flight-reader.ts';
import { createInterner } from './interner.ts';

/** Minimum connecting times at an airport, or from one to another, worked out for each kind of pair when it first turns up. */
export type SetTimes = {
  /** What no pair here is allowed to fall short of. */
  readonly leastMinutes: number;
  /** Records of one class have the same rules with all others. */
  readonly arrivalClassOf: (leg1: number) => number;
  readonly departureClassOf: (leg2: number) => number;
  /** The number of the rule set of two classes. */
  readonly ruleSet: (arrivalClass: number, departureClass: number) => number;
};

/** Stands where no airports have been told yet. */
export const noTimes: SetTimes = {
  leastMinutes: 0,
  arrivalClassOf: () => 0,
  departureClassOf: () => 0,
  ruleSet: () => 0,
};

export type TimesContext = {
  readonly table: MctTable;
  /** Numbers a rule set. */
  readonly add: (rules: readonly MctRule[]) => number;
  readonly airports: { readonly arrival: number; readonly departure: number };
};

const placeOf = ({ header }: SetContents, airport: number): ConnectionAirport => {
  const place = header.airports[airport];
  if (!place) throw new RangeError(`the set has no airport ${airport}`);
  return place;
};

/** Within an airport: classes are known since the set was built, and a table has room for every pair of them. */
export const createTimesWithin = (
  contents: SetContents,
  { flightAt }: FlightReader,
  { table, add, airports: { arrival: airport } }: TimesContext,
): SetTimes => {
  const {
    arrivalClasses,
    departureClasses,
    arrivalClassRecord,
    departureClassRecord,
    recordArrivalClass,
    recordDepartureClass,
  } = contents.columns;
  const place = placeOf(contents, airport);
  const at = getStationMct(table, place, place);
  const [firstArrival, firstDeparture] = [arrivalClasses[airport] ?? 0, departureClasses[airport] ?? 0];
  const departures = (departureClasses[airport + 1] ?? 0) - firstDeparture;
  const known = new Int32Array(((arrivalClasses[airport + 1] ?? 0) - firstArrival) * departures);
  const find = (arrivalClass: number, departureClass: number): number => {
    const arrival = flightAt(arrivalClassRecord[firstArrival + arrivalClass] ?? 0);
    const departure = flightAt(departureClassRecord[firstDeparture + departureClass] ?? 0);
    return add(at.computeRules(toArrivalEnd(arrival), toDepartureEnd(departure)));
  };
  return {
    leastMinutes: at.leastMinutes,
    arrivalClassOf: (leg1) => recordArrivalClass[leg1] ?? 0,
    departureClassOf: (leg2) => recordDepartureClass[leg2] ?? 0,
    ruleSet: (arrivalClass, departureClass) => {
      const index = arrivalClass * departures + departureClass;
      const before = known[index] ?? 0;
      if (before !== 0) return before - 1;
      const number = find(arrivalClass, departureClass);
      known[index] = number + 1;
      return number;
    },
  };
};

/** Classes by number, given out as records turn up; the first record of each speaks for it. */
const createClasses = (keyOf: (record: number) => string) => {
  const classes = createInterner();
  const speakers: number[] = [];
  const known = new Map<number, number>();
  const classOf = (record: number): number => {
    const before = known.get(record);
    if (before !== undefined) return before;
    const number = classes.idOf(keyOf(record));
    if (number === speakers.length) speakers.push(record);
    known.set(record, number);
    return number;
  };
  return { classOf, speakerOf: (number: number): number => speakers[number] ?? 0 };
};

/** More classes than an airport ever has. */
const CLASSES = 0x10_0000;

/** Between two airports of a city. */
export const createTimesAcross = (
  contents: SetContents,
  { flightAt }: FlightReader,
  { table, add, airports: { arrival, departure } }: TimesContext,
): SetTimes => {
  const [here, there] = [placeOf(contents, arrival), placeOf(contents, departure)];
  const at = getStationMct(table, here, there);
  const arrivals = createClasses((record) => at.arrivalKeyOf(toArrivalEnd(flightAt(record))));
  const departures = createClasses((record) => at.departureKeyOf(toDepartureEnd(flightAt(record))));
  const known = new Map<number, number>();
  return {
    leastMinutes: at.leastMinutes,
    arrivalClassOf: arrivals.classOf,
    departureClassOf: departures.classOf,
    ruleSet: (arrivalClass, departureClass) => {
      const key = arrivalClass * CLASSES + departureClass;
      const before = known.get(key);
      if (before !== undefined) return before;
      const [flight1, flight2] = [
        flightAt(arrivals.speakerOf(arrivalClass)),
        flightAt(departures.speakerOf(departureClass)),
      ];
      const number = add(at.computeRules(toArrivalEnd(flight1), toDepartureEnd(flight2)));
      known.set(key, number);
      return number;
    },
  };
};
