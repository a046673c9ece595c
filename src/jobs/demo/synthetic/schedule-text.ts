import type { DateSpan } from '../../../domain/schedule/departure-span.ts';
import { addDays, atMinute, formatDate, type LocalDate, minuteOfDay } from '../../../domain/time/dates.ts';
import { operatesOn } from '../../../domain/time/period.ts';
import { localToUtc, utcOffsetAt } from '../../../domain/time/zones.ts';
import { parseDays } from '../world/timetable.ts';
import type { SyntheticAirport } from './airports.ts';
import type { SyntheticFlight } from './flights.ts';

/** A part of a flight's period in which neither end has its clock changed; minutes of both are local. */
type RecordPeriod = {
  readonly span: DateSpan;
  readonly departureOffset: number;
  readonly arrivalOffset: number;
  readonly arrives: number;
  /** Days from the departure's date to the arrival's: -1, 0, 1 or 2. */
  readonly arrivalDay: number;
};

type Offsets = { readonly departure: number; readonly arrival: number };

const offsetsOn = ({ from, to, departs, elapsedMinutes }: SyntheticFlight, day: LocalDate): Offsets => {
  const { utc, offset } = localToUtc(from.zone, atMinute(day, departs), 0);
  return { departure: offset, arrival: utcOffsetAt(to.zone, (utc + elapsedMinutes) as typeof utc) };
};

/** Cuts a span where the clock of one of the ends is changed: times of a record hold for one pair of offsets only. */
const splitByOffsets = (flight: SyntheticFlight, { from, to }: DateSpan): readonly RecordPeriod[] => {
  const editions: { span: { from: LocalDate; to: LocalDate }; offsets: Offsets }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const offsets = offsetsOn(flight, day);
    const last = editions.at(-1);
    if (last && last.offsets.departure === offsets.departure && last.offsets.arrival === offsets.arrival)
      last.span.to = day;
    else editions.push({ span: { from: day, to: day }, offsets });
  }
  return editions.map(({ span, offsets: { departure, arrival } }) => {
    const arrives = flight.departs - departure + flight.elapsedMinutes + arrival;
    return {
      span,
      departureOffset: departure,
      arrivalOffset: arrival,
      arrives: minuteOfDay(arrives),
      arrivalDay: Math.floor(arrives / 1440),
    };
  });
};

/** What is put at which byte of a record, from 1. */
type Bytes = readonly (readonly [at: number, text: string])[];

/** A record is 200 bytes long, its serial number with it. */
const DATA_BYTES = 194;
const LAST_SERIAL = 999_999;

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const dateText = (date: LocalDate): string => {
  const [year = '', month = '', day = ''] = formatDate(date).split('-');
  return `${day}${months[Number(month) - 1] ?? ''}${year.slice(2)}`;
};

const timeText = (minutes: number): string =>
  String(Math.floor(minutes / 60)).padStart(2, '0') + String(minutes % 60).padStart(2, '0');

const offsetText = (minutes: number): string => `${minutes < 0 ? '-' : '+'}${timeText(Math.abs(minutes))}`;

const recordOf = (bytes: Bytes): string => {
  let text = '';
  for (const [at, value] of bytes) text = text.padEnd(at - 1) + value;
  return text.padEnd(DATA_BYTES);
};

/** Hubs have four terminals, and each carrier uses one of them. */
const terminalOf = ({ isHub }: SyntheticAirport, carrier: string): string =>
  isHub ? String(1 + ((carrier.charCodeAt(0) + carrier.charCodeAt(1)) % 4)) : '';

const legOf = (
  {
    carrier,
    variation,
    flight,
  }: { readonly carrier: string; readonly variation: number; readonly flight: SyntheticFlight },
  { span, departureOffset, arrivalOffset, arrives, arrivalDay }: RecordPeriod,
): string => {
  const departs = timeText(flight.departs);
  // A day ends at 2400 for those who arrive.
  const isMidnight = arrives === 0;
  const arrived = isMidnight ? '2400' : timeText(arrives);
  const day = isMidnight ? arrivalDay - 1 : arrivalDay;
  return recordOf([
    [1, '3'],
    [3, carrier],
    [6, String(flight.flightNumber).padStart(4)],
    [10, String(variation).padStart(2, '0')],
    [12, '01J'],
    [15, dateText(span.from) + dateText(span.to) + flight.days],
    [37, flight.from.iata + departs + departs + offsetText(departureOffset) + terminalOf(flight.from, carrier)],
    [55, flight.to.iata + arrived + arrived + offsetText(arrivalOffset) + terminalOf(flight.to, carrier)],
    [73, flight.aircraft.equipment],
    [173, flight.aircraft.configuration],
    [193, `0${day === -1 ? 'A' : String(day)}`],
  ]);
};

const isFlown = (days: string, { span }: RecordPeriod): boolean => {
  const period = { ...span, days: parseDays(days), everyWeeks: 1 as const };
  for (let day = span.from; day <= span.to; day = addDays(day, 1)) if (operatesOn(period, day)) return true;
  return false;
};

/** The records 3 of a flight. */
const legsOf = (carrier: string, flight: SyntheticFlight, span: DateSpan): readonly string[] =>
  splitByOffsets(flight, span)
    .filter((edition) => isFlown(flight.days, edition))
    .map((edition, index) => legOf({ carrier, flight, variation: index + 1 }, edition));

export type CarrierFlights = Iterable<{ readonly carrier: string; readonly flights: readonly SyntheticFlight[] }>;

/**
 * Schedules as the text of an SSIM chapter 7 file, one record a line, numbered: made while it is read, so that no more than one
 * carrier is in memory. `onCarrier` hears of each carrier that is done.
 */
export function* generateSsimLines(
  schedules: CarrierFlights,
  span: DateSpan,
  onCarrier: () => void,
): Generator<string> {
  let serial = 0;
  const line = (text: string): string => {
    serial = serial === LAST_SERIAL ? 2 : serial + 1;
    return `${text}${String(serial).padStart(6, '0')}\n`;
  };
  yield line(
    recordOf([
      [1, '1AIRLINE STANDARD SCHEDULE DATA SET'],
      [41, '1'],
      [192, '001'],
    ]),
  );
  let ended: string | undefined;
  const end = (carrier: string, status: 'C' | 'E'): string => {
    const before = String(serial).padStart(6, '0');
    return line(
      recordOf([
        [1, '5'],
        [3, carrier],
        [188, before],
        [194, status],
      ]),
    );
  };
  for (const { carrier, flights } of schedules) {
    // Only when the next carrier is there is it known that the file goes on.
    if (ended !== undefined) yield end(ended, 'C');
    ended = carrier;
    const validity = dateText(span.from) + dateText(span.to);
    yield line(
      recordOf([
        [1, '2L'],
        [3, carrier],
        [15, validity],
        [29, dateText(span.from)],
        [36, 'SYNTHETIC - NOT REAL'],
      ]),
    );
    for (const flight of flights) for (const leg of legsOf(carrier, flight, span)) yield line(leg);
    onCarrier();
  }
  if (ended !== undefined) yield end(ended, 'E');
}
