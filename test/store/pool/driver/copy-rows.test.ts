import { expect, test } from 'vitest';
import { copyRows, copyText } from '#store/pool/driver/copy-rows.ts';
import { sharedDatabase } from '#test/support/database.ts';

const fresh = await sharedDatabase();
await fresh.sql`create table line (n integer primary key, text text)`;

const copy = (lines: Iterable<string> | AsyncIterable<string>): Promise<number> =>
  fresh.sql.begin((sql) => copyRows(sql, sql`copy line (n, text) from stdin`, lines));

const numbered = function* (count: number): Generator<string> {
  for (let n = 1; n <= count; n += 1) yield `${n}\t${'x'.repeat(100)}`;
};

const stored = async (): Promise<number> => (await fresh.sql`select from line`).length;

test('text with tabs, line breaks and backslashes arrives unchanged', async () => {
  const text = 'a\tb\nc\rd\\e\\n';
  expect(await copy([`1\t${copyText(text)}`])).toBe(1);
  expect([...(await fresh.sql`select text from line`)]).toEqual([{ text }]);
  await fresh.sql`truncate line`;
});

test('a rejected row ends the copy with an error, and nothing is stored', async () => {
  await expect(copy([...numbered(20_000), '1\ttwice'])).rejects.toThrow('the database rejected rows of a COPY');
  expect(await stored()).toBe(0);
});

test('an error of the server in the middle of a copy is reported, and not that its stream was destroyed', async () => {
  const rejected = async function* (): AsyncGenerator<string> {
    yield 'no number\tx';
    for (let round = 0; round < 9; round += 1) {
      yield* numbered(5000);
      await fresh.sql`select pg_sleep(0)`;
    }
  };
  await expect(copy(rejected())).rejects.toMatchObject({ code: '22P02' });
  expect(await stored()).toBe(0);
});

test('an error of the line source ends the copy, and releases the connection', async () => {
  const failing = function* (): Generator<string> {
    yield* numbered(20_000);
    throw new RangeError('no more lines');
  };
  await expect(copy(failing())).rejects.toThrow('no more lines');
  expect(await stored()).toBe(0);
  const open = await fresh.sql`
    select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  expect(open).toHaveLength(0);
});

test('a connection lost in the middle ends the copy with an error, and the process survives', async () => {
  const cut = async function* (): AsyncGenerator<string> {
    yield* numbered(20_000);
    await fresh.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like 'copy line%'`;
    for (let n = 20_001; n <= 60_000; n += 1) yield `${n}\t${'y'.repeat(100)}`;
  };
  await expect(copy(cut())).rejects.toThrow(/CONNECTION_|ECONNRESET|EPIPE|closed|terminat/i);
  expect(await stored()).toBe(0);
});
