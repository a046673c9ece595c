import { type MctStatus, mctStatuses } from '../../domain/connections/mct/mct-record.ts';
import { isRegion } from '../../domain/connections/mct/region-countries.ts';
import { FeedError } from '../feed-error.ts';
import { createPatternFormat, readText, type Columns, type FieldFormat } from '../text/fixed-width.ts';

/** What is wrong with one record: the field and its bytes, what stood there, a code to count by and a sentence. */
type RecordErrorOptions = {
  readonly field: string;
  readonly columns: Columns;
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** One field for which its whole record cannot be taken. */
export class RecordError extends FeedError {
  readonly field: string;

  constructor({ field, columns, value, reason, message }: RecordErrorOptions) {
    super(message, { bytes: columns, value, reason });
    this.name = 'RecordError';
    this.field = field;
  }
}

/** A field of a record: the name it is reported under, its bytes, and the kind of value it holds. */
export type MctField<T> = { readonly name: string; readonly columns: Columns; readonly kind: FieldFormat<T> };

/** The value of a field, undefined when it is blank. Throws a RecordError when it is not of its kind. */
export const readField = <T>(record: string, { name, columns, kind }: MctField<T>): T | undefined => {
  const text = readText(record, columns);
  if (text.trim() === '') return undefined;
  const value = kind.parse(text);
  if (value !== undefined) return value;
  throw new RecordError({
    field: name,
    columns,
    value: text,
    reason: kind.reason,
    message: `'${text}' is not ${kind.description}.`,
  });
};

/** Files of minimum connecting times know designators of two characters only. */
const designator = /^(?=.*[A-Z])[A-Z0-9]{2}$/;
export const carrier = createPatternFormat('bad-carrier', 'an airline designator of two characters', designator);
/** The carrier of a list of partners has three bytes, of which it uses two. */
export const listedCarrier = createPatternFormat(
  'bad-carrier',
  'an airline designator of two characters and a blank',
  /^(?=.*[A-Z])[A-Z0-9]{2} $/,
);
export const country = createPatternFormat('bad-country', 'a country of two letters', /^[A-Z]{2}$/);
export const state = createPatternFormat('bad-state', 'a state of two letters', /^[A-Z]{2}$/);
export const terminal = createPatternFormat(
  'bad-terminal',
  'a terminal (one or two letters or digits, left-justified)',
  /^[A-Z0-9]{1,2} ?$/,
);

export const region: FieldFormat<string> = {
  reason: 'unknown-region',
  description: 'a region that is known',
  parse: (text) => (isRegion(text) ? text : undefined),
};

export const status: FieldFormat<MctStatus> = {
  reason: 'bad-status',
  description: 'a status (DD, DI, ID or II)',
  parse: (text) => mctStatuses.find((known) => known === text),
};

/** Minutes of HHMM from 0000 to 9959. */
export const time: FieldFormat<number> = {
  reason: 'bad-time',
  description: 'a time (HHMM, 0000-9959)',
  parse: (text) => (/^\d\d[0-5]\d$/.test(text) ? Number(text.slice(0, 2)) * 60 + Number(text.slice(2)) : undefined),
};

export const flag: FieldFormat<true> = {
  reason: 'bad-flag',
  description: 'a codeshare flag (Y or blank)',
  parse: (text) => text === 'Y' || undefined,
};

export const body: FieldFormat<'W' | 'N'> = {
  reason: 'bad-body',
  description: 'an aircraft body (W or N)',
  parse: (text) => (text === 'W' || text === 'N' ? text : undefined),
};

/** Four digits, so that both ends of a range are written out. */
export const flightOfRange: FieldFormat<number> = {
  reason: 'bad-flight-number',
  description: 'a flight number of four digits',
  parse: (text) => (/^\d{4}$/.test(text) ? Number(text) : undefined),
};

export const suppression: FieldFormat<'Y' | 'N'> = {
  reason: 'bad-suppression',
  description: 'a suppression indicator (Y, N or blank)',
  parse: (text) => (text === 'Y' || text === 'N' ? text : undefined),
};

/** Files of updates name what they add and delete; in a file of everything a record can only be added. */
export const action: FieldFormat<'A'> = {
  reason: 'bad-action',
  description: 'the action of a file of everything (A or blank)',
  parse: (text) => (text === 'A' ? text : undefined),
};
