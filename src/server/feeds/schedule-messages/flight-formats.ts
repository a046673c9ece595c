import type { MessageElement, MessagePeriod } from '#domain/schedule/messages/schedule-message.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { parseFlightDate, parsePeriod } from './date-formats.ts';
import { parseElements, splitBeforeElements } from './element-formats.ts';
import { rejectField } from './reject-field.ts';

const carrierPattern = '(?:[A-Z]{3}|[A-Z][A-Z0-9]|\\d[A-Z])';
const designatorPattern = `${carrierPattern}\\d{1,4}[A-Z]?`;
const flightDatePattern = '\\d{2}(?:[A-Z]{3}(?:\\d{2})?)?';
const adHocLine = new RegExp(`^${designatorPattern}/${flightDatePattern}(?: |$)`);
const legChange = /^[A-Z]{3}(?:\/[A-Z]{3})+$/;

/** Parses a designator such as `LX544A`. Throws a TelegramError. */
export const parseDesignator = (line: TelegramLine, text: string): Designator => {
  const [, carrier = '', number, suffix = ''] = /^([A-Z]{3}|[A-Z][A-Z0-9]|\d[A-Z])(\d{1,4})([A-Z]?)$/.exec(text) ?? [];
  const flightNumber = Number(number ?? 0);
  if (flightNumber > 0) return { carrier, flightNumber, suffix };
  return rejectField(line, 'flight', [
    text,
    'bad-flight',
    `'${text}' is not a flight (carrier, number 1-9999, suffix).`,
  ]);
};

/** Returns whether a line starts with a flight of an ASM: a designator and a date. */
export const isAdHocFlightLine = ({ text }: TelegramLine): boolean => adHocLine.test(text);

/** Returns whether a line starts with a designator, as a flight of an SSM does. */
export const isFlightLine = ({ text }: TelegramLine): boolean => /^[A-Z0-9]{2,3}\d{1,4}[A-Z]?(?:[ /]|$)/.test(text);

/** Returns whether a line is a leg change identifier: stations such as `ORD/LAS`, and elements for these legs. */
export const isLegChangeLine = ({ text }: TelegramLine): boolean => legChange.test(splitBeforeElements(text)[0]);

/** Parses `ORD/LAS 4/XB`: the stations of the legs concerned, and their elements. Throws a TelegramError. */
export const parseLegChangeLine = (
  line: TelegramLine,
): { readonly stations: readonly string[]; readonly elements: readonly MessageElement[] } => {
  const [text, elements] = splitBeforeElements(line.text);
  return { stations: text.split('/'), elements: parseElements(line, elements) };
};

/** The contents of a flight line. */
export type FlightHead = {
  readonly flight: Designator;
  /** ASM: the flight date. */
  readonly date: LocalDate | undefined;
  /** ASM: the stations of the legs concerned. */
  readonly legChange: readonly string[] | undefined;
  readonly newFlight: Designator | undefined;
  /** SSM: the existing period of REV. */
  readonly period: MessagePeriod | undefined;
  readonly elements: readonly MessageElement[];
};

const rejectLine = (line: TelegramLine, message: string): never =>
  rejectField(line, 'flight', [line.text, 'bad-flight', message]);

/** Parses `XA766/05DEC26 ORD/LAS XA7660/05DEC26 2/XB`. Throws a TelegramError. */
export const parseAdHocFlightLine = (line: TelegramLine, createdOn: LocalDate): FlightHead => {
  const [text, elements] = splitBeforeElements(line.text);
  const [first = '', ...words] = text.split(' ');
  const parseDated = (word: string): { readonly flight: Designator; readonly date: LocalDate | undefined } => {
    const [designator = '', date, ...rest] = word.split('/');
    if (rest.length > 0) rejectLine(line, `'${word}' is not a flight with a date.`);
    return {
      flight: parseDesignator(line, designator),
      date: date === undefined ? undefined : parseFlightDate(line, date, createdOn),
    };
  };
  const { flight, date } = parseDated(first);
  if (date === undefined)
    return rejectField(line, 'flight', [line.text, 'no-date', 'A flight of an ASM requires a date.']);
  const stations = words.filter((word) => legChange.test(word));
  const flights = words.filter((word) => !legChange.test(word)).map(parseDated);
  const [renamed] = flights;
  if (stations.length > 1 || flights.length > 1)
    return rejectLine(line, 'A flight line has at most one leg change identifier and one new flight.');
  if (renamed && (renamed.date ?? date) !== date) return rejectLine(line, 'The new flight has another date.');
  return {
    flight,
    date,
    legChange: stations[0]?.split('/'),
    newFlight: renamed?.flight,
    period: undefined,
    elements: parseElements(line, elements),
  };
};

/** Parses `XA768 01DEC26 31JAN27 1234567 2/XB`, or `XA768 XA7680`. Throws a TelegramError. */
export const parsePeriodicFlightLine = (line: TelegramLine, createdOn: LocalDate): FlightHead => {
  const [text, elements] = splitBeforeElements(line.text);
  const [designator = '', ...words] = text.split(' ');
  const rest = words.join(' ');
  const head = { flight: parseDesignator(line, designator), date: undefined, legChange: undefined };
  const isPeriod = /^\d{2}[A-Z]{3}/.test(rest);
  return {
    ...head,
    newFlight: rest === '' || isPeriod ? undefined : parseDesignator(line, rest),
    period: isPeriod ? parsePeriod(line, rest, { createdOn, allowsNoDays: false }) : undefined,
    elements: parseElements(line, elements),
  };
};
