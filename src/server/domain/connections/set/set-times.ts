import type { ConnectionAirport } from '../flights/connecting-flight.ts';
import { toArrivalEnd, toDepartureEnd } from '../mct/mct-end.ts';
import type { MctRule } from '../mct/mct-rules.ts';
import { getStationMct, type MctTable } from '../mct/mct-table.ts';
import type { FlightReader, SetContents } from './flight-reader.ts';
import { createInterner } from './interner.ts';

/** Minimum connecting times at an airport, or between two, computed for each kind of pair on first use. */
export type SetTimes = {
  /** The smallest minimum that holds for any pair here. */
  readonly leastMinutes: number;
  /** Records of one class have the same rules with all others. */
  readonly getArrivalClass: (leg1: number) => number;
  readonly getDepartureClass: (leg2: number) => number;
  /** Returns the number of the rule set of two classes. */
  readonly getRuleSet: (arrivalClass: number, departureClass: number) => number;
};

/** Placeholder until airports are known. */
export const noTimes: SetTimes = {
  leastMinutes: 0,
  getArrivalClass: () => 0,
  getDepartureClass: () => 0,
  getRuleSet: () => 0,
};

export type TimesContext = {
  readonly table: MctTable;
  /** Returns the number of a rule set, adding it if it is new. */
  readonly add: (rules: readonly MctRule[]) => number;
  readonly airports: { readonly arrival: number; readonly departure: number };
};

const getAirport = ({ header }: SetContents, airport: number): ConnectionAirport => {
  const station = header.airports[airport];
  if (!station) throw new RangeError(`the set has no airport ${airport}`);
  return station;
};

/** Creates the times within an airport: its classes are known from building, so a table has a cell for each pair of them. */
export const createTimesWithin = (
  contents: SetContents,
  { flightAt }: FlightReader,
  { table, add, airports: { arrival: arrivalAirport } }: TimesContext,
): SetTimes => {
  const {
    arrivalClasses,
    departureClasses,
    arrivalClassRecord,
    departureClassRecord,
    recordArrivalClass,
    recordDepartureClass,
  } = contents.columns;
  const station = getAirport(contents, arrivalAirport);
  const at = getStationMct(table, station, station);
  const [firstArrival, firstDeparture] = [arrivalClasses[arrivalAirport] ?? 0, departureClasses[arrivalAirport] ?? 0];
  const departures = (departureClasses[arrivalAirport + 1] ?? 0) - firstDeparture;
  const known = new Int32Array(((arrivalClasses[arrivalAirport + 1] ?? 0) - firstArrival) * departures);
  const computeRuleSet = (arrivalClass: number, departureClass: number): number => {
    const arrival = flightAt(arrivalClassRecord[firstArrival + arrivalClass] ?? 0);
    const departure = flightAt(departureClassRecord[firstDeparture + departureClass] ?? 0);
    return add(at.computeRules(toArrivalEnd(arrival), toDepartureEnd(departure)));
  };
  return {
    leastMinutes: at.leastMinutes,
    getArrivalClass: (leg1) => recordArrivalClass[leg1] ?? 0,
    getDepartureClass: (leg2) => recordDepartureClass[leg2] ?? 0,
    getRuleSet: (arrivalClass, departureClass) => {
      const index = arrivalClass * departures + departureClass;
      const cached = known[index] ?? 0;
      if (cached !== 0) return cached - 1;
      const number = computeRuleSet(arrivalClass, departureClass);
      known[index] = number + 1;
      return number;
    },
  };
};

/** Numbers classes as records occur; the first record represents its class. */
const createClasses = (keyOf: (record: number) => string) => {
  const classes = createInterner();
  const representatives: number[] = [];
  const known = new Map<number, number>();
  const classOf = (record: number): number => {
    const cached = known.get(record);
    if (cached !== undefined) return cached;
    const number = classes.idOf(keyOf(record));
    if (number === representatives.length) representatives.push(record);
    known.set(record, number);
    return number;
  };
  return { classOf, representativeOf: (number: number): number => representatives[number] ?? 0 };
};

/** Greater than the number of classes of any airport. */
const CLASSES = 0x10_0000;

/** Creates the times between two airports of a city. */
export const createTimesAcross = (
  contents: SetContents,
  { flightAt }: FlightReader,
  { table, add, airports: { arrival, departure } }: TimesContext,
): SetTimes => {
  const [here, there] = [getAirport(contents, arrival), getAirport(contents, departure)];
  const at = getStationMct(table, here, there);
  const arrivals = createClasses((record) => at.computeArrivalKey(toArrivalEnd(flightAt(record))));
  const departures = createClasses((record) => at.computeDepartureKey(toDepartureEnd(flightAt(record))));
  const known = new Map<number, number>();
  return {
    leastMinutes: at.leastMinutes,
    getArrivalClass: arrivals.classOf,
    getDepartureClass: departures.classOf,
    getRuleSet: (arrivalClass, departureClass) => {
      const key = arrivalClass * CLASSES + departureClass;
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const [flight1, flight2] = [
        flightAt(arrivals.representativeOf(arrivalClass)),
        flightAt(departures.representativeOf(departureClass)),
      ];
      const number = add(at.computeRules(toArrivalEnd(flight1), toDepartureEnd(flight2)));
      known.set(key, number);
      return number;
    },
  };
};
