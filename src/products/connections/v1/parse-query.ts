import type { WantedConnections } from '../../../domain/connections/wanted-connections.ts';
import { parseDate } from '../../../domain/time/dates.ts';
import type { DateSpan } from '../../../domain/schedule/departure-span.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { invalidParameters } from '../../../http/response/problem.ts';
import type { ListQuery } from './routes.ts';

const LONGEST_RANGE_DAYS = 7;

type Faults = Record<string, string[]>;
const fault = (faults: Faults, name: string, message: string): undefined => {
  (faults[name] ??= []).push(message);
  return undefined;
};

const readDates = (text: string | undefined, faults: Faults): DateSpan | undefined => {
  if (text === undefined) return undefined;
  const refuse = (message: string): undefined => fault(faults, 'DepartureDate', message);
  const [first = '', last = first] = text.split('/');
  const from = parseDate(first);
  const to = parseDate(last);
  if (from === undefined) return refuse(`must be a date of the calendar, not '${first}'`);
  if (to === undefined) return refuse(`must be a date of the calendar, not '${last}'`);
  if (to < from) return refuse(`must not end before it starts: '${text}'`);
  const days = to - from + 1;
  if (days > LONGEST_RANGE_DAYS) return refuse(`must cover at most ${LONGEST_RANGE_DAYS} days, not ${days}`);
  return { from, to };
};

/** Rules that concern several parameters together. */
const crossFaults = (query: ListQuery, faults: Faults): void => {
  const { DepartureAirport, DepartureCity, ArrivalAirport, ArrivalCity, ViaPoint } = query;
  if (!DepartureAirport && !DepartureCity && !ArrivalAirport && !ArrivalCity && !ViaPoint)
    fault(
      faults,
      '',
      'At least one of DepartureAirport, DepartureCity, ArrivalAirport, ArrivalCity and ViaPoint is required.',
    );
  const { MinConnectingTime: min, MaxConnectingTime: max } = query;
  if (min > max)
    fault(faults, 'MinConnectingTime', `must not be greater than MaxConnectingTime: ${min} is, than ${max}`);
};

const inCapitals = (codes: readonly string[] | undefined): readonly string[] | undefined =>
  codes && [...new Set(codes.map((code) => code.toUpperCase()))];

/** The designators that carriers with these IATA codes file under: as a rule the code itself, else their ICAO code. */
const designatorsOf = (codes: readonly string[] | undefined, directory: Directory): readonly string[] | undefined =>
  inCapitals(codes)?.flatMap((code) => [
    code,
    ...directory.carriers('iata', code).flatMap(({ icao }) => (icao === '' ? [] : [icao])),
  ]);

const services = { p: 'passenger', Passenger: 'passenger', c: 'cargo', Cargo: 'cargo' } as const;

/** The contract's query as the domain's; throws the Problem that names every parameter at fault. */
export const ask = (query: ListQuery, directory: Directory): WantedConnections => {
  const faults: Faults = {};
  const dates = readDates(query.DepartureDate, faults);
  crossFaults(query, faults);
  if (Object.keys(faults).length > 0) throw invalidParameters(faults);
  return {
    departureAirports: inCapitals(query.DepartureAirport),
    departureCities: inCapitals(query.DepartureCity),
    arrivalAirports: inCapitals(query.ArrivalAirport),
    arrivalCities: inCapitals(query.ArrivalCity),
    viaPoints: inCapitals(query.ViaPoint),
    leg1Carriers: designatorsOf(query.Leg1CarrierCode, directory),
    leg2Carriers: designatorsOf(query.Leg2CarrierCode, directory),
    dates,
    maxCircuity: query.Circuity,
    types: query.ConnectionType,
    minConnectingMinutes: query.MinConnectingTime,
    maxConnectingMinutes: query.MaxConnectingTime,
    interAirport: query.InterAirport,
    maxElapsedMinutes: query.TotalMaxElapsedTime,
    service: query.Service && services[query.Service],
  };
};
