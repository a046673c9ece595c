import {
  formatDate,
  formatTime,
  toMinuteOfDay,
  toDate,
  parseDate,
  type LocalMinute,
  type UtcMinute,
} from '../time/dates.ts';

/** Seconds since 1970-01-01T00:00:00 UTC: the times of a flight. */
export type UtcSecond = number & { readonly brand: 'UtcSecond' };

/** Milliseconds since 1970-01-01T00:00:00 UTC: the time of a message. */
export type UtcMillisecond = number & { readonly brand: 'UtcMillisecond' };

/** Returns the first second of a UTC minute. */
export const minuteToSecond = (minute: UtcMinute): UtcSecond => (minute * 60) as UtcSecond;

/** Returns the UTC minute that contains a second. */
export const secondToMinute = (second: UtcSecond): UtcMinute => Math.floor(second / 60) as UtcMinute;

const pattern =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/**
 * Parses an ISO 8601 date and time with UTC offset, e.g. `2027-03-01T11:07:30.120+05:30`, truncated to milliseconds. Undefined when the text has
 * another form, no offset, or is not a valid date.
 */
export const parseInstant = (text: string): UtcMillisecond | undefined => {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, day = '', hours, minutes, seconds = '0', fraction = '', zone = 'Z'] = match;
  const date = parseDate(day);
  if (date === undefined) return undefined;
  const sign = zone.startsWith('-') ? -1 : 1;
  const offset = zone === 'Z' ? 0 : sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6)));
  const minute = date * 1440 + Number(hours) * 60 + Number(minutes) - offset;
  return (minute * 60_000 + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))) as UtcMillisecond;
};

/** Converts a Date to milliseconds. */
export const toUtcMillisecond = (instant: Date): UtcMillisecond => instant.getTime() as UtcMillisecond;

/** Truncates milliseconds to a second. */
export const truncateToSecond = (instant: UtcMillisecond): UtcSecond => Math.floor(instant / 1000) as UtcSecond;

const padToTwo = (value: number): string => String(value).padStart(2, '0');

/** Formats an instant for a clock that is `offset` minutes ahead of UTC, e.g. `2027-03-01T11:07:30+05:30`; UTC is `+00:00`. */
export const formatInstant = (second: UtcSecond, offset: number): string => {
  const minute = (secondToMinute(second) + offset) as LocalMinute;
  const size = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${padToTwo(Math.floor(size / 60))}:${padToTwo(size % 60)}`;
  return `${formatDate(toDate(minute))}T${formatTime(toMinuteOfDay(minute))}:${padToTwo(((second % 60) + 60) % 60)}${zone}`;
};

/** Formats seconds as `[-]HH:MM:SS`. */
export const formatVariation = (seconds: number): string => {
  const size = Math.abs(seconds);
  return `${seconds < 0 ? '-' : ''}${padToTwo(Math.floor(size / 3600))}:${padToTwo(Math.floor(size / 60) % 60)}:${padToTwo(size % 60)}`;
};
