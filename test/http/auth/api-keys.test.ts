import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createKeyChecker, type KeyRecord } from '#http/auth/api-keys.ts';
import { Problem } from '#http/response/problem.ts';
import { createFailedKeyLimiter } from '#http/auth/failed-key-limiter.ts';

const record: KeyRecord = { subscriptionId: 7, products: ['flight-info'], revoked: false };

/** Creates a key checker over records by key, with a settable clock, error and delay of the database, and a count of its queries. */
const keysOver = (own: Readonly<Record<string, KeyRecord>> = { k: record }, { wrongKeys = 0 } = {}) => {
  const records = new Map(Object.entries(own));
  const state = { nowMs: Date.parse('2026-04-01T12:00:40Z'), queries: 0, error: '', lateMs: 0 };
  const clock = (): Date => new Date(state.nowMs);
  const checkKey = createKeyChecker({
    findKey: async (hash) => {
      state.queries += 1;
      if (state.lateMs > 0) await new Promise((resolve) => void setTimeout(resolve, state.lateMs));
      await Promise.resolve();
      if (state.error) throw new Error(state.error);
      return [...records].find(([key]) => createHash('sha256').update(key).digest().equals(hash))?.[1];
    },
    clock,
    isUnavailable: (error) => error instanceof Error && error.message === 'away',
    ...(wrongKeys > 0 && { failedKeys: createFailedKeyLimiter(clock, wrongKeys) }),
  });
  /** Returns `good`, the kind of problem with Retry-After, or the error. */
  const check = (key = 'k', caller?: string): Promise<string> =>
    Promise.try(() => checkKey(key, 'flight-info', () => caller)).then(
      (found) => (found === records.get(key) ? 'good' : 'outdated'),
      (error: unknown) =>
        error instanceof Problem ? `${error.kind} ${error.headers['Retry-After'] ?? ''}`.trim() : String(error),
    );
  return { state, check, checkKey, records };
};

const revoked = { ...record, revoked: true };

test('returns the record of a valid key', async () => {
  expect(await keysOver().checkKey('k', 'flight-info')).toEqual(record);
});

const missing = 'Send your subscription key in the header Subscription-Key.';
const invalid = 'The key is unknown or revoked, or its subscription does not include this product.';
test.each([
  [null, 'flight-info', 'key-missing', missing],
  ['', 'flight-info', 'key-missing', missing],
  ['K', 'flight-info', 'key-invalid', invalid],
  ['k, k', 'flight-info', 'key-invalid', invalid],
  ['k'.repeat(100_000), 'flight-info', 'key-invalid', invalid],
  ['k', 'schedules', 'key-invalid', invalid],
])('rejects a key %s for %s: %s', async (key, product, kind, message) => {
  await expect(Promise.try(() => keysOver().checkKey(key, product))).rejects.toMatchObject({ kind, message });
});

const feeds = new Map(Object.entries({ 'status-feed': 'Status Feed', 'schedule-feed': 'Schedule Feed' }));
test.each([
  ['flight-info', 'status-feed', 'The key is for reading. Status Feed requires a key for sending.'],
  ['status-feed', 'flight-info', 'The key is for sending. This product requires a key for reading.'],
  ['flight-info schedule-feed', 'status-feed', invalid],
  ['flight-info schedule-feed', 'schedules', invalid],
])('rejects a key for %s at %s: %s', async (products, product, message) => {
  const findKey = async (): Promise<KeyRecord> => ({ ...record, products: products.split(' ') });
  const checkKey = createKeyChecker({ findKey, clock: () => new Date(0), ingestProducts: feeds });
  await expect(checkKey('k', product)).rejects.toThrow(message);
});

test('rejects a key from the day after its expiry date', async () => {
  const { check, checkKey, state } = keysOver({ k: { ...record, expiresOn: '2026-04-01' } });
  state.nowMs = Date.parse('2026-04-01T23:59:59.999Z');
  expect(await check()).toBe('good');
  state.nowMs += 1;
  await expect(Promise.try(() => checkKey('k', 'flight-info'))).rejects.toMatchObject({
    kind: 'key-expired',
    message: /until 2026-04-01/,
  });
});

