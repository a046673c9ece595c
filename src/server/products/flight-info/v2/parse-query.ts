import {
  listCarrierIds,
  type CodeSystem,
  type MasterDataIndex,
  listLocationIds,
} from '#domain/master-data/master-data-index.ts';
import { listServiceLetters } from '#domain/schedule/service-types.ts';
import { normalizeRegistration } from '#domain/status/message.ts';
import { buildLocalMinute, type LocalMinute, MINUTES_A_DAY, parseDate } from '#domain/time/dates.ts';
import { invalidParameters } from '#http/response/problem.ts';
import type { FlightTypeLetter, TimeSpan, InstanceFilter } from '#store/flights/instance-filter.ts';
import type { z } from 'zod';
import type { zListFlightInstancesQuery } from '#generated/flight-info/v2/zod.gen.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = z.output<typeof zListFlightInstancesQuery>;

/** The datasets that a caller requests with each flight. */
export type RequestedContent = {
  readonly status: 'latest' | 'history' | undefined;
  readonly withSeats: boolean;
  readonly withMap: boolean;
};

/** Parses the parameter Content; StatusHistory takes precedence over Status, which it includes. */
export const parseContent = (names: ListQuery['Content']): RequestedContent => ({
  status: names?.includes('StatusHistory') ? 'history' : names?.includes('Status') ? 'latest' : undefined,
  withSeats: names?.includes('Seats') ?? false,
  withMap: names?.includes('Map') ?? false,
});

const MAX_RANGE_DAYS = 31;
/** A page by latest time reads the statuses of the whole range. */
const MAX_LATEST_RANGE_DAYS = 3;

type Violations = Record<string, string[]>;
const addViolation = (violations: Violations, name: string, message: string): undefined => {
  (violations[name] ??= []).push(message);
  return undefined;
};

/** Parses one end of a range: a date (its first or last minute) or a date with a time. */
const parseEnd = (text: string, isLast: boolean): LocalMinute | undefined => {
  const date = parseDate(text.slice(0, 10));
  if (date === undefined) return undefined;
  if (text.length === 10) return buildLocalMinute(date, isLast ? MINUTES_A_DAY - 1 : 0);
  const [hours, minutes] = [Number(text.slice(11, 13)), Number(text.slice(14, 16))];
  return hours < 24 && minutes < 60 ? buildLocalMinute(date, hours * 60 + minutes) : undefined;
};

const describeFormat = (text: string): string =>
  text.includes('T') ? 'a date of the calendar and a time of the day' : 'a date of the calendar';

type SpanQuery = {
  readonly name: 'DepartureDateTime' | 'ArrivalDateTime' | 'LatestDepartureDateTime' | 'LatestArrivalDateTime';
  readonly maxDays: number;
};

const parseSpan = ({ name, maxDays }: SpanQuery, query: ListQuery, violations: Violations): TimeSpan | undefined => {
  const text = query[name];
  if (text === undefined) return undefined;
  const [first = '', last = first] = text.split('/');
  const from = parseEnd(first, false);
  const to = parseEnd(last, true);
  if (from === undefined) return addViolation(violations, name, `must be ${describeFormat(first)}, not '${first}'`);
  if (to === undefined) return addViolation(violations, name, `must be ${describeFormat(last)}, not '${last}'`);
  if (to < from) return addViolation(violations, name, `must not end before it starts: '${text}'`);
  const bothHaveTimes = first.includes('T') && last.includes('T');
  if (bothHaveTimes && to - from <= maxDays * MINUTES_A_DAY) return { from, to };
  const days = Math.floor(to / MINUTES_A_DAY) - Math.floor(from / MINUTES_A_DAY) + 1;
  if (days > maxDays)
    return addViolation(
      violations,
      name,
      bothHaveTimes
        ? `must cover at most ${maxDays} times 24 hours: '${text}'`
        : `must cover at most ${maxDays} calendar days, not ${days}`,
    );
  return { from, to };
};

const codeSystems = { IATA: 'iata', ICAO: 'icao', FAA: 'faa' } as const;
const flightTypeLetters = { Scheduled: ['S', 'P'], Unscheduled: ['U'], GA: ['G'] } as const;

const isMarketing = (values: ListQuery['Codeshare']): boolean | undefined => {
  const roles = new Set(values);
  return roles.size === 1 ? roles.has('Marketing') : undefined;
};

const hasStatus = (content: ListQuery['Content']): boolean =>
  content?.some((name) => name === 'Status' || name === 'StatusHistory') ?? false;

