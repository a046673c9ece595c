import { listCarrierIds, type MasterDataIndex, listLocationIds } from '#domain/master-data/master-data-index.ts';
import { parseDate, type LocalDate } from '#domain/time/dates.ts';
import { listServiceLetters } from '#domain/schedule/service-types.ts';
import { invalidParameters } from '#http/response/problem.ts';
import type { RecordFilter } from '#store/schedules/schedule-records.ts';
import type { z } from 'zod';
import type { zListSchedulesQuery } from '#generated/schedules/v1/zod.gen.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = z.output<typeof zListSchedulesQuery>;

const rejectDate = (message: string): never => {
  throw invalidParameters({ DepartureDate: [message] });
};

const parseCalendarDate = (text: string): LocalDate =>
  parseDate(text) ?? rejectDate(`must be a date of the calendar, not '${text}'`);

/** A range also matches records whose validity starts in it, whatever their days of operation. */
const parseDates = (text: string | undefined): Pick<RecordFilter, 'departs' | 'orStarts'> => {
  if (text === undefined) return {};
  const [first = '', last] = text.split('/');
  const from = parseCalendarDate(first);
  const to = last === undefined ? from : parseCalendarDate(last);
  if (to < from) return rejectDate(`must not end before it starts: '${text}'`);
  return { departs: { from, to }, orStarts: last !== undefined };
};

/** Returns the IDs of the carriers in either of the two parameters. */
const listCarrierIdsOfBoth = (
  { IataCarrierCode: iata, IcaoCarrierCode: icao }: ListQuery,
  masterDataIndex: MasterDataIndex,
): readonly number[] | undefined =>
  iata || icao
    ? [
        ...new Set([
          ...(listCarrierIds(iata, ['iata'], masterDataIndex) ?? []),
          ...(listCarrierIds(icao, ['icao'], masterDataIndex) ?? []),
        ]),
      ]
    : undefined;

/** Parses the query as a filter of the store; throws the Problem that lists its errors. */
export const parseQuery = (query: ListQuery, masterDataIndex: MasterDataIndex): RecordFilter => ({
  ...parseDates(query.DepartureDate),
  departures: listLocationIds({ codes: query.DepartureAirport }, ['iata'], masterDataIndex),
  arrivals: listLocationIds({ codes: query.ArrivalAirport }, ['iata'], masterDataIndex),
  carriers: listCarrierIdsOfBoth(query, masterDataIndex),
  flightNumber: query.FlightNumber,
  serviceTypes: query.ServiceType && listServiceLetters(query.ServiceType),
});