test('the database is queried every five seconds, and a revocation takes effect then', async () => {
  const { check, state, records } = keysOver();
  await check();
  records.set('k', revoked);
  state.nowMs += 4_999;
  expect([await check(), state.queries]).toEqual(['outdated', 1]);
  state.nowMs += 1;
  expect([await check(), state.queries]).toEqual(['key-invalid', 2]);
});

test('the database is not queried again for an unknown key until the entry expires', async () => {
  const { check, state, records } = keysOver();
  expect(await check('new')).toBe('key-invalid');
  records.set('new', record);
  expect([await check('new'), state.queries]).toEqual(['key-invalid', 1]);
  state.nowMs += 5_000;
  expect(await check('new')).toBe('good');
});

test('the database is queried once for concurrent requests', async () => {
  const { check, state } = keysOver();
  await Promise.all(Array.from({ length: 50 }, () => check()));
  expect(state.queries).toBe(1);
});

test('the database is queried again after an error', async () => {
  const { check, state } = keysOver();
  state.error = 'away';
  expect(await check()).toBe('Error: away');
  state.error = '';
  expect(await check()).toBe('good');
});

test('the database is queried again when the clock was set back', async () => {
  const { check, state } = keysOver();
  await check();
  state.nowMs -= 3_600_000;
  await check();
  expect(state.queries).toBe(2);
});

test('the database is not queried again for a real key after a flood of invented keys', async () => {
  const { check, state } = keysOver();
  await check();
  for (let made = 0; made < 10_500; made++) await check(`x${made}`);
  const before = state.queries;
  await check();
  expect(state.queries).toBe(before);
  // The oldest made-up key was forgotten to keep the memory small.
  await check('x0');
  expect(state.queries).toBe(before + 1);
});

describe('while the database is unreachable', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a valid key stays valid for five minutes after its last query, and no other key does', async () => {
    const { state, check } = keysOver();
    expect(await check()).toBe('good');
    state.error = 'away';
    for (let attempt = 0; attempt < 60; attempt += 1) {
      state.nowMs += 4_990;
      expect(await check()).toBe('good');
    }
    expect(await check('new')).toBe('Error: away');
    state.nowMs += 6_000;
    expect(await check()).toBe('Error: away');
  });

  test('a key revoked meanwhile is rejected five seconds after the database is back', async () => {
    const { state, check, records } = keysOver();
    await check();
    state.error = 'away';
    state.nowMs += 60_000;
    expect(await check()).toBe('good');
    state.error = '';
    records.set('k', revoked);
    state.nowMs += 5_000;
    expect(await check()).toBe('key-invalid');
    // A cached rejection stays when the database becomes unavailable again.
    state.error = 'away';
    state.nowMs += 5_000;
    expect(await check()).toBe('key-invalid');
  });

  test('other errors of the database are not treated as unavailability', async () => {
    const { state, check } = keysOver();
    await check();
    state.error = 'broken';
    state.nowMs += 5_000;
    expect(await check()).toBe('Error: broken');
  });

  test('a request does not wait for a slow database, and the late result updates the cache', async () => {
    vi.useFakeTimers();
    const { state, check, records } = keysOver();
    await check();
    state.lateMs = 1_000;
    records.set('k', revoked);
    state.nowMs += 5_000;
    const result = check();
    await vi.advanceTimersByTimeAsync(401); // The time-out, and a turn of the event loop.
    expect(await result).toBe('outdated');
    await vi.advanceTimersByTimeAsync(599);
    expect(await check()).toBe('key-invalid');
  });
});

test('a client that sends many invalid keys is not blocked where clients are not identified', async () => {
  const { check } = keysOver({ k: record }, { wrongKeys: 2 });
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((key) => check(key)));
  expect(outcomes).toEqual(Array(4).fill('key-invalid'));
});

test('a client that has sent as many invalid keys as it may is blocked for the rest of the minute', async () => {
  const { check, state } = keysOver({ k: record }, { wrongKeys: 2 });
  for (const key of ['a', 'b']) expect(await check(key, 'client')).toBe('key-invalid');
  expect([await check('k', 'client'), await check('k', 'other')]).toEqual(['too-many-wrong-keys 20', 'good']);
  state.nowMs += 19_999;
  expect(await check('c', 'client')).toBe('too-many-wrong-keys 1');
  state.nowMs += 1;
  expect(await check('c', 'client')).toBe('key-invalid');
});
