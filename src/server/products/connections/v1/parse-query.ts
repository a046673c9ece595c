import type { ConnectionFilter, MinuteWindow } from '#domain/connections/search/connection-filter.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { toConnectionCarrier } from '#domain/connections/flights/connection-master-data.ts';
import type { DateSpan } from '#domain/time/period.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { localDate, type LocalDate, parseDate } from '#domain/time/dates.ts';
import { invalidParameters } from '#http/response/problem.ts';
import type { z } from 'zod';
import type { zExplainConnectionQuery, zListConnectionsQuery } from '#generated/connections/v1/zod.gen.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = z.output<typeof zListConnectionsQuery>;

/** The validated query for an explanation. */
export type ExplainQuery = z.output<typeof zExplainConnectionQuery>;

/** Two flights and the optional airport at which they connect. */
export type ExplanationQuery = {
  /** The designators that the flight can have in connections. */
  readonly leg1: readonly Designator[];
  readonly leg2: readonly Designator[];
  /** Local date on which leg 1 departs. */
  readonly date: LocalDate;
  readonly viaPoint: string | undefined;
};

type FlightParameters = {
  readonly code: string;
  readonly flightNumber: number;
  readonly suffix: string | undefined;
};

/** Lists the codes that carriers with an IATA or ICAO code can have in connections. */
const listConnectionCarriers = (code: string, masterDataIndex: MasterDataIndex): readonly string[] => {
  const owners = code.length === 2 ? masterDataIndex.carriers('iata', code) : [];
  const designators = [code, ...owners.flatMap(({ icao }) => (icao === '' ? [] : [icao]))];
  return [...new Set([code, ...designators.map((designator) => toConnectionCarrier(masterDataIndex, designator))])];
};

const listFlightDesignators = (
  { code, flightNumber, suffix = '' }: FlightParameters,
  masterDataIndex: MasterDataIndex,
): readonly Designator[] => {
  const carriers = listConnectionCarriers(code.toUpperCase(), masterDataIndex);
  return carriers.map((carrier) => ({ carrier, flightNumber, suffix: suffix.toUpperCase() }));
};

/** Parses the query of an explanation. */
export const parseExplanationQuery = (query: ExplainQuery, masterDataIndex: MasterDataIndex): ExplanationQuery => {
  const leg1 = {
    code: query.Leg1CarrierCode,
    flightNumber: query.Leg1FlightNumber,
    suffix: query.Leg1ServiceSuffix,
  };
  const leg2 = {
    code: query.Leg2CarrierCode,
    flightNumber: query.Leg2FlightNumber,
    suffix: query.Leg2ServiceSuffix,
  };
  return {
    leg1: listFlightDesignators(leg1, masterDataIndex),
    leg2: listFlightDesignators(leg2, masterDataIndex),
    date: localDate(query.DepartureDate),
    viaPoint: query.ViaPoint?.toUpperCase(),
  };
};

const MAX_RANGE_DAYS = 7;

type Violations = Record<string, string[]>;
const addViolation = (violations: Violations, name: string, message: string): undefined => {
  (violations[name] ??= []).push(message);
  return undefined;
};

const parseDates = (text: string | undefined, violations: Violations): DateSpan | undefined => {
  if (text === undefined) return undefined;
  const reject = (message: string): undefined => addViolation(violations, 'DepartureDate', message);
  const [first = '', last = first] = text.split('/');
  const from = parseDate(first);
  const to = parseDate(last);
  if (from === undefined) return reject(`must be a date of the calendar, not '${first}'`);
  if (to === undefined) return reject(`must be a date of the calendar, not '${last}'`);
  if (to < from) return reject(`must not end before it starts: '${text}'`);
  const days = to - from + 1;
  if (days > MAX_RANGE_DAYS) return reject(`must cover at most ${MAX_RANGE_DAYS} days, not ${days}`);
  return { from, to };
};

const parseMinuteOfDay = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Parses `HH:mm/HH:mm`, which the contract has validated. */
const parseWindow = (text: string): MinuteWindow => {
  const [from = '', to = ''] = text.split('/');
  return { from: parseMinuteOfDay(from), to: parseMinuteOfDay(to) };
};

/** Validates rules across several parameters. */
const validateCombinations = (query: ListQuery, violations: Violations): void => {
  const { DepartureAirport, DepartureCity, ArrivalAirport, ArrivalCity, ViaPoint } = query;
  if (!DepartureAirport && !DepartureCity && !ArrivalAirport && !ArrivalCity && !ViaPoint)
    addViolation(
      violations,
      '',
      'At least one of DepartureAirport, DepartureCity, ArrivalAirport, ArrivalCity and ViaPoint is required.',
    );
  const { MinConnectingTime: min, MaxConnectingTime: max } = query;
  if (min > max)
    addViolation(violations, 'MinConnectingTime', `must not be greater than MaxConnectingTime: ${min} is, than ${max}`);
};

const toUpperCodes = (codes: readonly string[] | undefined): readonly string[] | undefined =>
  codes && [...new Set(codes.map((code) => code.toUpperCase()))];

const listCarriers = (
  codes: readonly string[] | undefined,
  masterDataIndex: MasterDataIndex,
): readonly string[] | undefined =>
  toUpperCodes(codes)?.flatMap((code) => listConnectionCarriers(code, masterDataIndex));

const services = { p: 'passenger', Passenger: 'passenger', c: 'cargo', Cargo: 'cargo' } as const;

/** Parses the query as a filter of connections; throws the Problem that lists all violations. */
export const parseQuery = (query: ListQuery, masterDataIndex: MasterDataIndex): ConnectionFilter => {
  const violations: Violations = {};
  const dates = parseDates(query.DepartureDate, violations);
  validateCombinations(query, violations);
  if (Object.keys(violations).length > 0) throw invalidParameters(violations);
  return {
    departureAirports: toUpperCodes(query.DepartureAirport),
    departureCities: toUpperCodes(query.DepartureCity),
    arrivalAirports: toUpperCodes(query.ArrivalAirport),
    arrivalCities: toUpperCodes(query.ArrivalCity),
    viaPoints: toUpperCodes(query.ViaPoint),
    leg1Carriers: listCarriers(query.Leg1CarrierCode, masterDataIndex),
    leg2Carriers: listCarriers(query.Leg2CarrierCode, masterDataIndex),
    dates,
    departureWindow: query.DepartureTime === undefined ? undefined : parseWindow(query.DepartureTime),
    maxCircuity: query.Circuity,
    types: query.ConnectionType,
    minConnectingMinutes: query.MinConnectingTime,
    maxConnectingMinutes: query.MaxConnectingTime,
    interAirport: query.InterAirport,
    maxElapsedMinutes: query.TotalMaxElapsedTime,
    service: query.Service && services[query.Service],
  };
};
