import { z } from 'zod';
import { VALID_RANGE_TEXT, parseMessageDate, parseMessageInstant } from './parse-instant.ts';

/** Characters of the basic multilingual plane except controls, line separators and surrogates; works without Unicode mode. */
const printable = '[ -~\\u00a0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufffd]';

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
