import { type MctStatus, mctStatuses } from '#domain/connections/mct/mct-record.ts';
import { isRegion } from '#domain/connections/mct/region-countries.ts';
import { FeedError } from '../feed-error.ts';
import { createPatternFormat, readText, type Columns, type FieldFormat } from '../text/fixed-width.ts';

/** A field of a record: its name in reports, its bytes and its format. */
export type MctField<T> = { readonly name: string; readonly columns: Columns; readonly format: FieldFormat<T> };

/** Returns the value of a field, undefined when it is blank. Throws a FeedError when it does not match the format. */
export const readField = <T>(record: string, { name, columns, format }: MctField<T>): T | undefined => {
  const text = readText(record, columns);
  if (text.trim() === '') return undefined;
  const value = format.parse(text);
  if (value !== undefined) return value;
  throw new FeedError(`'${text}' is not ${format.description}.`, {
    field: name,
    bytes: columns,
    value: text,
    reason: format.reason,
  });
};

/** Files of minimum connecting times have designators of two characters only. */
const designator = /^(?=.*[A-Z])[A-Z0-9]{2}$/;
export const carrierFormat = createPatternFormat('bad-carrier', 'an airline designator of two characters', designator);
/** The carrier of a partner list has three bytes and uses two. */
export const listedCarrierFormat = createPatternFormat(
  'bad-carrier',
  'an airline designator of two characters followed by a blank',
  /^(?=.*[A-Z])[A-Z0-9]{2} $/,
);
export const countryFormat = createPatternFormat('bad-country', 'a country of two letters', /^[A-Z]{2}$/);
/** Provinces of Argentina have one letter. */
export const stateFormat = createPatternFormat(
  'bad-state',
  'a state (one or two letters, left-justified)',
  /^[A-Z][A-Z ]$/,
);
export const terminalFormat = createPatternFormat(
  'bad-terminal',
  'a terminal (one or two letters or digits, left-justified)',
  /^[A-Z0-9]{1,2} ?$/,
);

export const regionFormat: FieldFormat<string> = {
  reason: 'unknown-region',
  description: 'a known region',
  parse: (text) => (isRegion(text) ? text : undefined),
};

export const statusFormat: FieldFormat<MctStatus> = {
  reason: 'bad-status',
  description: 'a status (DD, DI, ID or II)',
  parse: (text) => mctStatuses.find((candidate) => candidate === text),
};

/** HHMM from 0000 to 9959, in minutes. */
export const timeFormat: FieldFormat<number> = {
  reason: 'bad-time',
  description: 'a time (HHMM, 0000-9959)',
  parse: (text) => (/^\d\d[0-5]\d$/.test(text) ? Number(text.slice(0, 2)) * 60 + Number(text.slice(2)) : undefined),
};

export const flagFormat: FieldFormat<true> = {
  reason: 'bad-flag',
  description: 'a codeshare flag (Y or blank)',
  parse: (text) => text === 'Y' || undefined,
};

export const bodyFormat: FieldFormat<'W' | 'N'> = {
  reason: 'bad-body',
  description: 'an aircraft body (W or N)',
  parse: (text) => (text === 'W' || text === 'N' ? text : undefined),
};

/** Both ends of a flight range have four digits. */
export const flightOfRangeFormat: FieldFormat<number> = {
  reason: 'bad-flight-number',
  description: 'a flight number of four digits',
  parse: (text) => (/^\d{4}$/.test(text) ? Number(text) : undefined),
};

export const suppressionFormat: FieldFormat<'Y' | 'N'> = {
  reason: 'bad-suppression',
  description: 'a suppression indicator (Y, N or blank)',
  parse: (text) => (text === 'Y' || text === 'N' ? text : undefined),
};

/** Update files contain actions to add and delete; full files can only add. */
export const actionFormat: FieldFormat<'A'> = {
  reason: 'bad-action',
  description: 'the action of a full file (A or blank)',
  parse: (text) => (text === 'A' ? text : undefined),
};
