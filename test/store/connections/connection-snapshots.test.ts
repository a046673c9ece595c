import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { MCT_DEFAULTS } from '#domain/connections/mct/mct-record.ts';
import { localDate } from '#domain/time/dates.ts';
import { listNewestSnapshots, readSnapshot } from '#store/connections/connection-snapshots.ts';
import { insertSnapshot } from '#store/connections/connection-snapshots.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => db`truncate connection_snapshot restart identity cascade`);

const noon = new Date('2026-06-01T12:00:00Z');
const report = { records: 5, itineraries: 5, defaults: MCT_DEFAULTS };
const facts = { from: localDate('2026-06-01'), days: 7, builtAt: noon, format: 1, report };
const save = (columns: Record<string, Uint8Array>, header = '{}') =>
  db.begin((sql) => insertSnapshot(sql, facts, { header, columns }));
const read = (id: number) => db.begin((sql) => readSnapshot(sql, id));
const MEGABYTE = 1024 * 1024;

test('a set is read as it was written, however its columns are split into parts', async () => {
  const columns = {
    nothing: new Uint8Array(),
    large: new Uint8Array(randomBytes(2.5 * MEGABYTE)),
    small: new Uint8Array([1, 2, 3]),
    // Ends where a part ends.
    exact: new Uint8Array(randomBytes(0.5 * MEGABYTE - 3)),
    zeros: new Uint8Array(MEGABYTE + 1),
    nothingAgain: new Uint8Array(),
  };
  const saved = await save(columns, '{"text": "é \\u0000 \\n"}');
  expect(saved.bytes).toBe(4 * MEGABYTE + 1);
  expect(saved.storedBytes).toBeLessThan(saved.bytes);
  const stored = await read(saved.id);
  expect(stored?.header).toBe('{"text": "é \\u0000 \\n"}');
  expect(Object.keys(stored?.columns ?? {})).toEqual(Object.keys(columns));
  for (const [name, bytes] of Object.entries(columns))
    expect([name, Buffer.compare(stored?.columns[name] ?? Buffer.from('?'), bytes)]).toEqual([name, 0]);
  // Columns are read as numbers of several bytes, which must be aligned.
  expect(Object.values(stored?.columns ?? {}).map(({ byteOffset }) => byteOffset)).toEqual([0, 0, 0, 0, 0, 0]);
  const parts = await db`select length(content) from connection_snapshot_part`;
  expect(parts).toHaveLength(5);
});

test('a set that is deleted during a read is read completely', async () => {
  const columns = { large: new Uint8Array(randomBytes(1.5 * MEGABYTE)) };
  const { id } = await save(columns);
  const stored = await db.begin('isolation level repeatable read', async (sql) => {
    await listNewestSnapshots(sql, 1);
    await db`delete from connection_snapshot`;
    return readSnapshot(sql, id);
  });
  expect(Buffer.compare(stored?.columns['large'] ?? Buffer.from('?'), columns.large)).toBe(0);
  expect(await read(id)).toBeUndefined();
});

test('a set with a missing part is not read', async () => {
  const { id } = await save({ large: new Uint8Array(1.5 * MEGABYTE) });
  await db`delete from connection_snapshot_part where number = 1`;
  await expect(read(id)).rejects.toThrow(`the set of connections ${id} lacks its part 1`);
});
