import { carrierIdsOf, locationIdsOf } from '../../../domain/master-data/codes-to-ids.ts';
import { parseDate, type LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { serviceLettersOf } from '../../../domain/schedule/service-types.ts';
import { invalidParameters } from '../../../http/response/problem.ts';
import type { WantedRecords } from '../../../store/schedules/schedule-records.ts';
import type { ListQuery } from './routes.ts';

const rejectDate = (message: string): never => {
  throw invalidParameters({ DepartureDate: [message] });
};

const parseCalendarDate = (text: string): LocalDate =>
  parseDate(text) ?? rejectDate(`must be a date of the calendar, not '${text}'`);

/** A range finds more than the dates in it: the records that become valid in it. */
const parseDates = (text: string | undefined): Pick<WantedRecords, 'departs' | 'orStarts'> => {
  if (text === undefined) return {};
  const [first = '', last] = text.split('/');
  const from = parseCalendarDate(first);
  const to = last === undefined ? from : parseCalendarDate(last);
  if (to < from) return rejectDate(`must not end before it starts: '${text}'`);
  return { departs: { from, to }, orStarts: last !== undefined };
};

/** Carriers that either of the two parameters names. */
const findCarrierIds = (
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
export const parseQuery = (query: ListQuery, directory: Directory): WantedRecords => ({
  ...parseDates(query.DepartureDate),
  departures: locationIdsOf({ codes: query.DepartureAirport }, ['iata'], directory),
  arrivals: locationIdsOf({ codes: query.ArrivalAirport }, ['iata'], directory),
  carriers: findCarrierIds(query, directory),
  flightNumber: query.FlightNumber,
  serviceTypes: query.ServiceType && serviceLettersOf(query.ServiceType),
});
