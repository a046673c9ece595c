import { addDays } from '../../time/dates.ts';
import type { ConnectionSet } from '../connection-set.ts';
import { connectionTypes, type WantedConnections } from '../wanted-connections.ts';
import { MAX_CIRCUITY_PERCENT } from '../rules/circuity.ts';
import { MAX_CONNECTING_MINUTES } from '../mct/connecting-time.ts';
import { maskOfSpan } from './day-masks.ts';

/** A list of numbers that are wanted, with a flag for each number there is. */
export type Choice = { readonly numbers: readonly number[]; readonly has: Uint8Array };

/** What is wanted, in the numbers of a set; undefined does not narrow. */
export type Question = {
  readonly departures: Choice | undefined;
  readonly arrivals: Choice | undefined;
  readonly vias: Choice | undefined;
  readonly leg1Carriers: Choice | undefined;
  readonly leg2Carriers: Choice | undefined;
  /** Dates on which leg 1 may depart, within the set, as bits; only the words from `firstWord` to `lastWord` have any. */
  readonly dates: Uint32Array;
  readonly firstWord: number;
  readonly lastWord: number;
  /** Whether it is asked for all dates of the set. */
  readonly anyDate: boolean;
  readonly maxCircuity: number;
  /** By number of the type. */
  readonly types: readonly boolean[];
  readonly minMinutes: number;
  readonly maxMinutes: number;
  readonly sameAirport: boolean;
  readonly changeOfAirports: boolean;
  readonly maxElapsed: number;
  /** The services wanted as bits: 1 passenger, 2 cargo. */
  readonly services: number;
};

const choiceOf = (numbers: readonly number[], count: number): Choice => {
  const has = new Uint8Array(count);
  for (const number of numbers) has[number] = 1;
  return { numbers: [...new Set(numbers)].toSorted((one, other) => one - other), has };
};

/** Airports by code and by city; where both are asked for, an airport has to be both. */
const airportsOf = (
  { header, airportNumber }: ConnectionSet,
  codes: readonly string[] | undefined,
  cities: readonly string[] | undefined,
): Choice | undefined => {
  if (codes === undefined && cities === undefined) return undefined;
  const count = header.airports.length;
  const named = codes?.flatMap((code) => airportNumber(code) ?? []);
  const inCities =
    cities && [...header.airports.keys()].filter((number) => cities.includes(header.airports[number]?.cityCode || '-'));
  if (named === undefined) return choiceOf(inCities ?? [], count);
  return choiceOf(inCities ? named.filter((number) => inCities.includes(number)) : named, count);
};

const carriersOf = ({ header }: ConnectionSet, codes: readonly string[] | undefined): Choice | undefined =>
  codes &&
  choiceOf(
    codes.map((code) => header.carriers.indexOf(code)).filter((number) => number >= 0),
    header.carriers.length,
  );

const datesOf = (set: ConnectionSet, { dates }: WantedConnections) => {
  const all = set.allDates;
  const whole = { from: set.from, to: addDays(set.from, set.days - 1) };
  const mask = dates ? maskOfSpan(set.frame, dates).map((word, index) => word & (all[index] ?? 0)) : all;
  const filled = [...mask.keys()].filter((index) => mask[index] !== 0);
  return {
    dates: mask,
    firstWord: filled[0] ?? 0,
    lastWord: filled.at(-1) ?? -1,
    anyDate: dates === undefined || (dates.from <= whole.from && dates.to >= whole.to),
  };
};

const serviceBits = { passenger: 1, cargo: 2 } as const;

/** Translates what is wanted into numbers of the set. Codes it does not know find nothing. */
export const prepareQuestion = (set: ConnectionSet, wanted: WantedConnections): Question => ({
  departures: airportsOf(set, wanted.departureAirports, wanted.departureCities),
  arrivals: airportsOf(set, wanted.arrivalAirports, wanted.arrivalCities),
  vias: airportsOf(set, wanted.viaPoints, undefined),
  leg1Carriers: carriersOf(set, wanted.leg1Carriers),
  leg2Carriers: carriersOf(set, wanted.leg2Carriers),
  ...datesOf(set, wanted),
  maxCircuity: Math.min(wanted.maxCircuity ?? MAX_CIRCUITY_PERCENT, MAX_CIRCUITY_PERCENT),
  types: connectionTypes.map((type) => wanted.types === undefined || wanted.types.includes(type)),
  minMinutes: Math.max(wanted.minConnectingMinutes ?? 0, 0),
  maxMinutes: Math.min(wanted.maxConnectingMinutes ?? MAX_CONNECTING_MINUTES, MAX_CONNECTING_MINUTES),
  sameAirport: wanted.interAirport !== true,
  changeOfAirports: wanted.interAirport !== false,
  maxElapsed: wanted.maxElapsedMinutes ?? Number.POSITIVE_INFINITY,
  services: wanted.service === undefined ? 3 : serviceBits[wanted.service],
});
