import { type MctStatus, mctStatuses } from '../../domain/connections/mct/mct-record.ts';
import { isRegion } from '../../domain/connections/mct/region-countries.ts';
import { FeedError } from '../feed-error.ts';
import { type Columns, type Kind, textAt } from '../ssim/field-formats.ts';

/** What is wrong with one record: the field and its bytes, what stood there, a code to count by and a sentence. */
type RecordFault = {
  readonly field: string;
  readonly columns: Columns;
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** One field for which its whole record cannot be taken. */
export class RecordError extends FeedError {
  readonly field: string;

  constructor({ field, columns, value, reason, message }: RecordFault) {
    super(message, { bytes: columns, value, reason });
    this.name = 'RecordError';
    this.field = field;
  }
}

/** A field of a record: the name it is reported under, its bytes, and the kind of value it holds. */
export type Field<T> = { readonly name: string; readonly columns: Columns; readonly kind: Kind<T> };

/** The value of a field, undefined when it is blank. Throws a RecordError when it is not of its kind. */
export const readField = <T>(record: string, { name, columns, kind }: Field<T>): T | undefined => {
  const text = textAt(record, columns);
  if (text.trim() === '') return undefined;
  const value = kind.read(text);
  if (value !== undefined) return value;
  throw new RecordError({
    field: name,
    columns,
    value: text,
    reason: kind.reason,
    message: `'${text}' is not ${kind.is}.`,
  });
};

const matching = (reason: string, is: string, pattern: RegExp): Kind<string> => ({
  reason,
  is,
  read: (text) => (pattern.test(text) ? text.trimEnd() : undefined),
});

/** Files of minimum connecting times know designators of two characters only. */
const designator = /^(?=.*[A-Z])[A-Z0-9]{2}$/;
export const carrier = matching('bad-carrier', 'an airline designator of two characters', designator);
/** The carrier of a list of partners has three bytes, of which it uses two. */
export const listedCarrier = matching(
  'bad-carrier',
  'an airline designator of two characters and a blank',
  /^(?=.*[A-Z])[A-Z0-9]{2} $/,
);
export const country = matching('bad-country', 'a country of two letters', /^[A-Z]{2}$/);
export const state = matching('bad-state', 'a state of two letters', /^[A-Z]{2}$/);
export const terminal = matching(
  'bad-terminal',
  'a terminal (one or two letters or digits, left-justified)',
  /^[A-Z0-9]{1,2} ?$/,
);

export const region: Kind<string> = {
  reason: 'unknown-region',
  is: 'a region that is known',
  read: (text) => (isRegion(text) ? text : undefined),
};

export const status: Kind<MctStatus> = {
  reason: 'bad-status',
  is: 'a status (DD, DI, ID or II)',
  read: (text) => mctStatuses.find((known) => known === text),
};

/** Minutes of HHMM from 0000 to 9959. */
export const time: Kind<number> = {
  reason: 'bad-time',
  is: 'a time (HHMM, 0000-9959)',
  read: (text) => (/^\d\d[0-5]\d$/.test(text) ? Number(text.slice(0, 2)) * 60 + Number(text.slice(2)) : undefined),
};

export const flag: Kind<true> = {
  reason: 'bad-flag',
  is: 'a codeshare flag (Y or blank)',
  read: (text) => text === 'Y' || undefined,
};

export const body: Kind<'W' | 'N'> = {
  reason: 'bad-body',
  is: 'an aircraft body (W or N)',
  read: (text) => (text === 'W' || text === 'N' ? text : undefined),
};

/** Four digits, so that both ends of a range are written out. */
export const flightOfRange: Kind<number> = {
  reason: 'bad-flight-number',
  is: 'a flight number of four digits',
  read: (text) => (/^\d{4}$/.test(text) ? Number(text) : undefined),
};

export const suppression: Kind<'Y' | 'N'> = {
  reason: 'bad-suppression',
  is: 'a suppression indicator (Y, N or blank)',
  read: (text) => (text === 'Y' || text === 'N' ? text : undefined),
};

/** Files of updates name what they add and delete; in a file of everything a record can only be added. */
export const action: Kind<'A'> = {
  reason: 'bad-action',
  is: 'the action of a file of everything (A or blank)',
  read: (text) => (text === 'A' ? text : undefined),
};
