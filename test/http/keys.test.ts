import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeys, type KeyRecord } from '../../src/http/keys.ts';

/** A key check over a changeable keyring, a clock in our hand and a count of what the store was asked. */
const keysOver = (records: Map<string, KeyRecord>, ttlMs?: number) => {
  const state = { nowMs: Date.parse('2026-04-01T12:00:00Z'), asked: 0, isDown: false };
  const byHash = (hash: Buffer) =>
    [...records].find(([key]) => createHash('sha256').update(key).digest().equals(hash))?.[1];
  const check = createKeys({
    find: async (hash) => {
      state.asked += 1;
      await Promise.resolve();
      if (state.isDown) throw new Error('away');
      return byHash(hash);
    },
    clock: () => new Date(state.nowMs),
    ...(ttlMs === undefined ? {} : { ttlMs }),
  });
  return { state, check, records };
};

const record: KeyRecord = { subscriptionId: 7, products: ['flight-info'], revoked: false };
const world = () => keysOver(new Map([['k', record]]));

test('a good key is known by its record', async () => {
  expect(await world().check('k', 'flight-info')).toEqual(record);
});

describe('a key is refused', () => {
  test.each([
    [null, 'key-missing', 'Send your subscription key in the header Subscription-Key.'],
    ['', 'key-missing', 'Send your subscription key in the header Subscription-Key.'],
    ['K', 'key-invalid', 'The key is unknown, has been revoked, or belongs to a subscription without this product.'],
    ['k, k', 'key-invalid', 'The key is unknown, has been revoked, or belongs to a subscription without this product.'],
    [
      'k'.repeat(100_000),
      'key-invalid',
      'The key is unknown, has been revoked, or belongs to a subscription without this product.',
    ],
  ])('%s: %s', async (key, kind, message) => {
    await expect(world().check(key, 'flight-info')).rejects.toMatchObject({ kind, message });
  });

  test('for a product it was not given, in the same words as an unknown one', async () => {
    await expect(world().check('k', 'schedules')).rejects.toMatchObject({
      kind: 'key-invalid',
      message: 'The key is unknown, has been revoked, or belongs to a subscription without this product.',
    });
  });

  test('from the day after its last', async () => {
    const { check, state } = keysOver(new Map([['k', { ...record, expiresOn: '2026-04-01' }]]));
    state.nowMs = Date.parse('2026-04-01T23:59:59.999Z');
    expect(await check('k', 'flight-info')).toMatchObject({ subscriptionId: 7 });
    state.nowMs += 1;
    await expect(check('k', 'flight-info')).rejects.toMatchObject({ kind: 'key-expired', message: /until 2026-04-01/ });
  });
});

describe('the store', () => {
  test('is asked once in five seconds, and then sees a revocation', async () => {
    const { check, state, records } = world();
    await check('k', 'flight-info');
    records.set('k', { ...record, revoked: true });
    state.nowMs += 4_999;
    expect(await check('k', 'flight-info')).toEqual(record);
    expect(state.asked).toBe(1);
    state.nowMs += 1;
    await expect(check('k', 'flight-info')).rejects.toMatchObject({ kind: 'key-invalid' });
    expect(state.asked).toBe(2);
  });

  test('is not asked again about an unknown key, until it may have been made', async () => {
    const { check, state, records } = world();
    await expect(check('new', 'flight-info')).rejects.toMatchObject({ kind: 'key-invalid' });
    records.set('new', record);
    await expect(check('new', 'flight-info')).rejects.toMatchObject({ kind: 'key-invalid' });
    expect(state.asked).toBe(1);
    state.nowMs += 5_000;
    expect(await check('new', 'flight-info')).toEqual(record);
  });

  test('is asked once for many requests at the same time', async () => {
    const { check, state } = world();
    await Promise.all(Array.from({ length: 50 }, () => check('k', 'flight-info')));
    expect(state.asked).toBe(1);
  });

  test('is asked again when it failed', async () => {
    const { check, state } = world();
    state.isDown = true;
    await expect(check('k', 'flight-info')).rejects.toThrow('away');
    state.isDown = false;
    expect(await check('k', 'flight-info')).toEqual(record);
  });

  test('is asked again when the clock was set back', async () => {
    const { check, state } = world();
    await check('k', 'flight-info');
    state.nowMs -= 3_600_000;
    await check('k', 'flight-info');
    expect(state.asked).toBe(2);
  });

  test('is not asked again about a real key after a flood of made-up ones', async () => {
    const { check, state } = world();
    await check('k', 'flight-info');
    for (let made = 0; made < 10_500; made++) await check(`x${made}`, 'flight-info').catch(() => undefined);
    const before = state.asked;
    await check('k', 'flight-info');
    expect(state.asked).toBe(before);
    // The oldest made-up key was forgotten to keep the memory small.
    await check('x0', 'flight-info').catch(() => undefined);
    expect(state.asked).toBe(before + 1);
  });
});
