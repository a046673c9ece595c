import type { MessagePeriod, MessageReference } from '#domain/schedule/messages/schedule-message.ts';
import { addDays, formatDate, toLocalDate, type LocalDate } from '#domain/time/dates.ts';
import { EVERY_DAY, findFirstDate, toDaySet } from '#domain/time/period.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { rejectField } from './reject-field.ts';

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const getYear = (date: LocalDate): number => new Date(date * 86_400_000).getUTCFullYear();

type DayMonth = { readonly day: number; readonly month: number; readonly year: number | undefined };

const parseDayMonth = (text: string): DayMonth | undefined => {
  const [, day = '', month = '', year] = /^(\d{2})([A-Z]{3})(\d{2})?$/.exec(text) ?? [];
  const monthNumber = months.indexOf(month) + 1;
  if (monthNumber === 0) return undefined;
  return { day: Number(day), month: monthNumber, year: year === undefined ? undefined : 2000 + Number(year) };
};

/** 29 February can be up to eight years away. */
const yearsAround = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Lists the dates that a text can mean around another date, ascending; one with a year means one date. */
const listMeanings = ({ day, month, year }: DayMonth, around: LocalDate): readonly LocalDate[] =>
  (year === undefined ? yearsAround.map((shift) => getYear(around) + shift) : [year]).flatMap(
    (each) => toLocalDate(each, month, day) ?? [],
  );

const rejectDate = (line: TelegramLine, text: string): never =>
  rejectField(line, 'date', [text, 'bad-date', `'${text}' is not a date (DDMMM or DDMMMYY).`]);

/** A message can be about days that ended while it was on its way. */
const MAX_DAYS_BACK = 3;

/**
 * Parses the date of a flight: DDMMMYY, DDMMM or the day alone. A date without month or year is the nearest such date, which is at most three days
 * before the creation date. Throws a TelegramError.
 */
export const parseFlightDate = (line: TelegramLine, text: string, createdOn: LocalDate): LocalDate => {
  const earliest = addDays(createdOn, -MAX_DAYS_BACK);
  if (/^\d{2}$/.test(text)) {
    const day = Number(text);
    // Every day up to 31 is in one of two successive months.
    for (let date = earliest; date < earliest + 70; date = addDays(date, 1))
      if (Number(formatDate(date).slice(8)) === day) return date;
    return rejectDate(line, text);
  }
  const parsed = parseDayMonth(text);
  const meanings = parsed ? listMeanings(parsed, createdOn) : [];
  const date = parsed?.year === undefined ? meanings.find((each) => each >= earliest) : meanings[0];
  return date ?? rejectDate(line, text);
};

/** Parses a message reference; undefined when the line is none. The year of its date is that nearest to the receipt. */
export const parseReference = ({ text }: TelegramLine, receivedOn: LocalDate): MessageReference | undefined => {
  const [, date = '', group, end, part] = /^(\d{2}[A-Z]{3})(\d{5})([CE])(\d{3})(?: ?\/.*)?$/.exec(text) ?? [];
  const parsed = parseDayMonth(date);
  const dates = parsed ? listMeanings(parsed, receivedOn) : [];
  const [createdOn] = dates.toSorted((a, b) => Math.abs(a - receivedOn) - Math.abs(b - receivedOn));
  if (group === undefined || createdOn === undefined || Number(part) === 0) return undefined;
  return { text, createdOn, group, part: Number(part), isLast: end === 'E' };
};

/** Senders cancel whole seasons and more; a longer period is an error in a year. */
const MAX_PERIOD_DAYS = 7305;

/**
 * Returns the first and last day of a period. Without years, it is the period that contains the creation date, or else the nearest ahead; one that
 * ended yesterday counts too, for messages across midnight.
 */
