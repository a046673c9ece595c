import { TelegramError, type Place } from './telegram-error.ts';

/** A time as a telegram tells it: always UTC, often without its day. */
export type ToldTime = {
  /** Day of the month, 1-31; undefined when only hours and minutes are told. */
  readonly day: number | undefined;
  /** Minute of the day, 0-1439. */
  readonly minute: number;
  readonly place: Place;
};

/** Reads HHMM (0000-2359) or DDHHMM; undefined when the text is neither. */
export const parseDayTime = (text: string): Omit<ToldTime, 'place'> | undefined => {
  const match = /^(0[1-9]|[12]\d|3[01])?([01]\d|2[0-3])([0-5]\d)$/.exec(text);
  if (!match) return undefined;
  const [, day, hours, minutes] = match;
  return { day: day === undefined ? undefined : Number(day), minute: Number(hours) * 60 + Number(minutes) };
};

/** Reads the time of an element. Throws a TelegramError that shows the whole element when it is none. */
export const readToldTime = (text: string, place: Place): ToldTime => {
  const time = parseDayTime(text);
  if (time) return { ...time, place };
  throw new TelegramError(`'${text}' is no time (HHMM or DDHHMM, UTC).`, place, 'bad-time');
};
