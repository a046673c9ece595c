import { addDays } from '#domain/time/dates.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import { connectionTypes } from '../rules/carrier-relations.ts';
import type { ConnectionFilter, MinuteWindow } from './connection-filter.ts';
import { MAX_CIRCUITY_PERCENT } from '../rules/circuity.ts';
import { MAX_CONNECTING_MINUTES } from '../rules/connection-point.ts';
import { buildSpanMask } from '../set/day-masks.ts';

/** Selected numbers, with a flag for every number there is. */
export type NumberSet = { readonly numbers: readonly number[]; readonly has: Uint8Array };

/** A connection filter in the numbers of a set; an undefined member does not filter. */
export type ConnectionQuery = {
  readonly departures: NumberSet | undefined;
  readonly arrivals: NumberSet | undefined;
  readonly vias: NumberSet | undefined;
  readonly leg1Carriers: NumberSet | undefined;
  readonly leg2Carriers: NumberSet | undefined;
  readonly departureWindow: MinuteWindow | undefined;
  /** Departure dates of leg 1 within the set, as bits; only the words from `firstWord` to `lastWord` are not 0. */
  readonly dates: Uint32Array;
  readonly firstWord: number;
  readonly lastWord: number;
  /** Whether the query includes all dates of the set. */
  readonly isAnyDate: boolean;
  readonly maxCircuity: number;
  /** Indexed by the number of the connection type. */
  readonly types: readonly boolean[];
  readonly minMinutes: number;
  readonly maxMinutes: number;
  readonly sameAirport: boolean;
  readonly otherAirports: boolean;
  readonly maxElapsed: number;
  /** Requested services as bits: 1 passenger, 2 cargo. */
  readonly services: number;
};

const toNumberSet = (numbers: readonly number[], count: number): NumberSet => {
  const has = new Uint8Array(count);
  for (const number of numbers) has[number] = 1;
  return { numbers: [...new Set(numbers)].toSorted((one, other) => one - other), has };
};

/** Selects airports by code and city; with both, an airport must match both. */
const selectAirports = (
  { header, findAirportNumber: airportNumber }: ConnectionSet,
  codes: readonly string[] | undefined,
  cities: readonly string[] | undefined,
): NumberSet | undefined => {
  if (codes === undefined && cities === undefined) return undefined;
  const count = header.airports.length;
  const byCode = codes?.flatMap((code) => airportNumber(code) ?? []);
  const inCities =
    cities && [...header.airports.keys()].filter((number) => cities.includes(header.airports[number]?.cityCode || '-'));
  if (byCode === undefined) return toNumberSet(inCities ?? [], count);
  return toNumberSet(inCities ? byCode.filter((number) => inCities.includes(number)) : byCode, count);
};

const selectCarriers = ({ header }: ConnectionSet, codes: readonly string[] | undefined): NumberSet | undefined =>
  codes &&
  toNumberSet(
    codes.map((code) => header.carriers.indexOf(code)).filter((number) => number >= 0),
    header.carriers.length,
  );

const selectDates = (set: ConnectionSet, { dates }: ConnectionFilter) => {
  const all = set.allDates;
  const whole = { from: set.from, to: addDays(set.from, set.days - 1) };
  const mask = dates ? buildSpanMask(set.frame, dates).map((word, index) => word & (all[index] ?? 0)) : all;
  const filled = [...mask.keys()].filter((index) => mask[index] !== 0);
  return {
    dates: mask,
    firstWord: filled[0] ?? 0,
    lastWord: filled.at(-1) ?? -1,
    isAnyDate: dates === undefined || (dates.from <= whole.from && dates.to >= whole.to),
  };
};

const serviceBits = { passenger: 1, cargo: 2 } as const;

/** Builds the query of a filter. Codes that the set does not contain match nothing. */
export const buildConnectionQuery = (set: ConnectionSet, filter: ConnectionFilter): ConnectionQuery => ({
  departures: selectAirports(set, filter.departureAirports, filter.departureCities),
  arrivals: selectAirports(set, filter.arrivalAirports, filter.arrivalCities),
  vias: selectAirports(set, filter.viaPoints, undefined),
  leg1Carriers: selectCarriers(set, filter.leg1Carriers),
  leg2Carriers: selectCarriers(set, filter.leg2Carriers),
  departureWindow: filter.departureWindow,
  ...selectDates(set, filter),
  maxCircuity: Math.min(filter.maxCircuity ?? MAX_CIRCUITY_PERCENT, MAX_CIRCUITY_PERCENT),
  types: connectionTypes.map((type) => filter.types === undefined || filter.types.includes(type)),
  minMinutes: Math.max(filter.minConnectingMinutes ?? 0, 0),
  maxMinutes: Math.min(filter.maxConnectingMinutes ?? MAX_CONNECTING_MINUTES, MAX_CONNECTING_MINUTES),
  sameAirport: filter.interAirport !== true,
  otherAirports: filter.interAirport !== false,
  maxElapsed: filter.maxElapsedMinutes ?? Number.POSITIVE_INFINITY,
  services: filter.service === undefined ? 3 : serviceBits[filter.service],
});
