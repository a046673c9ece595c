import type { DateSpan } from '#domain/time/period.ts';
import { addDays, buildLocalMinute, formatDate, type LocalDate, toMinuteOfDay } from '#domain/time/dates.ts';
import { operatesOn } from '#domain/time/period.ts';
import { convertLocalToUtc, getUtcOffset } from '#domain/time/zones.ts';
import { parseDays } from '#demo/world/timetable.ts';
import type { SyntheticAirport } from './airports.ts';
import type { SyntheticFlight } from './flights.ts';

/** A part of the period of a flight without a clock change at either end; minutes are local. */
type RecordPeriod = {
  readonly span: DateSpan;
  readonly departureOffset: number;
  readonly arrivalOffset: number;
  readonly arrives: number;
  /** Days from the departure date to the arrival date: -1, 0, 1 or 2. */
  readonly arrivalDay: number;
};

type Offsets = { readonly departure: number; readonly arrival: number };

const computeOffsets = ({ from, to, departs, elapsedMinutes }: SyntheticFlight, day: LocalDate): Offsets => {
  const { utc, offset } = convertLocalToUtc(from.zone, buildLocalMinute(day, departs), 0);
  return { departure: offset, arrival: getUtcOffset(to.zone, (utc + elapsedMinutes) as typeof utc) };
};

/** Splits a span at clock changes of either end: a flight leg record applies to one pair of UTC offsets. */
const splitByOffsets = (flight: SyntheticFlight, { from, to }: DateSpan): readonly RecordPeriod[] => {
  const periods: { span: { from: LocalDate; to: LocalDate }; offsets: Offsets }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const offsets = computeOffsets(flight, day);
    const last = periods.at(-1);
    if (last && last.offsets.departure === offsets.departure && last.offsets.arrival === offsets.arrival)
      last.span.to = day;
    else periods.push({ span: { from: day, to: day }, offsets });
  }
  return periods.map(({ span, offsets: { departure, arrival } }) => {
    const arrives = flight.departs - departure + flight.elapsedMinutes + arrival;
    return {
      span,
      departureOffset: departure,
      arrivalOffset: arrival,
      arrives: toMinuteOfDay(arrives),
      arrivalDay: Math.floor(arrives / 1440),
    };
  });
};

/** The fields of a record by their first byte, counted from 1. */
type RecordFields = readonly (readonly [at: number, text: string])[];

/** A record has 200 bytes, the last six of which are its serial number. */
const DATA_BYTES = 194;
const MAX_SERIAL = 999_999;

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const formatSsimDate = (date: LocalDate): string => {
  const [year = '', month = '', day = ''] = formatDate(date).split('-');
  return `${day}${months[Number(month) - 1] ?? ''}${year.slice(2)}`;
};

const formatTime = (minutes: number): string =>
  String(Math.floor(minutes / 60)).padStart(2, '0') + String(minutes % 60).padStart(2, '0');

const formatOffset = (minutes: number): string => `${minutes < 0 ? '-' : '+'}${formatTime(Math.abs(minutes))}`;

const formatRecord = (fields: RecordFields): string => {
  let text = '';
  for (const [at, value] of fields) text = text.padEnd(at - 1) + value;
  return text.padEnd(DATA_BYTES);
};

/** Returns the terminal of a carrier: one of four at a hub. */
const findTerminal = ({ isHub }: SyntheticAirport, carrier: string): string =>
  isHub ? String(1 + ((carrier.charCodeAt(0) + carrier.charCodeAt(1)) % 4)) : '';

const formatLeg = (
  {
    carrier,
    variation,
    flight,
  }: { readonly carrier: string; readonly variation: number; readonly flight: SyntheticFlight },
  { span, departureOffset, arrivalOffset, arrives, arrivalDay }: RecordPeriod,
): string => {
  const departs = formatTime(flight.departs);
  // SSIM files an arrival at midnight as 2400 of the day before.
  const isMidnight = arrives === 0;
  const arrived = isMidnight ? '2400' : formatTime(arrives);
  const day = isMidnight ? arrivalDay - 1 : arrivalDay;
  return formatRecord([
    [1, '3'],
    [3, carrier],
    [6, String(flight.flightNumber).padStart(4)],
    [10, String(variation).padStart(2, '0')],
    [12, '01J'],
    [15, formatSsimDate(span.from) + formatSsimDate(span.to) + flight.days],
    [37, flight.from.iata + departs + departs + formatOffset(departureOffset) + findTerminal(flight.from, carrier)],
    [55, flight.to.iata + arrived + arrived + formatOffset(arrivalOffset) + findTerminal(flight.to, carrier)],
    [73, flight.aircraft.equipment],
    [173, flight.aircraft.configuration],
    [193, `0${day === -1 ? 'A' : String(day)}`],
  ]);
};

const hasFlights = (days: string, { span }: RecordPeriod): boolean => {
  const period = { ...span, days: parseDays(days), everyWeeks: 1 as const };
  for (let day = span.from; day <= span.to; day = addDays(day, 1)) if (operatesOn(period, day)) return true;
  return false;
};

/** Formats the flight leg records (record type 3) of a flight. */
const formatLegs = (carrier: string, flight: SyntheticFlight, span: DateSpan): readonly string[] =>
  splitByOffsets(flight, span)
    .filter((period) => hasFlights(flight.days, period))
    .map((period, index) => formatLeg({ carrier, flight, variation: index + 1 }, period));

export type CarrierFlights = Iterable<{ readonly carrier: string; readonly flights: readonly SyntheticFlight[] }>;

/**
 * Generates the records of an SSIM chapter 7 file, one record a line, with serial numbers. Records are generated on
 * demand, so that only one carrier is in memory.
 */
export function* generateSsimLines(schedules: CarrierFlights, span: DateSpan): Generator<string> {
  let serial = 0;
  const line = (text: string): string => {
    serial = serial === MAX_SERIAL ? 2 : serial + 1;
    return `${text}${String(serial).padStart(6, '0')}\n`;
  };
  yield line(
    formatRecord([
      [1, '1AIRLINE STANDARD SCHEDULE DATA SET'],
      [41, '1'],
      [192, '001'],
    ]),
  );
  let ended: string | undefined;
  const end = (carrier: string, status: 'C' | 'E'): string => {
    const before = String(serial).padStart(6, '0');
    return line(
      formatRecord([
        [1, '5'],
        [3, carrier],
        [188, before],
        [194, status],
      ]),
    );
  };
  for (const { carrier, flights } of schedules) {
    // The trailer record shows whether another carrier follows.
    if (ended !== undefined) yield end(ended, 'C');
    ended = carrier;
    const validity = formatSsimDate(span.from) + formatSsimDate(span.to);
    yield line(
      formatRecord([
        [1, '2L'],
        [3, carrier],
        [15, validity],
        [29, formatSsimDate(span.from)],
        [36, 'SYNTHETIC - NOT REAL'],
      ]),
    );
    for (const flight of flights) for (const leg of formatLegs(carrier, flight, span)) yield line(leg);
  }
  if (ended !== undefined) yield end(ended, 'E');
}
