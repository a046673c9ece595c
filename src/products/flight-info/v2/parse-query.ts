import { carrierIdsOf, locationIdsOf } from '../../../domain/master-data/codes-to-ids.ts';
import type { CodeSystem, Directory } from '../../../domain/master-data/directory.ts';
import { serviceLettersOf } from '../../../domain/schedule/service-types.ts';
import { bareRegistration } from '../../../domain/status/registration.ts';
import { atMinute, type LocalMinute, MINUTES_A_DAY, parseDate } from '../../../domain/time/dates.ts';
import { invalidParameters } from '../../../http/response/problem.ts';
import type { FlightTypeLetter, TimeSpan, Wanted } from '../../../store/flights/flight-instances.ts';
import type { ListQuery } from './routes.ts';

/** The datasets a caller wants with each flight. */
export type RequestedContent = {
  readonly status: 'latest' | 'history' | undefined;
  readonly withSeats: boolean;
  readonly withMap: boolean;
};

/** Reads the parameter Content; the whole history holds the latest status, so it wins where both are named. */
export const parseContent = (names: ListQuery['Content']): RequestedContent => ({
  status: names?.includes('StatusHistory') ? 'history' : names?.includes('Status') ? 'latest' : undefined,
  withSeats: names?.includes('Seats') ?? false,
  withMap: names?.includes('Map') ?? false,
});

const LONGEST_RANGE_DAYS = 31;

type Violations = Record<string, string[]>;
const addViolation = (faults: Violations, name: string, message: string): undefined => {
  (faults[name] ??= []).push(message);
  return undefined;
};

/** Reads one end of a range: a date, which is its first or its last minute, or a date with a time. */
const parseEnd = (text: string, isLast: boolean): LocalMinute | undefined => {
  const date = parseDate(text.slice(0, 10));
  if (date === undefined) return undefined;
  if (text.length === 10) return atMinute(date, isLast ? MINUTES_A_DAY - 1 : 0);
  const [hours, minutes] = [Number(text.slice(11, 13)), Number(text.slice(14, 16))];
  return hours < 24 && minutes < 60 ? atMinute(date, hours * 60 + minutes) : undefined;
};

const describeFormat = (text: string): string =>
  text.includes('T') ? 'a date of the calendar and a time of the day' : 'a date of the calendar';

const parseSpan = (name: string, text: string | undefined, faults: Violations): TimeSpan | undefined => {
  if (text === undefined) return undefined;
  const [first = '', last = first] = text.split('/');
  const from = parseEnd(first, false);
  const to = parseEnd(last, true);
  if (from === undefined) return addViolation(faults, name, `must be ${describeFormat(first)}, not '${first}'`);
  if (to === undefined) return addViolation(faults, name, `must be ${describeFormat(last)}, not '${last}'`);
  if (to < from) return addViolation(faults, name, `must not end before it starts: '${text}'`);
  const days = Math.floor(to / MINUTES_A_DAY) - Math.floor(from / MINUTES_A_DAY) + 1;
  if (days > LONGEST_RANGE_DAYS)
    return addViolation(faults, name, `must cover at most ${LONGEST_RANGE_DAYS} calendar days, not ${days}`);
  return { from, to };
};

const systemOf = { IATA: 'iata', ICAO: 'icao', FAA: 'faa' } as const;
const flightTypeLetterOf = { Scheduled: 'S', Unscheduled: 'U', GA: 'G' } as const;

const isMarketing = (values: ListQuery['Codeshare']): boolean | undefined => {
  const roles = new Set(values);
  return roles.size === 1 ? roles.has('Marketing') : undefined;
};

const hasStatus = (content: ListQuery['Content']): boolean =>
  content?.some((name) => name === 'Status' || name === 'StatusHistory') ?? false;

/** Rules that concern several parameters together. */
const validateCombinations = (query: ListQuery, faults: Violations): void => {
  if (query.DepartureDateTime === undefined && query.ArrivalDateTime === undefined)
    for (const name of ['DepartureDateTime', 'ArrivalDateTime'])
      addViolation(faults, name, 'must not be empty: one of DepartureDateTime and ArrivalDateTime is required');
  if (query.CodeType && !query.CarrierCode && !query.DepartureAirport && !query.ArrivalAirport)
    addViolation(faults, '', 'CodeType needs CarrierCode, DepartureAirport or ArrivalAirport.');
  if (!query.IncludeDiverted) return;
  const airports = new Set(query.ArrivalAirport?.map((code) => code.toUpperCase())).size;
  if (airports !== 1) addViolation(faults, 'IncludeDiverted', `needs exactly one ArrivalAirport, not ${airports}`);
  if (!hasStatus(query.Content)) addViolation(faults, 'IncludeDiverted', 'needs Status or StatusHistory in Content');
};

/** The contract's query as the store's; throws the Problem that names every parameter at fault. */
export const parseQuery = (query: ListQuery, directory: Directory): Wanted => {
  const faults: Violations = {};
  const departs = parseSpan('DepartureDateTime', query.DepartureDateTime, faults);
  const arrives = parseSpan('ArrivalDateTime', query.ArrivalDateTime, faults);
  validateCombinations(query, faults);
  if (Object.keys(faults).length > 0) throw invalidParameters(faults);
  const systems: readonly CodeSystem[] = (query.CodeType ?? ['IATA']).map((name) => systemOf[name]);
  const departures = { codes: query.DepartureAirport, countries: query.DepartureCountryCode };
  const arrivals = { codes: query.ArrivalAirport, countries: query.ArrivalCountryCode };
  const flightTypes: readonly FlightTypeLetter[] | undefined = query.FlightType?.map(
    (name) => flightTypeLetterOf[name],
  );
  return {
    departs,
    arrives,
    departures: locationIdsOf(departures, systems, directory),
    arrivals: locationIdsOf(arrivals, systems, directory),
    carriers: carrierIdsOf(query.CarrierCode, systems, directory),
    flightNumber: query.FlightNumber,
    flightTypes,
    serviceTypes: query.ServiceType && serviceLettersOf(query.ServiceType),
    isMarketing: isMarketing(query.Codeshare),
    includesDiverted: query.IncludeDiverted ? true : undefined,
    registration: query.AircraftRegistrationNumber && bareRegistration(query.AircraftRegistrationNumber),
  };
};
