import { hash } from 'node:crypto';
import type { Connection } from '#generated/connections/v1/types.gen.ts';
import type { ConnectingRecord } from '#domain/connections/flights/connecting-flight.ts';
import type { ConnectionMatch } from '#domain/connections/search/connection-dates.ts';
import { type ConnectionDetails, getConnectionDetails } from '#domain/connections/search/connection-details.ts';
import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { addDays, formatDate, type LocalDate, weekdayNames, getWeekday } from '#domain/time/dates.ts';
import { toDaySet, listWeekdays } from '#domain/time/period.ts';
import { toLeg } from './to-leg.ts';
import { toMctRecord, toMinimumConnectingTime } from './to-minimum-connecting-time.ts';

const ID_DIGITS = 32;

/** Identifies a leg by the fingerprint of its record or, if there is none, by the values a fingerprint is computed from. */
const identifyLeg = ({ flight, record, fingerprint }: ConnectingRecord): unknown => {
  if (fingerprint !== '') return fingerprint;
  const { carrier, flightNumber, suffix, airports } = flight;
  const { period, departureLocalMinutes, arrivalLocalMinutes } = record;
  const route = airports.map(({ iata }) => iata);
  return [carrier, flightNumber, suffix, route, period, departureLocalMinutes, arrivalLocalMinutes];
};

/**
 * Computes the `connectionId`: a digest of the two legs, the days between them, the connecting time and the MCT record. It is
 * stable across sets; the line number of the MCT record is excluded, because another load may change it.
 */
export const computeConnectionId = ({ leg1, leg2, dayOffset, minutes, mct }: ConnectionDetails): string => {
  const { line: _line, ...record } = mct.record ? toMctRecord(mct.record) : { line: 0 };
  const identity = [identifyLeg(leg1), identifyLeg(leg2), dayOffset, minutes, mct.minutes, record];
  return hash('sha256', `connection|${JSON.stringify(identity)}`, 'hex').slice(0, ID_DIGITS);
};

type Dates = Pick<Connection, 'effectivePeriod' | 'daysOfOperation' | 'exceptDates'>;

/** Converts ascending dates to a period, its days of the week and the exceptions among them. */
export const toDates = (dates: readonly [LocalDate, ...LocalDate[]]): Dates => {
  const [from] = dates;
  const to = dates.at(-1) ?? from;
  const days = toDaySet(...new Set(dates.map(getWeekday)));
  const exceptDates: string[] = [];
  let next = 0;
  // Up to 365 dates for each of 1,000 connections on a page: merging two sorted lists is faster than a set of dates.
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (date === dates[next]) next += 1;
    else if (days & (1 << (getWeekday(date) - 1))) exceptDates.push(formatDate(date));
  }
  return {
    effectivePeriod: { startDate: formatDate(from), endDate: formatDate(to) },
    daysOfOperation: listWeekdays(days).map((day) => weekdayNames[day]),
    exceptDates,
  };
};

const toOneDecimal = (value: number): number => Math.round(value * 10) / 10;

const isNonEmpty = (dates: readonly LocalDate[]): dates is readonly [LocalDate, ...LocalDate[]] => dates.length > 0;

/** Returns the wire form of a match. */
export const toConnection = (
  match: ConnectionMatch,
  set: ConnectionSet,
  masterDataIndex: MasterDataIndex,
): Connection => {
  const details = getConnectionDetails(set, match);
  const { leg1, leg2, dayOffset, minutes, mct, type, dates } = details;
  if (!isNonEmpty(dates)) throw new RangeError('a connection without a date was found');
  const [date] = dates;
  const [origin] = leg1.flight.airports;
  const destination = leg2.flight.airports.at(-1) ?? leg2.flight.airports[1];
  const first = toLeg(leg1, { date, intervalDays: 0 }, masterDataIndex);
  const second = toLeg(leg2, { date: addDays(date, dayOffset), intervalDays: dayOffset }, masterDataIndex);
  return {
    connectionId: computeConnectionId(details),
    DepartureAirport: origin.iata,
    ...(origin.cityCode !== '' && { DepartureCity: origin.cityCode }),
    ArrivalAirport: destination.iata,
    ...(destination.cityCode !== '' && { ArrivalCity: destination.cityCode }),
    Circuity: toOneDecimal(details.circuityPercent),
    ConnectionType: type,
    ...toDates(dates),
    arrivalIntervalDays: second.arrivalIntervalDays,
    isSelfConnection: type === 'n',
    interAirport: details.isInterAirport,
    services: [...(details.passenger ? (['passenger'] as const) : []), ...(details.cargo ? (['cargo'] as const) : [])],
    totalElapsedTime: details.elapsedMinutes,
    minimumConnectingTime: toMinimumConnectingTime(mct),
    leg1: { ...first, connectionTime: minutes, mctStatus: mct.status },
    leg2: second,
  };
};
