import { toLocalDate, type LocalDate } from '#domain/time/dates.ts';
import type { DaySet } from '#domain/time/period.ts';
import { createNumberFormat, createPatternFormat, type FieldFormat } from '../text/fixed-width.ts';

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

/** Parses DDMMMYY. Years 00-69 are 2000-2069, 70-99 are 1970-1999. */
const parseDate = (text: string): LocalDate | undefined => {
  const month = months.get(text.slice(2, 5));
  const year = twoDigitsAt(text, 5);
  if (text.length !== 7 || month === undefined || Number.isNaN(year)) return undefined;
  return toLocalDate(year < 70 ? 2000 + year : 1900 + year, month, twoDigitsAt(text, 0));
};

export const dateFormat: FieldFormat<LocalDate> = {
  reason: 'bad-date',
  description: 'a date (DDMMMYY)',
  parse: parseDate,
};

/** A date, or `00XXX00` for an open end of a period. */
export const openDateFormat: FieldFormat<LocalDate | 'open'> = {
  reason: 'bad-date',
  description: 'a date (DDMMMYY) or 00XXX00',
  parse: (text) => (text === '00XXX00' ? 'open' : parseDate(text)),
};

/** Position n has the digit n or a blank; there is at least one day. */
export const daysFormat: FieldFormat<DaySet> = {
  reason: 'bad-days',
  description: 'days of operation (digit n or a blank in position n)',
  parse: (text) => {
    let set = 0;
    for (let index = 0; index < 7; index += 1) {
      if (text[index] === ' ') continue;
      if (digitAt(text, index) !== index + 1) return undefined;
      set |= 1 << index;
    }
    return set === 0 ? undefined : (set as DaySet);
  },
};

/** Returns the minutes of HHMM from 0000 to 2359, or NaN. */
const parseMinutes = (text: string): number => {
  const hour = twoDigitsAt(text, 0);
  const minute = twoDigitsAt(text, 2);
  return hour <= 23 && minute <= 59 ? hour * 60 + minute : Number.NaN;
};

const numberOrUndefined = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

export const departureTimeFormat: FieldFormat<number> = {
  reason: 'bad-time',
  description: 'a departure time (0000-2359)',
  parse: (text) => numberOrUndefined(parseMinutes(text)),
};

/** 2400 is midnight at the end of the day, and the only time with that hour. */
export const arrivalTimeFormat: FieldFormat<number> = {
  reason: 'bad-time',
  description: 'an arrival time (0001-2400)',
  parse: (text) => (text === '2400' ? 1440 : numberOrUndefined(parseMinutes(text))),
};

/** Local time minus UTC in minutes; offsets in use are quarter hours from -12:00 to +14:00. */
export const utcVariationFormat: FieldFormat<number> = {
  reason: 'bad-utc-variation',
  description: 'a UTC variation (quarter hours, -1200 to +1400)',
  parse: (text) => {
    const sign = text[0] === '+' ? 1 : text[0] === '-' ? -1 : Number.NaN;
    const value = sign * parseMinutes(text.slice(1));
    if (!(value >= -720 && value <= 840) || value % 15 !== 0) return undefined;
    return value === 0 ? 0 : value;
  },
};

/** Days from the flight's origin date. A blank may be an omission, so it is distinguished from a written 0. */
export const dateVariationFormat: FieldFormat<number | 'blank'> = {
  reason: 'bad-date-variation',
  description: 'a date variation (blank, 0-7 or A)',
  parse: (text) => {
    if (text === ' ') return 'blank';
    if (text === 'A') return -1;
    const value = digitAt(text, 0);
    return value <= 7 ? value : undefined;
  },
};

/** Two characters and a blank, or three characters, with at least one letter. */
export const carrierFormat = createPatternFormat(
  'bad-carrier',
  'an airline designator',
  /^(?=.*[A-Z])[A-Z0-9]{2}[A-Z0-9 ]$/,
);
export const stationFormat = createPatternFormat('bad-station', 'a location of three letters', /^[A-Z]{3}$/);
export const equipmentFormat = createPatternFormat(
  'bad-equipment',
  'an aircraft type of three characters',
  /^[A-Z0-9]{3}$/,
);
export const suffixFormat = createPatternFormat('bad-suffix', 'an operational suffix (a letter or blank)', /^[A-Z ]$/);
export const serviceTypeFormat = createPatternFormat('bad-service-type', 'a service type (a letter)', /^[A-Z]$/);

/** Right-justified, padded with blanks or zeros; there is no flight 0. */
export const flightNumberFormat = createNumberFormat(
  'bad-flight-number',
  'a flight number (right-justified, 1-9999)',
  /^(?=.*[1-9]) *\d+$/,
);
export const itineraryNumberFormat = createNumberFormat(
  'bad-itinerary',
  'an itinerary variation (two digits)',
  /^\d\d$/,
);
export const itineraryHundredsFormat = createNumberFormat(
  'bad-itinerary',
  'an itinerary variation overflow (blank or a digit)',
  /^[ \d]$/,
);
export const sequenceFormat = createNumberFormat('bad-sequence', 'a leg sequence number (01-99)', /^(?!00)\d\d$/);
export const dataElementFormat = createNumberFormat(
  'bad-data-element',
  'a data element identifier (001-999)',
  /^(?=.*[1-9]) *\d+$/,
);
