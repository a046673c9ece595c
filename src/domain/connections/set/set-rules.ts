import type { ConnectingFlight } from '../connecting-flight.ts';
import { newCooperation } from '../cooperation.ts';
import { arrivalEndOf, departureEndOf } from '../mct-end.ts';
import type { MctRule } from '../mct-rules.ts';
import { mctAt, type MctTable } from '../mct-table.ts';
import { pairUse } from '../pair-rules.ts';
import type { StationMct } from '../station-mct.ts';
import { ruleNames, type RuleName } from '../rule-names.ts';
import { connectionTypes, type ConnectionType } from '../wanted-connections.ts';
import type { FlightReader, SetContents } from './flight-at.ts';
import { newInterner } from './interner.ts';

/** The rules of some pair on all dates. `minutes` says at once what they ask when there is one: `SUPPRESSED`, or `DATED` when it depends on the date. */
export type RuleSet = { readonly minutes: number; readonly rules: readonly MctRule[] };
export const SUPPRESSED = -1;
export const DATED = -2;

const PASSENGER = 1;
const CARGO = 2;
const KNOWN = 128;

/** What pairs may be used for, packed into a byte: bits 0-1 services, 2-3 type, 4-6 which rule forbids it. */
export const useBits = {
  passenger: (use: number): boolean => (use & PASSENGER) !== 0,
  cargo: (use: number): boolean => (use & CARGO) !== 0,
  type: (use: number): ConnectionType => connectionTypes[(use >> 2) & 3] ?? 'n',
  isAnotherService: (use: number): boolean => ((use >> 4) & 7) === 1,
  forbiddenBy: (use: number): RuleName | undefined => pairRules[((use >> 4) & 7) - 1],
} as const;
const pairRules: readonly RuleName[] = ruleNames.filter((name) =>
  ['service', 'codeshare', 'partners', 'traffic-restriction'].includes(name),
);

/** The rules of a set, worked out for each kind of pair when it first turns up. */
export type SetRules = {
  /** The use of a pair of flights by the keys of the two, packed (`useBits`). */
  readonly useOf: (leg1Key: number, leg2Key: number) => number;
  /** What `useOf` has answered so far for a key of leg 1, by key of leg 2; 0 where it was not asked. */
  readonly usesOf: (leg1Key: number) => Uint8Array;
  /** The minimum connecting times of a pair of classes at one airport; the number of a rule set. */
  readonly within: (airport: number, arrivalClass: number, departureClass: number) => number;
  /** The same between two airports, for two records. */
  readonly across: (leg1: number, leg2: number) => number;
  readonly ruleSets: readonly RuleSet[];
  /** `minutes` of each rule set, and the line of the record that sets them, 0 where they are a default. */
  readonly minutes: readonly number[];
  readonly lines: readonly number[];
};

const minutesOf = (rules: readonly MctRule[]): number => {
  const [first, second] = rules;
  if (first === undefined || second !== undefined) return DATED;
  return first.suppressedBy ? SUPPRESSED : first.minutes;
};

const newUses = ({ header, columns }: SetContents, { flightAt }: FlightReader): Pick<SetRules, 'useOf' | 'usesOf'> => {
  const cooperation = newCooperation(header.cooperation);
  const { leg1KeyRecord, leg2KeyRecord } = columns;
  const rows: (Uint8Array | undefined)[] = [];
  const flights1: (ConnectingFlight | undefined)[] = [];
  const flights2: (ConnectingFlight | undefined)[] = [];
  const find = (leg1Key: number, leg2Key: number): number => {
    const flight1 = (flights1[leg1Key] ??= flightAt(leg1KeyRecord[leg1Key] ?? 0));
    const flight2 = (flights2[leg2Key] ??= flightAt(leg2KeyRecord[leg2Key] ?? 0));
    const use = pairUse(flight1, flight2, cooperation);
    const rule = use.forbiddenBy === undefined ? 0 : pairRules.indexOf(use.forbiddenBy) + 1;
    const services = (use.passenger ? PASSENGER : 0) | (use.cargo ? CARGO : 0);
    return KNOWN | services | (connectionTypes.indexOf(use.type) << 2) | (rule << 4);
  };
  const usesOf = (leg1Key: number): Uint8Array => (rows[leg1Key] ??= new Uint8Array(leg2KeyRecord.length));
  const useOf = (leg1Key: number, leg2Key: number): number => {
    const row = usesOf(leg1Key);
    const known = row[leg2Key] ?? 0;
    if (known !== 0) return known;
    const use = find(leg1Key, leg2Key);
    row[leg2Key] = use;
    return use;
  };
  return { useOf, usesOf };
};

