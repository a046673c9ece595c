import { FeedError } from '../feed-error.ts';
import { textAt, type Columns } from '../ssim/fields.ts';

const title = 'MINIMUM CONNECT TIME DATA SET';

/** Byte columns of a record 1, 1-based and inclusive (SSIM chapter 8). Who made the file, and when, is not kept. */
const columns = { start: [1, 31], content: [78, 78] } as const;

const refuse = (
  record: string,
  at: Columns,
  detail: readonly [line: number, reason: string, message: string],
): never => {
  const [line, reason, message] = detail;
  throw new FeedError(message, { line, bytes: at, value: textAt(record, at).trimEnd(), reason });
};

/** Looks whether a record of 200 bytes begins a file of all minimum connecting times. Throws a FeedError. */
export const checkHeader = (record: string, line: number): void => {
  if (textAt(record, columns.start).trimEnd() !== `1${title}`)
    refuse(record, columns.start, [line, 'no-header', 'The file does not begin with an SSIM chapter 8 header record.']);
  const content = textAt(record, columns.content);
  if (content === 'U')
    refuse(record, columns.content, [
      line,
      'updates',
      'The file holds updates of another one; only files that hold everything (F) can be loaded.',
    ]);
  if (content !== 'F')
    refuse(record, columns.content, [line, 'bad-content', `'${content}' is no content of a file (F or U).`]);
};