const findSpan = (
  fromText: DayMonth,
  toText: DayMonth,
  createdOn: LocalDate,
): readonly [LocalDate, LocalDate] | undefined => {
  const spans = listMeanings(fromText, createdOn).flatMap((from) => {
    const to = listMeanings(toText, toText.year === undefined ? from : createdOn).find((each) => each >= from);
    return to === undefined ? [] : [[from, to] as const];
  });
  // Of several starts before an end with a year, the last is meant.
  const fits = toText.year === undefined ? spans : spans.slice(-1);
  return fits.find(([, to]) => to >= createdOn - 1) ?? fits.at(-1);
};

type PeriodText = {
  readonly from: DayMonth;
  readonly to: DayMonth | undefined;
  readonly days: string;
  readonly rate: string | undefined;
};

const OPEN_DATE = '00XXX00';
const datePattern = '\\d{2}[A-Z]{3}(?:\\d{2})?';
const periodPattern = new RegExp(`^(${datePattern})(?: (${datePattern}))?(?: ([1-7]{1,7}))?(?: ?/W(\\d))?$`);

const splitPeriod = (line: TelegramLine, text: string): PeriodText => {
  const [, fromText = '', toText = OPEN_DATE, days = '', rate] = periodPattern.exec(text) ?? [];
  const [from, to] = [parseDayMonth(fromText), parseDayMonth(toText)];
  if (!from || (!to && toText !== OPEN_DATE))
    return rejectField(line, 'period', [
      text,
      'bad-period',
      `'${text}' is not a period (from, to, days of operation).`,
    ]);
  return { from, to, days, rate };
};

/** Returns whether a line starts with a date, as a period does. */
export const isPeriodLine = ({ text }: TelegramLine): boolean => /^\d{2}[A-Z]{3}(?:\d{2})?(?: |$)/.test(text);

type PeriodOptions = {
  readonly createdOn: LocalDate;
  /** Whether the days of operation can be absent: every day is meant. */
  readonly allowsNoDays: boolean;
};

/** Parses `01JUN26 28SEP26 135/W2`; without an end, or with 00XXX00, it ends with what is filed. Throws a TelegramError. */
export const parsePeriod = (
  line: TelegramLine,
  text: string,
  { createdOn, allowsNoDays }: PeriodOptions,
): MessagePeriod => {
  const reject = (reason: string, message: string): never => rejectField(line, 'period', [text, reason, message]);
  const { from: fromText, to: toText, days, rate } = splitPeriod(line, text);
  if (days === '' && !allowsNoDays) return reject('bad-period', `'${text}' has no days of operation.`);
  if ([...days].toSorted().join('') !== days || new Set(days).size < days.length)
    return reject('bad-days', 'Days of operation are ascending digits 1 to 7.');
  if (rate !== undefined && rate !== '1' && rate !== '2')
    return reject('bad-frequency', `Frequency rate W${rate} is not supported (W1, W2).`);
  const operation = {
    days: days === '' ? EVERY_DAY : toDaySet(...[...days].map((digit) => Number(digit) as 1)),
    everyWeeks: rate === '2' ? (2 as const) : (1 as const),
  };
  if (toText === undefined) {
    const from = listMeanings(fromText, createdOn).find((each) => fromText.year !== undefined || each >= createdOn - 1);
    return from === undefined ? rejectDate(line, text) : { from, to: from, isOpen: true, ...operation };
  }
  const [from, to] = findSpan(fromText, toText, createdOn) ?? [];
  if (from === undefined || to === undefined)
    return listMeanings(fromText, createdOn).length === 0 || listMeanings(toText, createdOn).length === 0
      ? rejectDate(line, text)
      : reject('bad-period', 'The period ends before it begins.');
  const period = { from, to, ...operation };
  if (to - from > MAX_PERIOD_DAYS) return reject('bad-period', `The period is longer than ${MAX_PERIOD_DAYS} days.`);
  if (findFirstDate(period, period) === undefined)
    return reject('never-operates', 'No day of operation falls within the period.');
  return period;
};
