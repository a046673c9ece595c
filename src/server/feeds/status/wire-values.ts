import { z } from 'zod';
import { parseInstant, type UtcMillisecond } from '#domain/status/instants.ts';
import { formatDate, localDate, type LocalDate, MINUTES_A_DAY, toLocalDate } from '#domain/time/dates.ts';

/** Instants and dates outside this range are errors of a source: no status is older than the jet age. `to` is exclusive. */
const validRange = { from: localDate('1950-01-01'), to: localDate('2100-01-01') };

const millisecondsADay = MINUTES_A_DAY * 60_000;

const VALID_RANGE_TEXT = `from ${formatDate(validRange.from)} to ${formatDate(validRange.to)}`;

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
  if (instant === undefined) throw new RangeError(`invalid instant: '${text}'`);
  return instant;
};

/** Parses `YYYY-MM-DD`. Undefined when the text is invalid or the date is not in 1950 to 2099. */
export const parseMessageDate = (text: string): LocalDate | undefined => {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return undefined;
  const date = toLocalDate(parseDigits(text, 0, 4), parseDigits(text, 5, 7), parseDigits(text, 8, 10));
  return date !== undefined && isInValidRange(text, date) ? date : undefined;
};

/**
 * Characters of the basic multilingual plane except controls, line separators, surrogates, and what is invisible or turns the direction of text:
 * a gate that is written backwards on a screen. Works without Unicode mode.
 */
const printable =
  '[ -~\\u00a0-\\u00ac\\u00ae-\\u061b\\u061d-\\u200a\\u2010-\\u2027\\u202f-\\u205f\\u2070-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufff8\\ufffc\\ufffd]';

type TextFormat = {
  /** Its name in the JSON Schema. */
  readonly id: string;
  /** Completes the sentence `must be ...`. */
  readonly description: string;
  readonly pattern: RegExp;
  readonly examples: readonly string[];
};

/** A text of one format. The pattern is for the JSON Schema; where it is not sufficient, `isValid` is used instead. */
const textFormat = (
  { id, description, pattern, examples }: TextFormat,
  isValid = (text: string): boolean => pattern.test(text),
) =>
  z
    .string()
    .refine(isValid, { error: description })
    .meta({ id, description: `Must be ${description}.`, pattern: pattern.source, examples: [...examples] });

/** A text of printable characters. */
const printableText = (id: string, [minimum, maximum]: readonly [number, number], examples: readonly string[]) =>
  textFormat({
    id,
    description: `${minimum} to ${maximum} printable characters`,
    pattern: new RegExp(`^${printable}{${minimum},${maximum}}$`),
    examples,
  });

/** An ISO 8601 date and time with its offset from UTC. */
export const instant = textFormat(
  {
    id: 'Instant',
    description: `a date and time with its offset from UTC like 2027-03-01T11:07:30+01:00, ${VALID_RANGE_TEXT}`,
    pattern:
      /^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$/,
    examples: ['2027-03-01T11:07:30Z', '2027-03-01T11:07:30.120+05:30'],
  },
  (text) => parseMessageInstant(text) !== undefined,
);

/** A local date. */
export const date = textFormat(
  {
    id: 'Date',
    description: `a date like 2027-03-01, ${VALID_RANGE_TEXT}`,
    pattern: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
    examples: ['2027-03-01'],
  },
  (text) => parseMessageDate(text) !== undefined,
);

/** The ID that the source gave a message. */
export const messageId = printableText('MessageId', [1, 200], ['ops-2027-03-01-000417']);

/** The sender of a message. */
export const sourceName = printableText('SourceName', [1, 40], ['feed', 'ops']);

/** The label of a gate, a counter or a belt. */
export const signText = printableText('Sign', [0, 40], ['B32', 'T2', 'NORTH WING']);

/** IATA or ICAO code of a carrier. */
export const carrierCode = textFormat({
  id: 'CarrierCode',
  description: 'a carrier code of 2 or 3 letters and digits',
  pattern: /^[A-Za-z0-9]{2,3}$/,
  examples: ['BA', 'U2', 'BAW'],
});

/** IATA, ICAO or FAA code of an airport. */
export const airportCode = textFormat({
  id: 'AirportCode',
  description: 'an airport code of 3 or 4 letters and digits',
  pattern: /^[A-Za-z0-9]{3,4}$/,
  examples: ['LHR', 'EGLL', '1O2'],
});

/** One letter. */
export const letter = textFormat({ id: 'Letter', description: 'one letter', pattern: /^[A-Za-z]$/, examples: ['A'] });

/** A key of this service. */
export const key = textFormat({
  id: 'Key',
  description: '64 hexadecimal digits',
  pattern: /^[0-9A-Fa-f]{64}$/,
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});

/** A registration (tail number), with or without hyphens. */
export const registration = textFormat({
  id: 'Registration',
  description: 'a registration of 2 to 12 letters, digits and hyphens, the first no hyphen',
  pattern: /^[A-Za-z0-9][A-Za-z0-9-]{1,11}$/,
  examples: ['G-XWBA', 'N342UP'],
});

/** IATA code of an aircraft type. */
export const iataType = textFormat({
  id: 'IataAircraftType',
  description: 'an IATA aircraft type of 3 letters and digits',
  pattern: /^[A-Za-z0-9]{3}$/,
  examples: ['351', '73H'],
});

/** ICAO designator of an aircraft type. */
export const icaoType = textFormat({
  id: 'IcaoAircraftType',
  description: 'an ICAO aircraft type of 2 to 4 letters and digits',
  pattern: /^[A-Za-z0-9]{2,4}$/,
  examples: ['A35K', 'B738'],
});

/** A number of seats. */
export const seatCount = z.int().min(0).max(999).meta({ id: 'SeatCount' });
