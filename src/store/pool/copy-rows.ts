import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from './database.ts';

const isAborted = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === '25P02';

/** Text in the COPY format: a backslash, tab or line break inside a value is escaped. */
export const copyText = (value: string): string =>
  /[\\\t\n\r]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : value;

/** Rows are sent in pieces of about this size: large enough to be cheap, small enough to let the database work meanwhile. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * Sends lines of the COPY text format (without line ends) through a `copy ... from stdin` and returns how many there were.
 * `sql` must be a transaction: the driver never settles a COPY that the server refuses, so the next statement of the
 * transaction is asked whether it still stands. Throws when the server refused.
 */
export const copyRows = async (
  sql: Sql,
  copy: ReturnType<Sql>,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<number> => {
  const stream = await copy.writable();
  let broken: Error | undefined;
  // Whoever writes next hears of it; without a listener the loss of a connection would end the process.
  stream.on('error', (error) => {
    broken ??= error;
  });
  const send = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(Buffer.from(text), (error) => (error ? reject(error) : resolve()));
    });
  let pieces: string[] = [];
  let characters = 0;
  let count = 0;
  let sending: Promise<void> = Promise.resolve();
  try {
    for await (const line of lines) {
      pieces.push(line, '\n');
      characters += line.length;
      count += 1;
      if (characters < PIECE_CHARACTERS) continue;
      // The piece before is awaited only now, so that lines are made while the database takes it in.
      await sending;
      sending = send(pieces.join(''));
      sending.catch(() => {});
      pieces = [];
      characters = 0;
    }
    await sending;
    if (pieces.length > 0) await send(pieces.join(''));
  } catch (error) {
    // Tells the database to give up the COPY; otherwise its transaction would stay open, with every lock it holds.
    stream.destroy(error instanceof Error ? error : new Error(String(error)));
    // Where the connection itself was lost, that is known a turn later, and there is nobody to tell.
    await nextTurn();
    await Promise.resolve(sql`select 1`).catch(() => {});
    throw error;
  }
  if (broken) throw broken;
  const finished = new Promise<void>((resolve, reject) => {
    stream.once('error', reject);
    stream.end(resolve);
  });
  try {
    await Promise.race([finished, sql`select 1`]);
    await sql`select 1`;
  } catch (error) {
    if (isAborted(error)) throw new Error('the database refused rows of a COPY', { cause: error });
    throw error;
  }
  return count;
};
