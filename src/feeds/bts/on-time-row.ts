import * as values from './field-formats.ts';
import { toLocalDate, formatDate, type LocalDate } from '../../domain/time/dates.ts';
import { FeedError } from '../feed-error.ts';
import type { FieldFormat } from '../text/fixed-width.ts';
import type { FileColumn, FileLayout, StopColumns } from './file-layouts.ts';

/** What is wrong with one field of a row: the column of the file, what stood there, a code to count by and a sentence. */
export type RowFieldErrorOptions = {
  readonly field: string;
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** One field for which its whole row cannot be taken. */
export class RowFieldError extends FeedError {
  readonly details: RowFieldErrorOptions;

  constructor(fault: RowFieldErrorOptions) {
    super(fault.message, { value: fault.value, reason: fault.reason });
    this.name = 'FieldError';
    this.details = fault;
  }
}

/** A landing at another airport than the destination. Times are minutes after midnight on that airport's clock. */
export type DiversionStop = {
  readonly airport: string;
  readonly wheelsOn: number;
  /** Undefined when nothing left from there under the flight's number. */
  readonly wheelsOff: number | undefined;
  /** Of the aircraft that left. */
  readonly registration: string | undefined;
  readonly columns: StopColumns;
};

/** Times of day as the row states them, minutes after midnight at the airport of the event. */
export type RowClockTimes = {
  readonly out: number | undefined;
  readonly off: number | undefined;
  readonly on: number | undefined;
  readonly in: number | undefined;
};

/** One flight as its row tells it: durations in minutes, times of day in minutes after midnight on the airport's clock. */
export type OnTimeFileRow = {
  /** Local date of the scheduled departure of this leg. */
  readonly date: LocalDate;
  readonly carrier: string;
  readonly flightNumber: number;
  readonly origin: string;
  readonly destination: string;
  readonly scheduledDeparture: number;
  readonly scheduledArrival: number;
  readonly scheduledElapsed: number;
  readonly clocks: RowClockTimes;
  readonly departureDelay: number | undefined;
  readonly taxiOut: number | undefined;
  readonly taxiIn: number | undefined;
  readonly arrivalDelay: number | undefined;
  readonly cancelled: boolean;
  readonly diverted: boolean;
  /** From the gate at the origin to the gate at the destination, of a diverted flight that got there. */
  readonly diversionElapsed: number | undefined;
  readonly diversionArrivalDelay: number | undefined;
  readonly registration: string | undefined;
  readonly stops: readonly DiversionStop[];
};

const readCell = (cells: readonly string[], { index }: FileColumn): string => (cells[index] ?? '').trim();

const parseCell = <T>(text: string, column: FileColumn, kind: FieldFormat<T>): T => {
  const value = kind.parse(text);
  if (value !== undefined) return value;
  throw new RowFieldError({
    field: column.name,
    value: text,
    reason: kind.reason,
    message: `'${text}' is not ${kind.description}.`,
  });
};

/** The landings of a group of columns. Cells of joined columns end early where the last landings have no such value. */
const parseStops = (cells: readonly string[], columns: StopColumns): readonly DiversionStop[] => {
  const airports = readCell(cells, columns.airport);
  if (airports === '') return [];
  const parts = (column: FileColumn): readonly string[] => readCell(cells, column).split('|');
  const [ons, offs, registrations] = [parts(columns.wheelsOn), parts(columns.wheelsOff), parts(columns.registration)];
  return airports.split('|').map((airport, index) => {
    const wheelsOff = offs[index] ?? '';
    return {
      airport: parseCell(airport, columns.airport, values.station),
      wheelsOn: parseCell(ons[index] ?? '', columns.wheelsOn, values.clock),
      wheelsOff: wheelsOff === '' ? undefined : parseCell(wheelsOff, columns.wheelsOff, values.clock),
      registration: values.parseRegistration(registrations[index] ?? ''),
      columns,
    };
  });
};

/** Reads the cells of a row, as many as the layout is wide. Throws a FieldError for the first cell that holds no such value. */
export const parseRow = (cells: readonly string[], { columns, stops }: FileLayout): OnTimeFileRow => {
  const need = <T>(column: FileColumn, kind: FieldFormat<T>): T => parseCell(readCell(cells, column), column, kind);
  const may = <T>(column: FileColumn, kind: FieldFormat<T>): T | undefined => {
    const text = readCell(cells, column);
    return text === '' ? undefined : parseCell(text, column, kind);
  };
  const [year, month] = [need(columns.year, values.year), need(columns.month, values.month)];
  const calendar: FieldFormat<LocalDate> = {
    reason: 'bad-date',
    description: `a day of month ${month} of ${year}`,
    parse: (text) => toLocalDate(year, month, values.dayOfMonth.parse(text) ?? 0),
  };
  return {
    date: need(columns.day, calendar),
    carrier: need(columns.carrier, values.carrier),
    flightNumber: need(columns.flightNumber, values.flightNumber),
    origin: need(columns.origin, values.station),
    destination: need(columns.destination, values.station),
    scheduledDeparture: need(columns.scheduledDeparture, values.clock),
    scheduledArrival: need(columns.scheduledArrival, values.clock),
    scheduledElapsed: need(columns.scheduledElapsed, values.scheduledElapsed),
    clocks: {
      out: may(columns.out, values.clock),
      off: may(columns.off, values.clock),
      on: may(columns.on, values.clock),
      in: may(columns.in, values.clock),
    },
    departureDelay: may(columns.departureDelay, values.delay),
    taxiOut: may(columns.taxiOut, values.taxi),
    taxiIn: may(columns.taxiIn, values.taxi),
    arrivalDelay: may(columns.arrivalDelay, values.delay),
    cancelled: need(columns.cancelled, values.flag),
    diverted: need(columns.diverted, values.flag),
    diversionElapsed: may(columns.diversionElapsed, values.diversionElapsed),
    diversionArrivalDelay: may(columns.diversionArrivalDelay, values.delay),
    registration: values.parseRegistration(readCell(cells, columns.registration)),
    stops: stops.flatMap((group) => parseStops(cells, group)),
  };
};

/** What tells a row from all others, for ever: `2015-01-01:AS:98:ANC:SEA:0005`. */
export const formatRowId = ({
  date,
  carrier,
  flightNumber,
  origin,
  destination,
  scheduledDeparture,
}: OnTimeFileRow) => {
  const time = Math.floor(scheduledDeparture / 60) * 100 + (scheduledDeparture % 60);
  return [formatDate(date), carrier, flightNumber, origin, destination, String(time).padStart(4, '0')].join(':');
};
