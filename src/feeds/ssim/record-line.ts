import { FeedError } from '../feed-error.ts';
import type { TextLine } from '../text/lines.ts';

export const RECORD_LENGTH = 200;

/** The last six bytes of a record are its serial number; a record without one ends here at the latest. */
export const CONTENT_LENGTH = 194;

const endOfFileMark = '\u001a';
const unprintable = /[^\x20-\x7e]/;

/** Whether a line carries nothing: zero records fill up physical blocks; blank lines and the end mark of old systems occur as well. */
export const isFiller = (text: string): boolean => /^0*$/.test(text) || text.trim() === '' || text === endOfFileMark;

/**
 * The record of a line at its full length of 200 bytes. Trailing blanks may have been trimmed, but only in a file that does not number its
 * records: with a serial number at its end, a shorter record has lost something. Throws a FeedError.
 */
export const parseRecordLine = ({ text, number: line }: TextLine, isNumbered: boolean): string => {
  const odd = unprintable.exec(text);
  if (odd !== null) {
    const at = odd.index + 1;
    const value = `byte 0x${(odd[0].codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
    const message = 'The record holds a byte that is no printable ASCII character, so its columns cannot be trusted.';
    throw new FeedError(message, { line, bytes: [at, at], value, reason: 'not-ascii' });
  }
  if (text.length === RECORD_LENGTH) return text;
  const trimmed = text.trimEnd();
  if (trimmed.length === RECORD_LENGTH || (!isNumbered && trimmed.length <= CONTENT_LENGTH))
    return trimmed.padEnd(RECORD_LENGTH);
  const isLong = trimmed.length > RECORD_LENGTH;
  const message = isLong
    ? 'The record is longer than 200 bytes.'
    : 'The record is shorter than 200 bytes and not for want of trailing blanks.';
  const bytes = isLong ? ([RECORD_LENGTH + 1, text.length] as const) : ([trimmed.length + 1, RECORD_LENGTH] as const);
  throw new FeedError(message, { line, bytes, value: `${text.length} bytes`, reason: 'bad-length' });
};
