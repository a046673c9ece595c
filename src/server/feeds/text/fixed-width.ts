import { FeedError } from '../feed-error.ts';

/** Byte positions in a record, 1-based, both included. */
export type Columns = readonly [number, number];

/** The format of a field: `parse` returns undefined for text that does not match, `description` says what was expected. */
export type FieldFormat<T> = {
  readonly reason: string;
  readonly description: string;
  readonly parse: (text: string) => T | undefined;
};

/** Returns the text in some columns of a record. */
export const readText = (record: string, [from, to]: Columns): string => record.slice(from - 1, to);

/** Returns the value in some columns. Throws a FeedError with the columns and their text when the text does not match the format. */
export const readValue = <T>(record: string, columns: Columns, format: FieldFormat<T>): T => {
  const text = readText(record, columns);
  const value = format.parse(text);
  if (value !== undefined) return value;
  throw new FeedError(`'${text}' is not ${format.description}.`, {
    bytes: columns,
    value: text,
    reason: format.reason,
  });
};

/** Returns the format of texts that match a pattern; blanks at the end are not part of the value. */
export const createPatternFormat = (reason: string, description: string, pattern: RegExp): FieldFormat<string> => ({
  reason,
  description,
  parse: (text) => (pattern.test(text) ? text.trimEnd() : undefined),
});

/** Returns the format of whole numbers that match a pattern. */
export const createNumberFormat = (reason: string, description: string, pattern: RegExp): FieldFormat<number> => ({
  reason,
  description,
  parse: (text) => (pattern.test(text) ? Number(text) : undefined),
});
