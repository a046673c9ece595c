import * as formats from './field-formats.ts';
import { toLocalDate, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { FeedError } from '../feed-error.ts';
import type { FieldFormat } from '../text/fixed-width.ts';
import type { FileColumn, FileLayout, StopColumns } from './file-layouts.ts';

/** A remark on one field of a row: the column of the file, its text, a reason code and a sentence. */
export type RowRemark = {
  readonly field: string;
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** An invalid field, whose row is quarantined. */
export class RowFieldError extends FeedError {
  readonly remark: RowRemark;

  constructor(remark: RowRemark) {
    super(remark.message, { value: remark.value, reason: remark.reason });
    this.name = 'RowFieldError';
    this.remark = remark;
  }
}

/** A landing at another airport than the destination. Times are minutes after midnight in local time of that airport. */
export type DiversionStop = {
  readonly airport: string;
  readonly wheelsOn: number;
  /** Undefined when no aircraft departed from there under the flight number. */
  readonly wheelsOff: number | undefined;
  /** That of the aircraft that departed. */
  readonly registration: string | undefined;
  readonly columns: StopColumns;
};

/** The times of day of a row, minutes after midnight in local time of the airport of the event. */
export type RowClockTimes = {
  readonly out: number | undefined;
  readonly off: number | undefined;
  readonly on: number | undefined;
  readonly in: number | undefined;
};

/** The row of one flight: durations in minutes, times of day in minutes after midnight in local time of the airport. */
export type BtsRow = {
  /** Local date of the scheduled departure of this leg. */
  readonly date: LocalDate;
  readonly carrier: string;
  readonly flightNumber: number;
  readonly origin: string;
  readonly destination: string;
  readonly scheduledDeparture: number;
  readonly scheduledArrival: number;
  readonly scheduledElapsed: number;
  readonly clockTimes: RowClockTimes;
  readonly departureDelay: number | undefined;
  readonly taxiOut: number | undefined;
  readonly taxiIn: number | undefined;
  readonly arrivalDelay: number | undefined;
  readonly cancelled: boolean;
  readonly diverted: boolean;
  /** From the gate at the origin to the gate at the destination, of a diverted flight that arrived there. */
  readonly diversionElapsed: number | undefined;
  readonly diversionArrivalDelay: number | undefined;
  readonly registration: string | undefined;
  readonly stops: readonly DiversionStop[];
};

const readCell = (cells: readonly string[], { index }: FileColumn): string => (cells[index] ?? '').trim();

const parseCell = <T>(text: string, column: FileColumn, format: FieldFormat<T>): T => {
  const value = format.parse(text);
  if (value !== undefined) return value;
  throw new RowFieldError({
    field: column.name,
    value: text,
    reason: format.reason,
    message: `'${text}' is not ${format.description}.`,
  });
};

/** Parses the landings of a group of columns. Cells of joined columns are shorter when the last landings have no value. */
const parseStops = (cells: readonly string[], columns: StopColumns): readonly DiversionStop[] => {
  const airports = readCell(cells, columns.airport);
  if (airports === '') return [];
  const parts = (column: FileColumn): readonly string[] => readCell(cells, column).split('|');
  const [wheelsOnTimes, wheelsOffTimes, registrations] = [
    parts(columns.wheelsOn),
    parts(columns.wheelsOff),
    parts(columns.registration),
  ];
  return airports.split('|').map((airport, index) => {
    const wheelsOff = wheelsOffTimes[index] ?? '';
    return {
      airport: parseCell(airport, columns.airport, formats.stationFormat),
      wheelsOn: parseCell(wheelsOnTimes[index] ?? '', columns.wheelsOn, formats.clockFormat),
      wheelsOff: wheelsOff === '' ? undefined : parseCell(wheelsOff, columns.wheelsOff, formats.clockFormat),
      registration: formats.parseRegistration(registrations[index] ?? ''),
      columns,
    };
  });
};

/** Parses the cells of a row, as many as the layout has columns. Throws a RowFieldError for the first invalid cell. */
export const parseRow = (cells: readonly string[], { columns, stops }: FileLayout): BtsRow => {
  const readRequired = <T>(column: FileColumn, format: FieldFormat<T>): T =>
    parseCell(readCell(cells, column), column, format);
  const readOptional = <T>(column: FileColumn, format: FieldFormat<T>): T | undefined => {
    const text = readCell(cells, column);
    return text === '' ? undefined : parseCell(text, column, format);
  };
  const readDate = (): LocalDate => {
    // A file with one column of the date has no parts of it, or only some.
    if ([columns.year, columns.month, columns.day].some(({ index }) => index === -1))
      return readRequired(columns.flightDate, formats.flightDateFormat);
    const year = readRequired(columns.year, formats.yearFormat);
    const month = readRequired(columns.month, formats.monthFormat);
    return readRequired(columns.day, {
      reason: 'bad-date',
      description: `a day of month ${month} of ${year}`,
      parse: (text) => toLocalDate(year, month, formats.dayOfMonthFormat.parse(text) ?? 0),
    });
  };
  return {
    date: readDate(),
    carrier: readRequired(columns.carrier, formats.carrierFormat),
    flightNumber: readRequired(columns.flightNumber, formats.flightNumberFormat),
    origin: readRequired(columns.origin, formats.stationFormat),
    destination: readRequired(columns.destination, formats.stationFormat),
    scheduledDeparture: readRequired(columns.scheduledDeparture, formats.clockFormat),
    scheduledArrival: readRequired(columns.scheduledArrival, formats.clockFormat),
    scheduledElapsed: readRequired(columns.scheduledElapsed, formats.scheduledElapsedFormat),
    clockTimes: {
      out: readOptional(columns.out, formats.clockFormat),
      off: readOptional(columns.off, formats.clockFormat),
      on: readOptional(columns.on, formats.clockFormat),
      in: readOptional(columns.in, formats.clockFormat),
    },
    departureDelay: readOptional(columns.departureDelay, formats.delayFormat),
    taxiOut: readOptional(columns.taxiOut, formats.taxiFormat),
    taxiIn: readOptional(columns.taxiIn, formats.taxiFormat),
    arrivalDelay: readOptional(columns.arrivalDelay, formats.delayFormat),
    cancelled: readRequired(columns.cancelled, formats.flagFormat),
    diverted: readRequired(columns.diverted, formats.flagFormat),
    diversionElapsed: readOptional(columns.diversionElapsed, formats.diversionElapsedFormat),
    diversionArrivalDelay: readOptional(columns.diversionArrivalDelay, formats.delayFormat),
    registration: formats.parseRegistration(readCell(cells, columns.registration)),
    stops: stops.flatMap((columnsOfStop) => parseStops(cells, columnsOfStop)),
  };
};

/** Returns a permanently unique ID of a row, `2015-01-01:AS:98:ANC:SEA:0005`. */
export const formatRowId = ({ date, carrier, flightNumber, origin, destination, scheduledDeparture }: BtsRow) => {
  const time = Math.floor(scheduledDeparture / 60) * 100 + (scheduledDeparture % 60);
  return [formatDate(date), carrier, flightNumber, origin, destination, String(time).padStart(4, '0')].join(':');
};