/** Validates rules across several parameters. */
const validateCombinations = (query: ListQuery, violations: Violations): void => {
  const { LatestDepartureDateTime: departs, LatestArrivalDateTime: arrives } = query;
  if ([query.DepartureDateTime, query.ArrivalDateTime, departs, arrives].every((time) => time === undefined))
    for (const name of ['DepartureDateTime', 'ArrivalDateTime'])
      addViolation(violations, name, 'must not be empty: one of DepartureDateTime and ArrivalDateTime is required');
  if (departs !== undefined && !query.DepartureAirport)
    addViolation(violations, 'LatestDepartureDateTime', 'needs DepartureAirport');
  if (arrives !== undefined && !query.ArrivalAirport)
    addViolation(violations, 'LatestArrivalDateTime', 'needs ArrivalAirport');
  if (query.CodeType && !query.CarrierCode && !query.DepartureAirport && !query.ArrivalAirport)
    addViolation(violations, '', 'CodeType needs CarrierCode, DepartureAirport or ArrivalAirport.');
  if (!query.IncludeDiverted) return;
  const airports = new Set(query.ArrivalAirport?.map((code) => code.toUpperCase())).size;
  if (airports !== 1) addViolation(violations, 'IncludeDiverted', `needs exactly one ArrivalAirport, not ${airports}`);
  if (!hasStatus(query.Content))
    addViolation(violations, 'IncludeDiverted', 'needs Status or StatusHistory in Content');
};

/**
 * Lists the carriers whose codeshares a search finds, which only their operating flights name. Only a search by carrier or number finds any: the
 * list of an airport contains what schedules contain.
 */
const listCodeshareCarriers = (
  query: ListQuery,
  carriers: readonly number[] | undefined,
  masterDataIndex: MasterDataIndex,
): readonly number[] | undefined => {
  if ((!carriers && query.FlightNumber === undefined) || isMarketing(query.Codeshare) === false) return undefined;
  const all = masterDataIndex.codeshareCarriers();
  const found = carriers ? carriers.filter((id) => all.has(id)) : [...all];
  return found.length > 0 ? found : undefined;
};

const parseLatest = (query: ListQuery, violations: Violations): InstanceFilter['latest'] => {
  const maxDays = MAX_LATEST_RANGE_DAYS;
  const departs = parseSpan({ name: 'LatestDepartureDateTime', maxDays }, query, violations);
  const arrives = parseSpan({ name: 'LatestArrivalDateTime', maxDays }, query, violations);
  return departs || arrives ? { departs, arrives } : undefined;
};

/** Parses the query as a filter of the store; throws the Problem that lists all violations. */
export const parseQuery = (query: ListQuery, masterDataIndex: MasterDataIndex): InstanceFilter => {
  const violations: Violations = {};
  const departs = parseSpan({ name: 'DepartureDateTime', maxDays: MAX_RANGE_DAYS }, query, violations);
  const arrives = parseSpan({ name: 'ArrivalDateTime', maxDays: MAX_RANGE_DAYS }, query, violations);
  const latest = parseLatest(query, violations);
  validateCombinations(query, violations);
  if (Object.keys(violations).length > 0) throw invalidParameters(violations);
  const systems: readonly CodeSystem[] = (query.CodeType ?? ['IATA']).map((name) => codeSystems[name]);
  const departures = { codes: query.DepartureAirport, countries: query.DepartureCountryCode };
  const arrivalAirports = { codes: query.ArrivalAirport };
  const arrivalCountries = { countries: query.ArrivalCountryCode };
  const carriers = listCarrierIds(query.CarrierCode, systems, masterDataIndex);
  const flightTypes: readonly FlightTypeLetter[] | undefined = query.FlightType?.flatMap(
    (name) => flightTypeLetters[name],
  );
  return {
    departs,
    arrives,
    latest,
    states: query.State,
    departures: listLocationIds(departures, systems, masterDataIndex),
    // The country is that of the scheduled arrival airport, also of a diverted flight.
    arrivals: listLocationIds(
      query.IncludeDiverted ? arrivalCountries : { ...arrivalAirports, ...arrivalCountries },
      systems,
      masterDataIndex,
    ),
    scheduledOrDivertedTo: query.IncludeDiverted
      ? listLocationIds(arrivalAirports, systems, masterDataIndex)
      : undefined,
    // The planner reads the rows of all carriers in order, in search of several that file none.
    carriers: carriers?.filter(masterDataIndex.isCarrierInUse),
    codeshareCarriers: listCodeshareCarriers(query, carriers, masterDataIndex),
    flightNumber: query.FlightNumber,
    flightTypes,
    serviceTypes: query.ServiceType && listServiceLetters(query.ServiceType),
    isMarketing: isMarketing(query.Codeshare),
    // Statuses are those of legs.
    legsOnly: query.LegsOnly || latest || query.State ? true : undefined,
    registration: query.AircraftRegistrationNumber && normalizeRegistration(query.AircraftRegistrationNumber),
  };
};
