import { hash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { createKey, findKey, insertKeyIfMissing, listKeys } from '#store/access/subscription-keys.ts';
import { revokeKey, updateStrictness } from '#store/access/subscription-keys.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql } = await sharedDatabase();
beforeEach(() => sql`truncate subscription_key, subscription restart identity cascade`);

const find = (key: string) => findKey(sql, hash('sha256', key, 'buffer'));
const acme = { name: 'Acme', products: ['flight-info'] };

test('a key has 32 hex digits, opens its products, and only its hash is stored', async () => {
  const products = ['flight-info', 'schedules'];
  const { key, ...created } = await createKey(sql, { ...acme, products, expiresOn: localDate('2024-12-31') });
  const hint = hash('sha256', key).slice(0, 8);
  expect([key, created]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), { id: 1, subscriptionId: 1, hint }]);
  const found = {
    subscriptionId: 1,
    hint,
    products,
    features: [],
    expiresOn: '2024-12-31',
    revoked: false,
    isStrict: false,
  };
  expect([await find(key), await find('guess')]).toEqual([found, undefined]);
  const [row] = await sql<{ text: string }[]>`
    select (to_jsonb(k) || to_jsonb(s))::text as text from subscription_key k, subscription s`;
  expect(row?.text).toContain(hash('sha256', key));
  for (const secret of [key, key.slice(0, 8), Buffer.from(key).toString('hex')])
    expect(row?.text).not.toContain(secret);
});

test('a further key under the same name belongs to the same subscription, and the old one stays valid until it is revoked', async () => {
  const old = await createKey(sql, acme);
  const next = await createKey(sql, { ...acme, name: ' Acme ' });
  expect([next.subscriptionId, next.key === old.key]).toEqual([old.subscriptionId, false]);
  expect([await revokeKey(sql, old.id), await revokeKey(sql, old.id), await revokeKey(sql, 999)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([(await find(old.key))?.revoked, (await find(next.key))?.revoked]).toEqual([true, false]);
});

test('a key is strict or not by itself, until it is revoked', async () => {
  const strict = await createKey(sql, { ...acme, isStrict: true });
  const other = await createKey(sql, acme);
  const list = async () => (await listKeys(sql)).map(({ id, isStrict }) => [id, isStrict]);
  expect([(await find(strict.key))?.isStrict, (await find(other.key))?.isStrict]).toEqual([true, false]);
  expect(await updateStrictness(sql, strict.id, false)).toBe(true);
  expect(await updateStrictness(sql, other.id, true)).toBe(true);
  expect(await list()).toEqual([
    [strict.id, false],
    [other.id, true],
  ]);
  await revokeKey(sql, other.id);
  expect([await updateStrictness(sql, other.id, false), await updateStrictness(sql, 999, true)]).toEqual([
    false,
    false,
  ]);
});

test('a chosen key is created once, and a revoked one is not restored', async () => {
  const chosen = { name: 'demo', products: ['flight-info'], key: 'demo-key' };
  await insertKeyIfMissing(sql, chosen);
  const [listed] = await listKeys(sql);
  await revokeKey(sql, listed?.id ?? 0);
  await insertKeyIfMissing(sql, chosen);
  expect([(await find('demo-key'))?.revoked, (await listKeys(sql)).length]).toEqual([true, 1]);
});

test.each([
  [{ ...acme, name: '  ' }, 'a key needs the name of its subscriber'],
  [{ ...acme, products: [] }, "the key for 'Acme' needs at least one product"],
])('rejects a key with %j', async (options, message) => {
  await expect(createKey(sql, options)).rejects.toThrow(message);
});
