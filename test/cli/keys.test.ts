import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { runCommand, type Outcome } from './run-command.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const keys = (...args: readonly string[]): Promise<Outcome> =>
  runCommand(['keys', ...args], { DATABASE_URL: fresh.url });

test('a key is shown once, kept as its hash, listed by its beginning, and can be revoked', async () => {
  expect((await keys('list')).out).toContain('There are no keys.');

  const created = await keys('create', '--name', 'acme', '--products', 'flight-info', '--days', '30');
  const [key = ''] = created.out.split('\n');
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(created.out).toContain("of 'acme' for flight-info, good until ");

  const [row] = await fresh.sql<{ id: number; hash: Buffer }[]>`select id, hash from subscription_key`;
  expect(row?.hash.toString('hex')).toBe(hash('sha256', key));

  const listed = await keys('list');
  expect(listed.out).toContain(`\tacme\t${hash('sha256', key).slice(0, 8)}\tflight-info\tuntil `);
  expect(listed.out).not.toContain(key);

  expect((await keys('revoke', String(row?.id))).code).toBe(0);
  expect((await keys('list')).out).toContain('revoked');
  expect(await keys('revoke', String(row?.id))).toMatchObject({
    code: 1,
    err: `There is no key ${row?.id} that could be revoked.\n`,
  });
});

test('a product that does not exist is refused with those that do', async () => {
  const { code, err } = await keys('create', '--name', 'acme', '--products', 'flight-info,weather');
  expect(code).toBe(2);
  expect(err).toContain("'weather' is not a product; there are: flight-info");
});
