import { FeedError } from '../feed-error.ts';
import type { TextLine } from '../text/lines.ts';

const RECORD_LENGTH = 200;

/** The last six bytes of a record are its serial number; the content ends here. */
export const CONTENT_LENGTH = 194;

const endOfFileMark = '\u001a';
const unprintable = /[^\x20-\x7e]/;

/** Whether a line has no content: a zero record that fills up a physical block, a blank line, or the end-of-file mark of old systems. */
export const isFiller = (text: string): boolean => /^0*$/.test(text) || text.trim() === '' || text === endOfFileMark;

/**
 * Returns the record of a line at its full length of 200 bytes. Trailing blanks may be missing only in files without serial numbers:
 * a numbered record that is shorter has lost something. Throws a FeedError.
 */
export const parseRecordLine = ({ text, number }: TextLine, isNumbered: boolean): string => {
  const invalid = unprintable.exec(text);
  if (invalid !== null) {
    const position = invalid.index + 1;
    const value = `byte 0x${(invalid[0].codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
    const message = 'The record contains a byte that is not printable ASCII, so its columns may be shifted.';
    throw new FeedError(message, { line: number, bytes: [position, position], value, reason: 'not-ascii' });
  }
  if (text.length === RECORD_LENGTH) return text;
  const trimmed = text.trimEnd();
  if (trimmed.length === RECORD_LENGTH || (!isNumbered && trimmed.length <= CONTENT_LENGTH))
    return trimmed.padEnd(RECORD_LENGTH);
  const isLong = trimmed.length > RECORD_LENGTH;
  const message = isLong
    ? 'The record is longer than 200 bytes.'
    : 'The record is shorter than 200 bytes, and missing trailing blanks do not explain it.';
  const bytes = isLong ? ([RECORD_LENGTH + 1, text.length] as const) : ([trimmed.length + 1, RECORD_LENGTH] as const);
  throw new FeedError(message, { line: number, bytes, value: `${text.length} bytes`, reason: 'bad-length' });
};

/** Throws a FeedError when the file ends within a record. */
export const assertComplete = ({ number, text, isTerminated }: TextLine): void => {
  if (isTerminated || text.length >= RECORD_LENGTH) return;
  throw new FeedError('The file ends within a record, so it is incomplete.', {
    line: number,
    bytes: [text.length + 1, RECORD_LENGTH],
    value: text.slice(0, 14),
    reason: 'cut-record',
  });
};

/** Throws a FeedError for a record of a type that the file cannot have. */
export const rejectRecordType = (type: string): never => {
  throw new FeedError(`Unexpected record type '${type}'.`, { bytes: [1, 1], value: type, reason: 'bad-record-type' });
};
