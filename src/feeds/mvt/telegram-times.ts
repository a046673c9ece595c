import type { UtcMillisecond } from '../../domain/status/instants.ts';
import { addDays, toDate, toLocalDate, formatDate, type LocalDate, type UtcMinute } from '../../domain/time/dates.ts';
import type { TelegramLine } from './split-telegrams.ts';
import { type TelegramLocation, TelegramError } from './telegram-error.ts';

/** A flight's date lies at most this many days after the moment its telegram was made. */
const MAX_DAYS_AHEAD = 3;

/** The UTC minute a moment falls into. */
export const toUtcMinute = (instant: UtcMillisecond): UtcMinute => Math.floor(instant / 60_000) as UtcMinute;

/** A day of some month, or of the month named. */
type DayOfMonth = { readonly day: number; readonly month: number | undefined };

/**
 * The last date of that day in the month of `latest` and the two before it, `latest` included. Every day up to 31 has one; undefined
 * when another month is named, or a day it does not have.
 */
const findLastDate = ({ day, month }: DayOfMonth, latest: LocalDate): LocalDate | undefined => {
  const [year = 0, lastMonth = 0] = formatDate(latest).split('-').map(Number);
  const candidates = [0, 1, 2].map((back) => {
    const months = year * 12 + lastMonth - 1 - back;
    const candidate = (months % 12) + 1;
    if (month !== undefined && month !== candidate) return undefined;
    return toLocalDate(Math.floor(months / 12), candidate, day);
  });
  return candidates.find((date) => date !== undefined && date <= latest);
};

/** The date of a flight of which the day of the month is told: the last one that is not more than 3 days after the reference moment. */
export const resolveFlightDate = (told: DayOfMonth, reference: UtcMillisecond): LocalDate | undefined =>
  findLastDate(told, addDays(toDate(toUtcMinute(reference)), MAX_DAYS_AHEAD));

/** The text in the place of the origin time, `011530` in `.CDGKLXX 011530` or `.CDGKLXX XX/011530`; the last such line counts. */
export const findOriginTimeText = (header: readonly TelegramLine[]): { text: string; line: number } | undefined => {
  const found = header
    .map(({ number, text }) => ({
      line: number,
      text: /^\.[A-Z0-9]{7} (?:[A-Z0-9]{2}\/)?(\d{6})(?!\d)/.exec(text)?.[1],
    }))
    .findLast(({ text }) => text !== undefined);
  return found?.text === undefined ? undefined : { text: found.text, line: found.line };
};

/**
 * The moment of a DDHHMM: the last one that is not on a later date than tomorrow, so that a sender's clock may be a little ahead of ours.
 * Undefined when the text is no day and time.
 */
export const resolveOriginTime = (text: string, receivedAt: UtcMillisecond): UtcMillisecond | undefined => {
  const time = parseDayTime(text);
  if (time?.day === undefined) return undefined;
  const date = findLastDate({ day: time.day, month: undefined }, addDays(toDate(toUtcMinute(receivedAt)), 1));
  return date === undefined ? undefined : (((date * 1440 + time.minute) * 60_000) as UtcMillisecond);
};

/** A time as a telegram tells it: always UTC, often without its day. */
export type TelegramTime = {
  /** Day of the month, 1-31; undefined when only hours and minutes are told. */
  readonly day: number | undefined;
  /** Minute of the day, 0-1439. */
  readonly minute: number;
  readonly location: TelegramLocation;
};

/** Reads HHMM (0000-2359) or DDHHMM; undefined when the text is neither. */
export const parseDayTime = (text: string): Omit<TelegramTime, 'location'> | undefined => {
  const match = /^(0[1-9]|[12]\d|3[01])?([01]\d|2[0-3])([0-5]\d)$/.exec(text);
  if (!match) return undefined;
  const [, day, hours, minutes] = match;
  return { day: day === undefined ? undefined : Number(day), minute: Number(hours) * 60 + Number(minutes) };
};

/** Reads the time of an element. Throws a TelegramError that shows the whole element when it is none. */
export const parseTelegramTime = (text: string, place: TelegramLocation): TelegramTime => {
  const time = parseDayTime(text);
  if (time) return { ...time, location: place };
  throw new TelegramError(`'${text}' is no time (HHMM or DDHHMM, UTC).`, place, 'bad-time');
};
