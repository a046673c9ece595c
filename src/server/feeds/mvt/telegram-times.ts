import type { UtcMillisecond } from '#domain/status/instants.ts';
import { addDays, toDate, toLocalDate, formatDate, type LocalDate, type UtcMinute } from '#domain/time/dates.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { type TelegramLocation, TelegramError } from '../text/telegram-error.ts';

/** A time in a telegram, always UTC, often without its day. */
export type TelegramTime = {
  /** Day of the month, 1-31; undefined when the text has only hours and minutes. */
  readonly day: number | undefined;
  /** Minute of the day, 0-1439. */
  readonly minute: number;
  readonly location: TelegramLocation;
};

/** Parses HHMM (0000-2359) or DDHHMM; undefined when the text is neither. */
const parseDayTime = (text: string): Omit<TelegramTime, 'location'> | undefined => {
  const match = /^(0[1-9]|[12]\d|3[01])?([01]\d|2[0-3])([0-5]\d)$/.exec(text);
  if (!match) return undefined;
  const [, day, hours, minutes] = match;
  return { day: day === undefined ? undefined : Number(day), minute: Number(hours) * 60 + Number(minutes) };
};

/** Parses the time of an element. Throws a TelegramError that shows the whole element when it is invalid. */
export const parseTelegramTime = (text: string, location: TelegramLocation): TelegramTime => {
  const time = parseDayTime(text);
  if (time) return { ...time, location };
  throw new TelegramError(`'${text}' must be a UTC time (HHMM or DDHHMM).`, location, 'bad-time');
};

/** The date of a flight is up to this many days after its telegram was created. */
const MAX_DAYS_AHEAD = 3;

/** Returns the UTC minute of an instant. */
export const toUtcMinute = (instant: UtcMillisecond): UtcMinute => Math.floor(instant / 60_000) as UtcMinute;

/** A day of the given month and year, or of any. */
type DayOfMonth = { readonly day: number; readonly month: number | undefined; readonly year?: number | undefined };

/**
 * Returns the last date with that day, up to `latest`, in its month and the two before it. Every day up to 31 has one there; undefined
 * when another month is given, or a day that the month does not have.
 */
const findLastDate = ({ day, month, year: onlyYear }: DayOfMonth, latest: LocalDate): LocalDate | undefined => {
  const [year = 0, lastMonth = 0] = formatDate(latest).split('-').map(Number);
  const candidates = [0, 1, 2].map((back) => {
    const months = year * 12 + lastMonth - 1 - back;
    const candidate = (months % 12) + 1;
    if (month !== undefined && month !== candidate) return undefined;
    if (onlyYear !== undefined && onlyYear !== Math.floor(months / 12)) return undefined;
    return toLocalDate(Math.floor(months / 12), candidate, day);
  });
  return candidates.find((date) => date !== undefined && date <= latest);
};

/** Returns the date of a flight from its day of the month: the last one up to 3 days after the reference instant. */
export const resolveFlightDate = (date: DayOfMonth, reference: UtcMillisecond): LocalDate | undefined =>
  findLastDate(date, addDays(toDate(toUtcMinute(reference)), MAX_DAYS_AHEAD));

/** Finds the text of the origin time, `011530` in `.CDGKLXX 011530` or `.CDGKLXX XX/011530`, on the last such line. */
export const findOriginTimeText = (header: readonly TelegramLine[]): { text: string; line: number } | undefined => {
  const originLine = header
    .map(({ number, text }) => ({
      line: number,
      text: /^\.[A-Z0-9]{7} (?:[A-Z0-9]{2}\/)?(\d{6})(?!\d)/.exec(text)?.[1],
    }))
    .findLast(({ text }) => text !== undefined);
  return originLine?.text === undefined ? undefined : { text: originLine.text, line: originLine.line };
};

/**
 * Returns the instant of a DDHHMM: the last one up to the end of tomorrow, so that the clock of a sender may be ahead. Undefined when
 * the text is no day and time.
 */
export const resolveOriginTime = (text: string, receivedAt: UtcMillisecond): UtcMillisecond | undefined => {
  const time = parseDayTime(text);
  if (time?.day === undefined) return undefined;
  const date = findLastDate({ day: time.day, month: undefined }, addDays(toDate(toUtcMinute(receivedAt)), 1));
  return date === undefined ? undefined : (((date * 1440 + time.minute) * 60_000) as UtcMillisecond);
};
