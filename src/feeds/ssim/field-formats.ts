import { dateOf, type LocalDate } from '../../domain/time/dates.ts';
import type { DaySet } from '../../domain/time/period.ts';
import { FeedError } from '../feed-error.ts';

/** Byte positions in a record, 1-based, both included. */
export type Columns = readonly [number, number];

/** A kind of value: `read` gives undefined for text that is not one, `is` says what it should have been. */
export type Kind<T> = { readonly reason: string; readonly is: string; readonly read: (text: string) => T | undefined };

/** The text of some columns of a record. */
export const textAt = (record: string, [from, to]: Columns): string => record.slice(from - 1, to);

/** The value in some columns. Throws a FeedError with the columns and the text seen when it is not of that kind. */
export const valueAt = <T>(record: string, columns: Columns, kind: Kind<T>): T => {
  const text = textAt(record, columns);
  const value = kind.read(text);
  if (value !== undefined) return value;
  throw new FeedError(`'${text}' is not ${kind.is}.`, { bytes: columns, value: text, reason: kind.reason });
};

const digitAt = (text: string, index: number): number => {
  const digit = text.charCodeAt(index) - 48;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
};

const twoDigitsAt = (text: string, index: number): number => digitAt(text, index) * 10 + digitAt(text, index + 1);

const months = new Map(
  ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'].map((name, index) => [
    name,
    index + 1,
  ]),
);

/** DDMMMYY. Years 00-69 are 2000-2069, 70-99 are 1970-1999. */
const readDate = (text: string): LocalDate | undefined => {
  const month = months.get(text.slice(2, 5));
  const year = twoDigitsAt(text, 5);
  if (text.length !== 7 || month === undefined || Number.isNaN(year)) return undefined;
  return dateOf(year < 70 ? 2000 + year : 1900 + year, month, twoDigitsAt(text, 0));
};

export const date: Kind<LocalDate> = { reason: 'bad-date', is: 'a date (DDMMMYY)', read: readDate };

/** `00XXX00` leaves an end of a period open. */
export const openDate: Kind<LocalDate | 'open'> = {
  reason: 'bad-date',
  is: 'a date (DDMMMYY) or 00XXX00',
  read: (text) => (text === '00XXX00' ? 'open' : readDate(text)),
};

/** Position n holds the digit n or a blank; no day at all is no answer. */
export const days: Kind<DaySet> = {
  reason: 'bad-days',
  is: 'days of operation (digit n or a blank in position n)',
  read: (text) => {
    let set = 0;
    for (let index = 0; index < 7; index += 1) {
      if (text[index] === ' ') continue;
      if (digitAt(text, index) !== index + 1) return undefined;
      set |= 1 << index;
    }
    return set === 0 ? undefined : (set as DaySet);
  },
};

/** Minutes of HHMM from 0000 to 2359, or NaN. */
const minutes = (text: string): number => {
  const hour = twoDigitsAt(text, 0);
  const minute = twoDigitsAt(text, 2);
  return hour <= 23 && minute <= 59 ? hour * 60 + minute : Number.NaN;
};

const known = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

export const departureTime: Kind<number> = {
  reason: 'bad-time',
  is: 'a departure time (0000-2359)',
  read: (text) => known(minutes(text)),
};

/** 2400 is midnight at the end of the day, and the only time with that hour. */
export const arrivalTime: Kind<number> = {
  reason: 'bad-time',
  is: 'an arrival time (0001-2400)',
  read: (text) => (text === '2400' ? 1440 : known(minutes(text))),
};

/** Local time minus UTC in minutes: the world uses quarter hours from -12:00 to +14:00. */
export const utcVariation: Kind<number> = {
  reason: 'bad-utc-variation',
  is: 'a UTC variation (quarter hours, -1200 to +1400)',
  read: (text) => {
    const sign = text[0] === '+' ? 1 : text[0] === '-' ? -1 : Number.NaN;
    const value = sign * minutes(text.slice(1));
    if (!(value >= -720 && value <= 840) || value % 15 !== 0) return undefined;
    return value === 0 ? 0 : value;
  },
};

/** Days from the flight's origin date; a blank may have been left out by the sender and is told apart from a written 0. */
export const dateVariation: Kind<number | 'blank'> = {
  reason: 'bad-date-variation',
  is: 'a date variation (blank, 0-7 or A)',
  read: (text) => {
    if (text === ' ') return 'blank';
    if (text === 'A') return -1;
    const value = digitAt(text, 0);
    return value <= 7 ? value : undefined;
  },
};

const matching = (reason: string, is: string, pattern: RegExp): Kind<string> => ({
  reason,
  is,
  read: (text) => (pattern.test(text) ? text.trimEnd() : undefined),
});

/** Two characters and a blank, or three; at least one is a letter. */
export const carrier = matching('bad-carrier', 'an airline designator', /^(?=.*[A-Z])[A-Z0-9]{2}[A-Z0-9 ]$/);
export const station = matching('bad-station', 'a location of three letters', /^[A-Z]{3}$/);
export const equipment = matching('bad-equipment', 'an aircraft type of three characters', /^[A-Z0-9]{3}$/);
export const suffix = matching('bad-suffix', 'an operational suffix (a letter or blank)', /^[A-Z ]$/);
export const serviceType = matching('bad-service-type', 'a service type (a letter)', /^[A-Z]$/);

const wholeNumber = (reason: string, is: string, pattern: RegExp): Kind<number> => ({
  reason,
  is,
  read: (text) => (pattern.test(text) ? Number(text) : undefined),
});

/** Right-justified, filled with blanks or zeros; there is no flight 0. */
export const flightNumber = wholeNumber(
  'bad-flight-number',
  'a flight number (right-justified, 1-9999)',
  /^(?=.*[1-9]) *\d+$/,
);
export const itineraryNumber = wholeNumber('bad-itinerary', 'an itinerary variation (two digits)', /^\d\d$/);
export const itineraryHundreds = wholeNumber(
  'bad-itinerary',
  'an itinerary variation overflow (blank or a digit)',
  /^[ \d]$/,
);
export const sequence = wholeNumber('bad-sequence', 'a leg sequence number (01-99)', /^(?!00)\d\d$/);
export const dataElement = wholeNumber('bad-data-element', 'a data element identifier (001-999)', /^(?=.*[1-9]) *\d+$/);
