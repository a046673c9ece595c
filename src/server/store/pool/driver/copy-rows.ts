import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getErrorCode } from '#lib/error-code.ts';
import type { Sql } from './values.ts';

/** Returns a value in the text format of COPY: escapes backslashes, tabs and line breaks. */
export const copyText = (value: string): string =>
  /[\\\t\n\r]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : value;

/** Size of a write: large enough to be cheap, small enough that the database works while the next one is prepared. */
const CHUNK_CHARACTERS = 256 * 1024;

const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(Buffer.from(text), (error) => (error ? reject(error) : resolve()));
  });

/** Writes lines in chunks and returns their number. */
const writeLines = async (stream: Writable, lines: Iterable<string> | AsyncIterable<string>): Promise<number> => {
  let chunk: string[] = [];
  let characters = 0;
  let count = 0;
  let writing: Promise<void> = Promise.resolve();
  for await (const line of lines) {
    chunk.push(line, '\n');
    characters += line.length;
    count += 1;
    if (characters < CHUNK_CHARACTERS) continue;
    // The chunk before is awaited only now: lines are prepared while the database reads it.
    await writing;
    writing = write(stream, chunk.join(''));
    writing.catch(() => {});
    chunk = [];
    characters = 0;
  }
  await writing;
  if (chunk.length > 0) await write(stream, chunk.join(''));
  return count;
};

const isTransactionAborted = (error: unknown): boolean => getErrorCode(error) === '25P02';

/**
 * Sends lines in the text format of COPY (without line ends) through `copy ... from stdin` and returns how many there were. Throws when the
 * server rejects them. `sql` must be a transaction: the driver (3.4.9) never settles a COPY that the server rejects after its end, so the
 * next statement of the transaction shows whether it succeeded.
 */
export const copyRows = async (
  sql: Sql,
  copy: ReturnType<Sql>,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<number> => {
  const stream = await copy.writable();
  let streamError: Error | undefined;
  // The next write fails with it too. Without a listener, the loss of the connection would end the process.
  stream.on('error', (error) => {
    streamError ??= error;
  });
  let count: number;
  try {
    count = await writeLines(stream, lines);
  } catch (error) {
    // Aborts the COPY; otherwise its transaction would stay open, with every lock it holds.
    stream.destroy(error instanceof Error ? error : new Error(String(error)));
    // The loss of the connection itself becomes known a turn later; nothing can be aborted then.
    await nextTurn();
    await Promise.resolve(sql`select 1`).catch(() => {});
    // After an error of the server, e.g. a full disk, `error` says only that the stream was destroyed.
    throw streamError ?? error;
  }
  if (streamError) throw streamError;
  const finished = new Promise<void>((resolve, reject) => {
    stream.once('error', reject);
    stream.end(resolve);
  });
  try {
    await Promise.race([finished, sql`select 1`]);
    await sql`select 1`;
  } catch (error) {
    if (isTransactionAborted(error)) throw new Error('the database rejected rows of a COPY', { cause: error });
    throw error;
  }
  return count;
};
