import { carrierIdsOf, locationIdsOf } from '../../../domain/master-data/codes-to-ids.ts';
import { parseDate, type LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { serviceLettersOf } from '../../../domain/schedule/service-types.ts';
import { invalidParameters } from '../../../http/response/problem.ts';
import type { WantedRecords } from '../../../store/schedules/schedule-records.ts';
import type { ListQuery } from './routes.ts';

const refuse = (message: string): never => {
  throw invalidParameters({ DepartureDate: [message] });
};

const readDate = (text: string): LocalDate =>
  parseDate(text) ?? refuse(`must be a date of the calendar, not '${text}'`);

/** A range finds more than the dates in it: the records that become valid in it. */
const datesOf = (text: string | undefined): Pick<WantedRecords, 'departs' | 'orStarts'> => {
  if (text === undefined) return {};
  const [first = '', last] = text.split('/');
  const from = readDate(first);
  const to = last === undefined ? from : readDate(last);
  if (to < from) return refuse(`must not end before it starts: '${text}'`);
  return { departs: { from, to }, orStarts: last !== undefined };
};

/** Carriers that either of the two parameters names. */
const carriersOf = (
  { IataCarrierCode: iata, IcaoCarrierCode: icao }: ListQuery,
  directory: Directory,
): readonly number[] | undefined =>
  iata || icao
    ? [
        ...new Set([
          ...(carrierIdsOf(iata, ['iata'], directory) ?? []),
          ...(carrierIdsOf(icao, ['icao'], directory) ?? []),
        ]),
      ]
    : undefined;

/** The contract's query as the store's; throws the Problem that names what is wrong with it. */
export const ask = (query: ListQuery, directory: Directory): WantedRecords => ({
  ...datesOf(query.DepartureDate),
  departures: locationIdsOf({ codes: query.DepartureAirport }, ['iata'], directory),
  arrivals: locationIdsOf({ codes: query.ArrivalAirport }, ['iata'], directory),
  carriers: carriersOf(query, directory),
  flightNumber: query.FlightNumber,
  serviceTypes: query.ServiceType && serviceLettersOf(query.ServiceType),
});
