import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';

import { localDate } from '../../../src/domain/time/dates.ts';
import {
  createKey,
  findKey,
  insertKeyIfMissing,
  listKeys,
  revokeKey,
  updateFeature,
} from '../../../src/store/access/subscription-keys.ts';
import { sharedDatabase } from '../../support/database.ts';

const fresh = await sharedDatabase();
beforeEach(() => fresh.sql`truncate subscription_key, subscription restart identity cascade`);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

test('a key has 32 hex digits, opens its products, and only its hash is stored', async () => {
  const created = await createKey(fresh.sql, {
    name: 'Acme',
    products: ['flight-info', 'schedules'],
    expiresOn: localDate('2024-12-31'),
  });
  expect(created).toEqual({
    id: 1,
    subscriptionId: 1,
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
    hint: sha256(created.key).toString('hex').slice(0, 8),
  });
  expect(await findKey(fresh.sql, sha256(created.key))).toEqual({
    subscriptionId: 1,
    hint: created.hint,
    products: ['flight-info', 'schedules'],
    features: [],
    expiresOn: '2024-12-31',
    revoked: false,
  });
  const [row] = await fresh.sql<
    { text: string }[]
  >`select (to_jsonb(k) || to_jsonb(s))::text as text from subscription_key k, subscription s`;
  expect(row?.text).toContain(sha256(created.key).toString('hex'));
  expect(row?.text).not.toContain(created.key);
  expect(row?.text).not.toContain(created.key.slice(0, 8));
  expect(row?.text).not.toContain(Buffer.from(created.key).toString('hex'));
});

test('an unknown key is not found', async () => {
  expect(await findKey(fresh.sql, sha256('guess'))).toBeUndefined();
});

test('a further key under the same name belongs to the same subscription, and the old one stays valid until it is revoked', async () => {
  const old = await createKey(fresh.sql, { name: 'Acme', products: ['flight-info'] });
  const next = await createKey(fresh.sql, { name: ' Acme ', products: ['flight-info'] });
  expect([next.subscriptionId, next.key === old.key]).toEqual([old.subscriptionId, false]);
  expect(await revokeKey(fresh.sql, old.id)).toBe(true);
  expect([await findKey(fresh.sql, sha256(old.key)), await findKey(fresh.sql, sha256(next.key))]).toMatchObject([
    { revoked: true },
    { revoked: false },
  ]);
});

test('the list contains every key without its secret', async () => {
  const zulu = await createKey(fresh.sql, { name: 'Zulu', products: ['schedules'] });
  const acme = await createKey(fresh.sql, {
    name: 'Acme',
    products: ['flight-info'],
    expiresOn: localDate('2024-02-29'),
  });
  await revokeKey(fresh.sql, zulu.id);
  expect(await listKeys(fresh.sql)).toEqual([
    {
      id: acme.id,
      hint: acme.hint,
      name: 'Acme',
      products: ['flight-info'],
      features: [],
      createdAt: expect.any(Date),
      expiresOn: localDate('2024-02-29'),
      revokedAt: undefined,
    },
    {
      id: zulu.id,
      hint: zulu.hint,
      name: 'Zulu',
      products: ['schedules'],
      features: [],
      createdAt: expect.any(Date),
      expiresOn: undefined,
      revokedAt: expect.any(Date),
    },
  ]);
});

test('revokes a key once, and no unknown key', async () => {
  const { id } = await createKey(fresh.sql, { name: 'Acme', products: ['flight-info'] });
  expect([await revokeKey(fresh.sql, id), await revokeKey(fresh.sql, id), await revokeKey(fresh.sql, 999)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a chosen key is created once, and a revoked one is not restored', async () => {
  const chosen = { name: 'demo', products: ['flight-info'], key: 'demo-key' };
  await insertKeyIfMissing(fresh.sql, chosen);
  const [listed] = await listKeys(fresh.sql);
  await revokeKey(fresh.sql, listed?.id ?? 0);
  await insertKeyIfMissing(fresh.sql, chosen);
  expect(await findKey(fresh.sql, sha256('demo-key'))).toMatchObject({ revoked: true });
  expect(await listKeys(fresh.sql)).toHaveLength(1);
});

test('a key requires a subscriber and a product', async () => {
  await expect(createKey(fresh.sql, { name: '  ', products: ['flight-info'] })).rejects.toThrow(
    'a key needs the name of its subscriber',
  );
  await expect(createKey(fresh.sql, { name: 'Acme', products: [] })).rejects.toThrow(
    "the key for 'Acme' needs at least one product",
  );
});

test('a subscription keeps its features when it gets another key, and loses one only when it is removed', async () => {
  const { key } = await createKey(fresh.sql, { name: 'Mapper', products: ['flight-info'], features: ['map'] });
  const next = await createKey(fresh.sql, { name: 'Mapper', products: ['flight-info'] });
  const featuresOf = async (one: string) => (await findKey(fresh.sql, sha256(one)))?.features;
  expect([await featuresOf(key), await featuresOf(next.key)]).toEqual([['map'], ['map']]);
  const off = { feature: 'map', isOn: false };
  expect(await updateFeature(fresh.sql, 'Mapper', off)).toBe(true);
  expect([await featuresOf(key), await featuresOf(next.key)]).toEqual([[], []]);
  expect(await updateFeature(fresh.sql, 'Nobody', off)).toBe(false);
  await updateFeature(fresh.sql, 'Mapper', { feature: 'map', isOn: true });
  await updateFeature(fresh.sql, 'Mapper', { feature: 'map', isOn: true });
  expect(await featuresOf(key)).toEqual(['map']);
});
