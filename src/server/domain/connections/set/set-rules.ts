import type { ConnectingFlight } from '../flights/connecting-flight.ts';
import { connectionTypes, createCarrierRelations, type ConnectionType } from '../rules/carrier-relations.ts';
import type { MctRule } from '../mct/mct-rules.ts';
import type { MctTable } from '../mct/mct-table.ts';
import { computePairUse } from '../rules/pair-rules.ts';
import { type RuleName, ruleNames } from '../rules/rule-verdict.ts';
import type { FlightReader, SetContents } from './flight-reader.ts';
import { createInterner } from './interner.ts';
import { createTimesAcross, createTimesWithin, type SetTimes } from './set-times.ts';

/** The rules of a kind of pair on all dates. `minutes` is the minimum, `MCT_SUPPRESSED`, or `MCT_DEPENDS_ON_DATE` for several rules. */
export type RuleSet = { readonly minutes: number; readonly rules: readonly MctRule[] };
export const MCT_SUPPRESSED = -1;
export const MCT_DEPENDS_ON_DATE = -2;

const PASSENGER = 1;
const CARGO = 2;
const COMPUTED = 128;

/** The use of a pair, packed into a byte: bits 0-1 services, 2-3 connection type, 4-6 the rule that forbids it, 7 always set: 0 is not computed. */
export const pairUseBits = {
  passenger: (use: number): boolean => (use & PASSENGER) !== 0,
  cargo: (use: number): boolean => (use & CARGO) !== 0,
  isAllowed: (use: number): boolean => (use & (PASSENGER | CARGO)) !== 0,
  typeNumber: (use: number): number => (use >> 2) & 3,
  type: (use: number): ConnectionType => connectionTypes[(use >> 2) & 3] ?? 'n',
  isAnotherService: (use: number): boolean => ((use >> 4) & 7) === 1,
  forbiddenBy: (use: number): RuleName | undefined => pairRules[((use >> 4) & 7) - 1],
} as const;
const pairRules: readonly RuleName[] = ruleNames.filter((name) =>
  ['service', 'codeshare', 'partners', 'traffic-restriction'].includes(name),
);

/** The rules of a set, computed for each kind of pair on first use. */
export type SetRules = {
  /** Returns the packed use (`pairUseBits`) of a pair of flights by the keys of both. */
  readonly getUse: (leg1Key: number, leg2Key: number) => number;
  /** The uses computed so far for a key of leg 1, by key of leg 2; 0 where not computed. */
  readonly getUses: (leg1Key: number) => Uint8Array;
  /** Computes the uses of all pairs in steps of some milliseconds; skipped when there are very many keys. */
  readonly precompute: () => Generator<void, void>;
  /** Returns the minimum connecting times of an arrival and a departure airport, equal or of one city. */
  readonly getTimes: (arrival: number, departure: number) => SetTimes;
  readonly ruleSets: readonly RuleSet[];
  /** `minutes` of each rule set, and the line of the MCT record that sets them, 0 for a default. */
  readonly minutes: readonly number[];
  readonly lines: readonly number[];
};

const findMinutes = (rules: readonly MctRule[]): number => {
  const [first, second] = rules;
  if (first === undefined || second !== undefined) return MCT_DEPENDS_ON_DATE;
  return first.suppressedBy ? MCT_SUPPRESSED : first.minutes;
};

/** A pair of keys takes 0.5 µs: this many take two seconds, once for each set. */
const MAX_PRECOMPUTED_PAIRS = 4_000_000;
const ROWS_A_STEP = 8;

const createPairUses = (
  { header, columns }: SetContents,
  { flightAt }: FlightReader,
): Pick<SetRules, 'getUse' | 'getUses' | 'precompute'> => {
  const relations = createCarrierRelations(header.cooperation);
  const { leg1KeyRecord, leg2KeyRecord } = columns;
  const rows: (Uint8Array | undefined)[] = [];
  const flights1: (ConnectingFlight | undefined)[] = [];
  const flights2: (ConnectingFlight | undefined)[] = [];
  const computeUse = (leg1Key: number, leg2Key: number): number => {
    const flight1 = (flights1[leg1Key] ??= flightAt(leg1KeyRecord[leg1Key] ?? 0));
    const flight2 = (flights2[leg2Key] ??= flightAt(leg2KeyRecord[leg2Key] ?? 0));
    const use = computePairUse(flight1, flight2, relations);
    const rule = use.forbiddenBy === undefined ? 0 : pairRules.indexOf(use.forbiddenBy) + 1;
    const services = (use.passenger ? PASSENGER : 0) | (use.cargo ? CARGO : 0);
    return COMPUTED | services | (connectionTypes.indexOf(use.type) << 2) | (rule << 4);
  };
  const getUses = (leg1Key: number): Uint8Array => (rows[leg1Key] ??= new Uint8Array(leg2KeyRecord.length));
  const getUse = (leg1Key: number, leg2Key: number): number => {
    const row = getUses(leg1Key);
    const known = row[leg2Key] ?? 0;
    if (known !== 0) return known;
    const use = computeUse(leg1Key, leg2Key);
    row[leg2Key] = use;
    return use;
  };
  function* precompute(): Generator<void, void> {
    if (leg1KeyRecord.length * leg2KeyRecord.length > MAX_PRECOMPUTED_PAIRS) return;
    for (const leg1Key of leg1KeyRecord.keys()) {
      for (const leg2Key of leg2KeyRecord.keys()) getUse(leg1Key, leg2Key);
      if (leg1Key % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    }
  }
  return { getUse, getUses, precompute };
};

/** Creates the rules of a set from its MCT table and carrier relations. */
export const createSetRules = (contents: SetContents, reader: FlightReader, table: MctTable): SetRules => {
  const ruleSets: RuleSet[] = [];
  const minutes: number[] = [];
  const lines: number[] = [];
  const numbers = createInterner();
  const addRuleSet = (rules: readonly MctRule[]): number => {
    const key = rules
      .map((rule) => [rule.status, rule.minutes, rule.record?.line, rule.suppressedBy?.line, rule.from, rule.to].join())
      .join('|');
    const number = numbers.idOf(key);
    if (number === ruleSets.length) {
      ruleSets.push({ minutes: findMinutes(rules), rules });
      minutes.push(findMinutes(rules));
      lines.push(rules[0]?.record?.line ?? 0);
    }
    return number;
  };
  const timesByAirports = new Map<number, SetTimes>();
  const getTimes = (arrival: number, departure: number): SetTimes => {
    const key = arrival * contents.header.airports.length + departure;
    const cached = timesByAirports.get(key);
    if (cached) return cached;
    const airports = { arrival, departure };
    const times =
      arrival === departure
        ? createTimesWithin(contents, reader, { table, add: addRuleSet, airports })
        : createTimesAcross(contents, reader, { table, add: addRuleSet, airports });
    timesByAirports.set(key, times);
    return times;
  };
  return { ...createPairUses(contents, reader), getTimes, ruleSets, minutes, lines };
};
