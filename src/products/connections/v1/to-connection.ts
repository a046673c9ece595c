import { hash } from 'node:crypto';
import type { Connection } from '../../../../generated/connections/v1/types.gen.ts';
import type { ConnectingRecord } from '../../../domain/connections/flights/connecting-flight.ts';
import type { ConnectionMatch } from '../../../domain/connections/search/connection-dates.ts';
import { type ConnectionDetails, getConnectionDetails } from '../../../domain/connections/search/connection-details.ts';
import type { ConnectionSet } from '../../../domain/connections/set/connection-set.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { addDays, formatDate, type LocalDate, weekdayNames, weekdayOf } from '../../../domain/time/dates.ts';
import { daySet, weekdaysOf } from '../../../domain/time/period.ts';
import { toLeg } from './to-leg.ts';
import { toMctRecord, toMinimumConnectingTime } from './to-minimum-connecting-time.ts';

const ID_DIGITS = 32;

/** A leg by the fingerprint of its record or, where Schedules has none, by what would make one. */
const identifyLeg = ({ flight, record, fingerprint }: ConnectingRecord): unknown => {
  if (fingerprint !== '') return fingerprint;
  const { carrier, flightNumber, suffix, airports } = flight;
  const { period, departureLocalMinutes, arrivalLocalMinutes } = record;
  const way = airports.map(({ iata }) => iata);
  return [carrier, flightNumber, suffix, way, period, departureLocalMinutes, arrivalLocalMinutes];
};

/**
 * The `connectionId`: a digest of the two legs, the days between them, the connecting time and the record that sets the minimum. The same
 * in every set in which these are the same; the line of the record is no part of it, since another load may move it.
 */
export const computeConnectionId = ({ leg1, leg2, dayOffset, minutes, mct }: ConnectionDetails): string => {
  const { line: _line, ...record } = mct.record ? toMctRecord(mct.record) : { line: 0 };
  const identity = [identifyLeg(leg1), identifyLeg(leg2), dayOffset, minutes, mct.minutes, record];
  return hash('sha256', `connection|${JSON.stringify(identity)}`, 'hex').slice(0, ID_DIGITS);
};

type Dates = Pick<Connection, 'effectivePeriod' | 'daysOfOperation' | 'exceptDates'>;

/** Dates, earliest first, as a period, its days of the week and the dates that these say too much. */
export const toDates = (dates: readonly [LocalDate, ...LocalDate[]]): Dates => {
  const [from] = dates;
  const to = dates.at(-1) ?? from;
  const days = daySet(...new Set(dates.map(weekdayOf)));
  const exceptDates: string[] = [];
  let next = 0;
  // A connection has up to 365 dates, and a page up to 1000 connections: two lists side by side are faster than a set of dates.
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (date === dates[next]) next += 1;
    else if (days & (1 << (weekdayOf(date) - 1))) exceptDates.push(formatDate(date));
  }
  return {
    effectivePeriod: { startDate: formatDate(from), endDate: formatDate(to) },
    daysOfOperation: weekdaysOf(days).map((day) => weekdayNames[day]),
    exceptDates,
  };
};

const toOneDecimal = (value: number): number => Math.round(value * 10) / 10;

const isNonEmpty = (dates: readonly LocalDate[]): dates is readonly [LocalDate, ...LocalDate[]] => dates.length > 0;

/** A connection that a walk has found. */
export const toConnection = (found: ConnectionMatch, set: ConnectionSet, directory: Directory): Connection => {
  const details = getConnectionDetails(set, found);
  const { leg1, leg2, dayOffset, minutes, mct, type, dates } = details;
  if (!isNonEmpty(dates)) throw new RangeError('a connection without a date was found');
  const [date] = dates;
  const [origin] = leg1.flight.airports;
  const destination = leg2.flight.airports.at(-1) ?? leg2.flight.airports[1];
  const first = toLeg(leg1, { date, intervalDays: 0 }, directory);
  const second = toLeg(leg2, { date: addDays(date, dayOffset), intervalDays: dayOffset }, directory);
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
