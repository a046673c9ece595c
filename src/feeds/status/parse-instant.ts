import { toLocalDate, formatDate, localDate, MINUTES_A_DAY, type LocalDate } from '../../domain/time/dates.ts';
import { parseInstant, type UtcMillisecond } from '../../domain/status/instants.ts';

/** Instants and dates outside this range are errors of a source: no status is older than the jet age. `to` is exclusive. */
const validRange = { from: localDate('1950-01-01'), to: localDate('2100-01-01') };

const millisecondsADay = MINUTES_A_DAY * 60_000;

export const VALID_RANGE_TEXT = `from ${formatDate(validRange.from)} to ${formatDate(validRange.to)}`;

/** `Date.UTC` maps the years 0 to 99 to the 20th century, so the text must be checked as well. */
const isInValidRange = (text: string, date: number): boolean =>
  date >= validRange.from && date < validRange.to && !text.startsWith('0');

/** Returns NaN when a character is not a digit; comparisons with NaN are false, so it fails every range check. */
const parseDigits = (text: string, from: number, to: number): number => {
  let value = 0;
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
};

/** Parses `2027-03-01T11:07:30Z` and `2027-03-01T11:07:30.120Z`, ten times as fast as a pattern; undefined for other texts. */
const parseUtcText = (text: string): number | undefined => {
  const hasFraction = text.length === 24;
  if (!(hasFraction || text.length === 20) || !text.endsWith('Z')) return undefined;
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return undefined;
  if (hasFraction && text[19] !== '.') return undefined;
  const date = toLocalDate(parseDigits(text, 0, 4), parseDigits(text, 5, 7), parseDigits(text, 8, 10));
  const [hour, minute, second] = [parseDigits(text, 11, 13), parseDigits(text, 14, 16), parseDigits(text, 17, 19)];
  const milliseconds = hasFraction ? parseDigits(text, 20, 23) : 0;
  if (date === undefined || !(hour < 24 && minute < 60 && second < 60 && milliseconds < 1000)) return undefined;
  return date * millisecondsADay + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
};

/**
 * Parses an ISO 8601 date and time with its offset to UTC milliseconds. Undefined when the text is invalid or the instant is not in
 * 1950 to 2099.
 */
export const parseMessageInstant = (text: string): UtcMillisecond | undefined => {
  const instant = parseUtcText(text) ?? parseInstant(text);
  return instant !== undefined && isInValidRange(text, instant / millisecondsADay)
    ? (instant as UtcMillisecond)
    : undefined;
};

/** Returns an instant that the schema has validated; throws when it is invalid. */
export const toInstant = (text: string): UtcMillisecond => {
  const instant = parseMessageInstant(text);
  if (instant === undefined) throw new RangeError(`not an instant: '${text}'`);
  return instant;
};

/** Parses `YYYY-MM-DD`. Undefined when the text is invalid or the date is not in 1950 to 2099. */
export const parseMessageDate = (text: string): LocalDate | undefined => {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return undefined;
  const date = toLocalDate(parseDigits(text, 0, 4), parseDigits(text, 5, 7), parseDigits(text, 8, 10));
  return date !== undefined && isInValidRange(text, date) ? date : undefined;
};
