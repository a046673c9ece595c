import { z } from 'zod';
import { VALID_RANGE_TEXT, parseMessageDate, parseMessageInstant } from './parse-instant.ts';

/** Every character of the basic plane that is no control, line separator or half of a pair; the class needs no Unicode mode to work. */
const printable = '[ -~\\u00a0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufffd]';

type TextFormat = {
  /** Its name in the JSON Schema. */
  readonly id: string;
  /** Completes the sentence `must be ...`. */
  readonly words: string;
  readonly pattern: RegExp;
  readonly examples: readonly string[];
};

/** A text of one form. The pattern goes into the JSON Schema; where it cannot say all, `isValid` decides instead of it. */
const textFormat = (
  { id, words, pattern, examples }: TextFormat,
  isValid = (text: string): boolean => pattern.test(text),
) =>
  z
    .string()
    .refine(isValid, { error: words })
    .meta({ id, description: `Must be ${words}.`, pattern: pattern.source, examples: [...examples] });

/** Up to `most` characters that can be shown. */
const printableText = (id: string, [least, most]: readonly [number, number], examples: readonly string[]) =>
  textFormat({
    id,
    words: `${least} to ${most} printable characters`,
    pattern: new RegExp(`^${printable}{${least},${most}}$`),
    examples,
  });

/** An ISO 8601 date and time with its offset from UTC. */
export const instant = textFormat(
  {
    id: 'Instant',
    words: `a date and time with its offset from UTC like 2027-03-01T11:07:30+01:00, ${VALID_RANGE_TEXT}`,
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
    words: `a date like 2027-03-01, ${VALID_RANGE_TEXT}`,
    pattern: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
    examples: ['2027-03-01'],
  },
  (text) => parseMessageDate(text) !== undefined,
);

/** The source's own name of a message. */
export const messageId = printableText('MessageId', [1, 200], ['ops-2027-03-01-000417']);

/** Who sends a message. */
export const sourceName = printableText('SourceName', [1, 40], ['feed', 'ops']);

/** What is painted over a gate, a counter or a belt. */
export const signText = printableText('Sign', [0, 40], ['B32', 'T2', 'NORTH WING']);

/** IATA or ICAO code of a carrier. */
export const carrierCode = textFormat({
  id: 'CarrierCode',
  words: 'a carrier code of 2 or 3 letters and digits',
  pattern: /^[A-Za-z0-9]{2,3}$/,
  examples: ['BA', 'U2', 'BAW'],
});

/** IATA, ICAO or FAA code of an airport. */
export const airportCode = textFormat({
  id: 'AirportCode',
  words: 'an airport code of 3 or 4 letters and digits',
  pattern: /^[A-Za-z0-9]{3,4}$/,
  examples: ['LHR', 'EGLL', '1O2'],
});

/** One letter. */
export const letter = textFormat({ id: 'Letter', words: 'one letter', pattern: /^[A-Za-z]$/, examples: ['A'] });

/** A key of this service. */
export const key = textFormat({
  id: 'Key',
  words: '64 hexadecimal digits',
  pattern: /^[0-9A-Fa-f]{64}$/,
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});

/** A tail number, with or without hyphens. */
export const registration = textFormat({
  id: 'Registration',
  words: 'a registration of 2 to 12 letters, digits and hyphens, the first no hyphen',
  pattern: /^[A-Za-z0-9][A-Za-z0-9-]{1,11}$/,
  examples: ['G-XWBA', 'N342UP'],
});

/** IATA code of an aircraft type. */
export const iataType = textFormat({
  id: 'IataAircraftType',
  words: 'an IATA aircraft type of 3 letters and digits',
  pattern: /^[A-Za-z0-9]{3}$/,
  examples: ['351', '73H'],
});

/** ICAO designator of an aircraft type. */
export const icaoType = textFormat({
  id: 'IcaoAircraftType',
  words: 'an ICAO aircraft type of 2 to 4 letters and digits',
  pattern: /^[A-Za-z0-9]{2,4}$/,
  examples: ['A35K', 'B738'],
});

/** How many seats there are. */
export const seatCount = z.int().min(0).max(999).meta({ id: 'SeatCount' });
