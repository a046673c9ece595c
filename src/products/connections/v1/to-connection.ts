import type { Connection } from '../../../../generated/connections/v1/types.gen.ts';
import { detailsOf } from '../../../domain/connections/connection-details.ts';
import type { ConnectionSet } from '../../../domain/connections/connection-set.ts';
import type { FoundConnection } from '../../../domain/connections/found-connection.ts';
import { addDays, formatDate, weekdayNames, weekdayOf, type LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { daySet, weekdaysOf } from '../../../domain/time/period.ts';
import { connectionIdOf } from './connection-id.ts';
import { showLeg } from './to-leg.ts';
import { showMinimum } from './to-minimum-connecting-time.ts';

type Dates = Pick<Connection, 'effectivePeriod' | 'daysOfOperation' | 'exceptDates'>;

/** Dates, earliest first, as a period, its days of the week and the dates that these say too much. */
export const showDates = (dates: readonly [LocalDate, ...LocalDate[]]): Dates => {
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

const isFirst = (dates: readonly LocalDate[]): dates is readonly [LocalDate, ...LocalDate[]] => dates.length > 0;

/** A connection that a walk has found. */
export const showConnection = (found: FoundConnection, set: ConnectionSet, directory: Directory): Connection => {
  const details = detailsOf(set, found);
  const { leg1, leg2, dayOffset, minutes, mct, type, dates } = details;
  if (!isFirst(dates)) throw new RangeError('a connection without a date was found');
  const [date] = dates;
  const [origin] = leg1.flight.airports;
  const destination = leg2.flight.airports.at(-1) ?? leg2.flight.airports[1];
  const first = showLeg(leg1, { date, intervalDays: 0 }, directory);
  const second = showLeg(leg2, { date: addDays(date, dayOffset), intervalDays: dayOffset }, directory);
  return {
    connectionId: connectionIdOf(details),
    DepartureAirport: origin.iata,
    ...(origin.cityCode !== '' && { DepartureCity: origin.cityCode }),
    ArrivalAirport: destination.iata,
    ...(destination.cityCode !== '' && { ArrivalCity: destination.cityCode }),
    Circuity: toOneDecimal(details.circuityPercent),
    ConnectionType: type,
    ...showDates(dates),
    arrivalIntervalDays: second.arrivalIntervalDays,
    isSelfConnection: type === 'n',
    interAirport: details.isInterAirport,
    services: [...(details.passenger ? (['passenger'] as const) : []), ...(details.cargo ? (['cargo'] as const) : [])],
    totalElapsedTime: details.elapsedMinutes,
    minimumConnectingTime: showMinimum(mct),
    leg1: { ...first, connectionTime: minutes, mctStatus: mct.status },
    leg2: second,
  };
};
