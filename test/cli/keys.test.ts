import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { runCommand, type CommandResult } from './run-command.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const keys = (...args: readonly string[]): Promise<CommandResult> =>
  runCommand(['keys', ...args], { DATABASE_URL: fresh.url });

test('shows a key once, stores its hash, lists its prefix and revokes it', async () => {
  expect((await keys('list')).out).toContain('There are no keys.');

  const created = await keys('create', '--name', 'acme', '--products', 'flight-info', '--days', '30');
  const [key = ''] = created.out.split('\n');
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(created.out).toContain("of 'acme' for flight-info, good until ");

  const [row] = await fresh.sql<{ id: number; hash: Buffer }[]>`select id, hash from subscription_key`;
  expect(row?.hash.toString('hex')).toBe(hash('sha256', key));

  const listed = await keys('list');
  expect(listed.out).toContain(`\tacme\t${hash('sha256', key).slice(0, 8)}\tflight-info\t-\tuntil `);
  expect(listed.out).toMatch(/\tdefault\n$/);
  expect(listed.out).not.toContain(key);

  expect((await keys('revoke', String(row?.id))).code).toBe(0);
  expect((await keys('list')).out).toContain('revoked');
  expect(await keys('revoke', String(row?.id))).toMatchObject({
    code: 1,
    err: `There is no key ${row?.id} that could be revoked.\n`,
  });
});

test('rejects an unknown product and lists the known products', async () => {
  const { code, err } = await keys('create', '--name', 'acme', '--products', 'flight-info,weather');
  expect(code).toBe(2);
  expect(err).toMatch(/'weather' is not a product; there are: .*\bflight-info\b/);
});

describe('links to maps', () => {
  const featuresOf = async (name: string): Promise<readonly string[]> =>
    (await keys('list')).out
      .split('\n')
      .filter((line) => line.includes(`\t${name}\t`))
      .map((line) => line.split('\t')[4] ?? '');

  test('are enabled for a subscription with all its keys, and disabled again', async () => {
    await keys('create', '--name', 'mapper', '--products', 'flight-info');
    await keys('create', '--name', 'mapper', '--products', 'flight-info');
    expect(await featuresOf('mapper')).toEqual(['-', '-']);
    expect(await keys('map', 'mapper', 'on')).toEqual({
      code: 0,
      out: "'mapper' gets links to maps; links given out work for 12 hours.\n",
      err: '',
    });
    await keys('map', 'mapper', 'on');
    expect(await featuresOf('mapper')).toEqual(['map', 'map']);
    expect(await keys('map', 'mapper', 'off')).toEqual({
      code: 0,
      out: "'mapper' no longer gets links to maps; links given out work for 12 hours.\n",
      err: '',
    });
    expect(await featuresOf('mapper')).toEqual(['-', '-']);
  });

  test('are enabled when a key is created with them, and stay when a further key is created without them', async () => {
    await keys('create', '--name', 'born-with', '--products', 'flight-info', '--map');
    await keys('create', '--name', 'born-with', '--products', 'flight-info');
    expect(await featuresOf('born-with')).toEqual(['map', 'map']);
  });

  test('cannot be enabled for an unknown subscription', async () => {
    expect(await keys('map', 'nobody', 'on')).toEqual({
      code: 1,
      out: '',
      err: "There is no subscription 'nobody'.\n",
    });
  });

  test.each([
    [['map', 'acme', 'maybe'], 'Allowed choices are on, off'],
    [['map', ' ', 'on'], 'a name has 1 to 200 characters'],
    [['map', 'acme'], "missing required argument 'state'"],
  ])('are not enabled by %j', async (args, expected) => {
    const { code, err } = await keys(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(expected)]);
  });
});

describe('limits', () => {
  const listedLimits = async (name: string): Promise<readonly string[]> =>
    (await keys('list')).out
      .split('\n')
      .filter((line) => line.includes(`\t${name}\t`))
      .map((line) => line.split('\t')[6] ?? '');

  test('are set for a subscription with all its keys, one at a time, and return to the default', async () => {
    await keys('create', '--name', 'limited', '--products', 'flight-info');
    await keys('create', '--name', 'limited', '--products', 'flight-info');
    expect(await keys('limits', 'limited', '--per-minute', '600', '--concurrent', '5')).toEqual({
      code: 0,
      out: "'limited' may ask: 600/minute, 5 at once; running servers know within five seconds.\n",
      err: '',
    });
    await keys('limits', 'limited', '--per-month', 'none', '--concurrent', 'default');
    expect(await listedLimits('limited')).toEqual(['600/minute, no limit/month', '600/minute, no limit/month']);
    expect((await keys('limits', 'limited', '--per-minute', 'default', '--per-month', 'default')).out).toBe(
      "'limited' may ask: as much as by default; running servers know within five seconds.\n",
    );
    expect(await listedLimits('limited')).toEqual(['default', 'default']);
  });

  test('must be numbers and need a known subscription', async () => {
    expect(await keys('limits', 'limited', '--per-minute', '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining("'0' is neither a number from 1 to 1000000000 nor 'none' nor 'default'"),
    });
    expect(await keys('limits', 'nobody', '--per-minute', '1')).toEqual({
      code: 1,
      out: '',
      err: "There is no subscription 'nobody'.\n",
    });
  });
});
