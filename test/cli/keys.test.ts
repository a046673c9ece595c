import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sharedDatabase } from '../support/database.ts';
import { callCommand } from './call-command.ts';
import type { CommandResult } from './run-command.ts';

const { sql, url } = await sharedDatabase();
const keys = (...args: readonly string[]) => callCommand(['keys', ...args], { DATABASE_URL: url });
const create = (name: string, ...args: readonly string[]) =>
  keys('create', '--name', name, '--products', 'flight-info', ...args);
const success = (out: string): CommandResult => ({ code: 0, out, err: '' });
const failure = (err: string): CommandResult => ({ code: 1, out: '', err });

const listColumn = async (name: string, column: 'features' | 'limits' | 'strictness'): Promise<readonly string[]> => {
  const [header = '', ...lines] = (await keys('list')).out.trimEnd().split('\n');
  const index = header.split('\t').indexOf(column);
  return lines.filter((line) => line.includes(`\t${name}\t`)).map((line) => line.split('\t')[index] ?? '');
};

test('shows a key once, stores its hash, lists its prefix and revokes it', async () => {
  expect((await keys('list')).out).toContain('No keys.');
  const created = await create('acme', '--days', '30');
  const [key = ''] = created.out.split('\n');
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(created.out).toContain("of 'acme' for flight-info, valid until ");
  const [row] = await sql<{ id: number; hash: Buffer }[]>`select id, hash from subscription_key`;
  expect(row?.hash.toString('hex')).toBe(hash('sha256', key));
  const listed = await keys('list');
  expect(listed.out).toContain(`\tacme\t${hash('sha256', key).slice(0, 8)}\tflight-info\t-\tuntil `);
  expect(listed.out).toMatch(/\tdefault\tlenient\n$/);
  expect(listed.out).not.toContain(key);
  expect((await keys('revoke', String(row?.id))).code).toBe(0);
  expect((await keys('list')).out).toContain('revoked');
  expect(await keys('revoke', String(row?.id))).toEqual(
    failure(`No active key with ID ${row?.id}. List keys with: flightdata keys list\n`),
  );
});

test('a key is for reading or for sending', async () => {
  const { code, out } = await keys('create', '--name', 'sender', '--ingest');
  expect([code, out]).toEqual([0, expect.stringMatching(/^[0-9a-f]{32}\n\nKey \d+ of 'sender' for status-feed\.\n/)]);
  const either = expect.stringContaining("error: give either '--products <list>' or '--ingest'");
  expect(await keys('create', '--name', 'both', '--products', 'flight-info', '--ingest')).toEqual({
    code: 2,
    out: '',
    err: either,
  });
  expect(await keys('create', '--name', 'none')).toEqual({ code: 2, out: '', err: either });
  const mixed = await keys('create', '--name', 'mixed', '--products', 'flight-info,status-feed');
  expect(mixed.err).toContain("'status-feed' is not a product");
});

test('links to maps are enabled for a subscription with all its keys, and disabled again', async () => {
  await create('mapper', '--map');
  await create('mapper');
  expect(await listColumn('mapper', 'features')).toEqual(['map', 'map']);
  const taken = "'mapper' no longer receives links to maps; existing links work for up to 12 hours.\n";
  expect(await keys('map', 'mapper', 'off')).toEqual(success(taken));
  expect(await listColumn('mapper', 'features')).toEqual(['-', '-']);
  const given = "'mapper' receives links to maps; existing links work for up to 12 hours.\n";
  for (const _ of ['first', 'again']) expect(await keys('map', 'mapper', 'on')).toEqual(success(given));
  expect(await listColumn('mapper', 'features')).toEqual(['map', 'map']);
});

test('limits are set for a subscription with all its keys, one at a time, and return to the default', async () => {
  await create('limited');
  await create('limited');
  expect(await keys('limits', 'limited', '--per-minute', '600', '--concurrent', '5')).toEqual(
    success("Limits of 'limited': 600/minute, 5 concurrent. Running servers apply changes within five seconds.\n"),
  );
  await keys('limits', 'limited', '--per-month', 'none', '--concurrent', 'default');
  expect(await listColumn('limited', 'limits')).toEqual(['600/minute, no limit/month', '600/minute, no limit/month']);
  expect(await keys('limits', 'limited', '--per-minute', 'default', '--per-month', 'default')).toEqual(
    success("Limits of 'limited': defaults. Running servers apply changes within five seconds.\n"),
  );
  expect(await listColumn('limited', 'limits')).toEqual(['default', 'default']);
});

test('a key is strict or lenient, and can be changed', async () => {
  const created = await create('careful', '--strict');
  expect(created.out).toMatch(/^[0-9a-f]{32}\n\nStrict key \d+ of 'careful' for flight-info\.\n/);
  const [, id = ''] = /key (\d+) of/.exec(created.out) ?? [];
  expect(await listColumn('careful', 'strictness')).toEqual(['strict']);
  const lenient = `Key ${id} is no longer strict: unknown names in a query are ignored. Running servers apply this within five seconds.\n`;
  expect(await keys('strict', id, 'off')).toEqual(success(lenient));
  expect(await listColumn('careful', 'strictness')).toEqual(['lenient']);
  const strict = `Key ${id} is strict: unknown names in a query return 400. Running servers apply this within five seconds.\n`;
  expect(await keys('strict', id, 'on')).toEqual(success(strict));
  expect(await listColumn('careful', 'strictness')).toEqual(['strict']);
});

test.each([
  [['strict', '999', 'on'], 1, 'No active key with ID 999. List keys with: flightdata keys list\n'],
  [['strict', '1', 'maybe'], 2, 'Allowed choices are on, off'],
  [['map', 'unknown', 'on'], 1, "No subscription named 'unknown'. List subscriptions with: flightdata keys list\n"],
  [
    ['limits', 'unknown', '--per-minute', '1'],
    1,
    "No subscription named 'unknown'. List subscriptions with: flightdata keys list\n",
  ],
  [['map', 'acme', 'maybe'], 2, 'Allowed choices are on, off'],
  [['map', ' ', 'on'], 2, 'a name must have 1 to 200 characters'],
  [['map', 'acme'], 2, "missing required argument 'state'"],
  [['limits', 'a', '--per-minute', '0'], 2, "'0' must be a whole number from 1 to 1000000000, 'none' or 'default'"],
  [['create', '--name', 'acme', '--products', 'flight-info,weather'], 2, "'weather' is not a product; products: conn"],
])('rejects keys %j', async (args, code, message) => {
  expect(await keys(...args)).toEqual({ code, out: '', err: expect.stringContaining(message) });
});