/** Rules between the airports of a city: few, and each asked for by its records. */
const newAcross = (
  { columns }: SetContents,
  { flightAt }: FlightReader,
  { table, add }: Adding,
): SetRules['across'] => {
  const pairs = new Map<string, (leg1: number, leg2: number) => number>();
  const newPair = (leg1: number, leg2: number) => {
    const at = mctAt(table, arrivalAirport(leg1), departureAirport(leg2));
    const [arrivals, departures] = [newInterner(), newInterner()];
    const [arrivalKeys, departureKeys] = [new Map<number, number>(), new Map<number, number>()];
    const known = new Map<number, number>();
    const arrivalKey = (leg: number): number => {
      const before = arrivalKeys.get(leg);
      const key = before ?? arrivals.idOf(at.arrivalKeyOf(arrivalEndOf(flightAt(leg))));
      if (before === undefined) arrivalKeys.set(leg, key);
      return key;
    };
    const departureKey = (leg: number): number => {
      const before = departureKeys.get(leg);
      const key = before ?? departures.idOf(at.departureKeyOf(departureEndOf(flightAt(leg))));
      if (before === undefined) departureKeys.set(leg, key);
      return key;
    };
    return (one: number, other: number): number => {
      const key = arrivalKey(one) * 0x100_0000 + departureKey(other);
      const before = known.get(key);
      if (before !== undefined) return before;
      const number = add(at.rulesFor(arrivalEndOf(flightAt(one)), departureEndOf(flightAt(other))));
      known.set(key, number);
      return number;
    };
  };
  const arrivalAirport = (leg: number) => flightAt(leg).airports.at(-1) ?? flightAt(leg).airports[0];
  const departureAirport = (leg: number) => flightAt(leg).airports[0];
  return (leg1, leg2) => {
    const key = `${columns.recordOff[leg1]} ${columns.recordBoard[leg2]}`;
    let pair = pairs.get(key);
    if (!pair) {
      pair = newPair(leg1, leg2);
      pairs.set(key, pair);
    }
    return pair(leg1, leg2);
  };
};

type Adding = { readonly table: MctTable; readonly add: (rules: readonly MctRule[]) => number };

const newWithin = (
  { columns, header }: SetContents,
  { flightAt }: FlightReader,
  { table, add }: Adding,
): SetRules['within'] => {
  const { arrivalClasses, departureClasses, arrivalClassRecord, departureClassRecord } = columns;
  const tables: (Int32Array | undefined)[] = [];
  const stations: (StationMct | undefined)[] = [];
  const find = (airport: number, arrivalClass: number, departureClass: number): number => {
    const place = header.airports[airport];
    if (!place) throw new RangeError(`the set has no airport ${airport}`);
    const at = (stations[airport] ??= mctAt(table, place, place));
    const arrival = flightAt(arrivalClassRecord[(arrivalClasses[airport] ?? 0) + arrivalClass] ?? 0);
    const departure = flightAt(departureClassRecord[(departureClasses[airport] ?? 0) + departureClass] ?? 0);
    return add(at.rulesFor(arrivalEndOf(arrival), departureEndOf(departure)));
  };
  const departureClassesOf = (airport: number): number =>
    (departureClasses[airport + 1] ?? 0) - (departureClasses[airport] ?? 0);
  const tableOf = (airport: number): Int32Array =>
    (tables[airport] ??= new Int32Array(
      ((arrivalClasses[airport + 1] ?? 0) - (arrivalClasses[airport] ?? 0)) * departureClassesOf(airport),
    ));
  return (airport, arrivalClass, departureClass) => {
    const known = tableOf(airport);
    const index = arrivalClass * departureClassesOf(airport) + departureClass;
    const before = known[index] ?? 0;
    if (before !== 0) return before - 1;
    const number = find(airport, arrivalClass, departureClass);
    known[index] = number + 1;
    return number;
  };
};

/** Rules of a set, from its file of minimum connecting times and from what it knows of carriers. */
export const newSetRules = (contents: SetContents, reader: FlightReader, table: MctTable): SetRules => {
  const ruleSets: RuleSet[] = [];
  const minutes: number[] = [];
  const lines: number[] = [];
  const numbers = newInterner();
  const add = (rules: readonly MctRule[]): number => {
    const key = rules
      .map((rule) => [rule.status, rule.minutes, rule.record?.line, rule.suppressedBy?.line, rule.from, rule.to].join())
      .join('|');
    const number = numbers.idOf(key);
    if (number === ruleSets.length) {
      ruleSets.push({ minutes: minutesOf(rules), rules });
      minutes.push(minutesOf(rules));
      lines.push(rules[0]?.record?.line ?? 0);
    }
    return number;
  };
  return {
    ...newUses(contents, reader),
    within: newWithin(contents, reader, { table, add }),
    across: newAcross(contents, reader, { table, add }),
    ruleSets,
    minutes,
    lines,
  };
};
