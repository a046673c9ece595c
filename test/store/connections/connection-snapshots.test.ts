import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { MCT_DEFAULTS } from '../../../src/domain/connections/mct/mct-record.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import {
  tryLockConnections,
  listNewestSnapshots,
  pruneSnapshots,
  readSnapshot,
  insertSnapshot,
  type SnapshotBytes,
} from '../../../src/store/connections/connection-snapshots.ts';
import { sharedDatabase } from '../../support/database.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => db`truncate connection_snapshot restart identity cascade`);

const noon = new Date('2026-06-01T12:00:00Z');
const facts = { from: localDate('2026-06-01'), days: 7, builtAt: noon };
const save = (bytes: SnapshotBytes, { format = 1, records = 5 } = {}) => {
  const report = { records, itineraries: 5, defaults: MCT_DEFAULTS };
  return db.begin((sql) => insertSnapshot(sql, { ...facts, format, report }, bytes));
};
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
  const saved = await save({ header: '{"text": "é \\u0000 \\n"}', columns });
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

test('a set can have no columns', async () => {
  const { id, bytes } = await save({ header: '{}', columns: {} }, { records: 0 });
  expect([bytes, await read(id)]).toEqual([0, { header: '{}', columns: {} }]);
  expect(await listNewestSnapshots(db, 1)).toEqual([{ id, builtAt: noon, records: 0, itineraries: 5 }]);
  expect(await listNewestSnapshots(db, 2)).toEqual([]);
});

test('a set that is deleted during a read is read completely', async () => {
  const columns = { large: new Uint8Array(randomBytes(1.5 * MEGABYTE)) };
  const { id } = await save({ header: '{}', columns });
  const stored = await db.begin('isolation level repeatable read', async (sql) => {
    await listNewestSnapshots(sql, 1);
    await db`delete from connection_snapshot`;
    return readSnapshot(sql, id);
  });
  expect(Buffer.compare(stored?.columns['large'] ?? Buffer.from('?'), columns.large)).toBe(0);
  expect(await read(id)).toBeUndefined();
});

test('a set with a missing part is not read', async () => {
  const { id } = await save({ header: '{}', columns: { large: new Uint8Array(1.5 * MEGABYTE) } });
  await db`delete from connection_snapshot_part where number = 1`;
  await expect(read(id)).rejects.toThrow(`the set of connections ${id} lacks its part 1`);
});

test('builders keep the newest two of each format', async () => {
  const empty = { header: '{}', columns: {} };
  const ids: number[] = [];
  for (const format of [1, 2, 1, 2, 1, 2]) ids.push((await save(empty, { format })).id);
  await pruneSnapshots(db, { format: 1, othersBefore: noon });
  const remaining = await db<{ id: number }[]>`select id from connection_snapshot order by id`;
  expect(remaining.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[3], ids[4], ids[5]]);
});

test('one build runs at a time', async () => {
  const [own, foreign] = await db.begin(async (sql) => [
    await tryLockConnections(sql),
    await db.begin((other) => tryLockConnections(other)),
  ]);
  expect([own, foreign, await db.begin((sql) => tryLockConnections(sql))]).toEqual([true, false, true]);
});
