import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createKeyChecker, type KeyRecord } from '../../../src/http/auth/api-keys.ts';
import { Problem } from '../../../src/http/response/problem.ts';
import { createFailedKeyLimiter } from '../../../src/http/auth/failed-key-limiter.ts';

/** Creates a key checker over mutable records, with a settable clock and a count of queries. */
const keysOver = (records: Map<string, KeyRecord>, ttlMs?: number) => {
  const state = { nowMs: Date.parse('2026-04-01T12:00:00Z'), queries: 0, isDown: false };
  const byHash = (hash: Buffer) =>
    [...records].find(([key]) => createHash('sha256').update(key).digest().equals(hash))?.[1];
  const check = createKeyChecker({
    findKey: async (hash) => {
      state.queries += 1;
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

test('returns the record of a valid key', async () => {
  expect(await world().check('k', 'flight-info')).toEqual(record);
});

describe('rejects a key', () => {
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

  test('of another product, with the same message as an unknown key', async () => {
    await expect(world().check('k', 'schedules')).rejects.toMatchObject({
      kind: 'key-invalid',
      message: 'The key is unknown, has been revoked, or belongs to a subscription without this product.',
    });
  });

  test('from the day after its expiry date', async () => {
    const { check, state } = keysOver(new Map([['k', { ...record, expiresOn: '2026-04-01' }]]));
    state.nowMs = Date.parse('2026-04-01T23:59:59.999Z');
    expect(await check('k', 'flight-info')).toMatchObject({ subscriptionId: 7 });
    state.nowMs += 1;
    await expect(check('k', 'flight-info')).rejects.toMatchObject({ kind: 'key-expired', message: /until 2026-04-01/ });
  });
});

describe('the database', () => {
  test('is queried every five seconds, and a revocation takes effect then', async () => {
    const { check, state, records } = world();
    await check('k', 'flight-info');
    records.set('k', { ...record, revoked: true });
    state.nowMs += 4_999;
    expect(await check('k', 'flight-info')).toEqual(record);
    expect(state.queries).toBe(1);
    state.nowMs += 1;
    await expect(check('k', 'flight-info')).rejects.toMatchObject({ kind: 'key-invalid' });
    expect(state.queries).toBe(2);
  });

  test('is not queried again for an unknown key until the entry expires', async () => {
    const { check, state, records } = world();
    await expect(check('new', 'flight-info')).rejects.toMatchObject({ kind: 'key-invalid' });
    records.set('new', record);
    await expect(check('new', 'flight-info')).rejects.toMatchObject({ kind: 'key-invalid' });
    expect(state.queries).toBe(1);
    state.nowMs += 5_000;
    expect(await check('new', 'flight-info')).toEqual(record);
  });

  test('is queried once for concurrent requests', async () => {
    const { check, state } = world();
    await Promise.all(Array.from({ length: 50 }, () => check('k', 'flight-info')));
    expect(state.queries).toBe(1);
  });

  test('is queried again after an error', async () => {
    const { check, state } = world();
    state.isDown = true;
    await expect(check('k', 'flight-info')).rejects.toThrow('away');
    state.isDown = false;
    expect(await check('k', 'flight-info')).toEqual(record);
  });

  test('is queried again when the clock was set back', async () => {
    const { check, state } = world();
    await check('k', 'flight-info');
    state.nowMs -= 3_600_000;
    await check('k', 'flight-info');
    expect(state.queries).toBe(2);
  });

  test('is not queried again for a real key after a flood of invented keys', async () => {
    const { check, state } = world();
    await check('k', 'flight-info');
    for (let made = 0; made < 10_500; made++) await check(`x${made}`, 'flight-info').catch(() => undefined);
    const before = state.queries;
    await check('k', 'flight-info');
    expect(state.queries).toBe(before);
    // The oldest made-up key was forgotten to keep the memory small.
    await check('x0', 'flight-info').catch(() => undefined);
    expect(state.queries).toBe(before + 1);
  });
});

describe('while the database is unreachable', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Creates a key checker over a database that works, is unavailable or fails; or responds after a number of milliseconds. */
  const openWorld = () => {
    const state = { nowMs: Date.parse('2026-04-01T12:00:00Z'), record, how: 'well', lateMs: 0 };
    const checkKey = createKeyChecker({
      findKey: async (sought) => {
        if (state.lateMs > 0) await new Promise((resolve) => void setTimeout(resolve, state.lateMs));
        if (state.how !== 'well') throw new Error(state.how);
        return createHash('sha256').update('k').digest().equals(sought) ? state.record : undefined;
      },
      clock: () => new Date(state.nowMs),
      isUnavailable: (error) => error instanceof Error && error.message === 'away',
    });
    const check = (key = 'k'): Promise<string> =>
      checkKey(key, 'flight-info').then(
        () => 'good',
        (error: unknown) => (error instanceof Problem ? error.kind : String(error)),
      );
    return { state, check };
  };

  test('a valid key stays valid for five minutes after its last query, and no other key does', async () => {
    const { state, check } = openWorld();
    expect(await check()).toBe('good');
    state.how = 'away';
    for (let attempt = 0; attempt < 60; attempt += 1) {
      state.nowMs += 4_990;
      expect(await check()).toBe('good');
    }
    expect(await check('new')).toBe('Error: away');
    state.nowMs += 6_000;
    expect(await check()).toBe('Error: away');
  });

  test('a key revoked meanwhile is rejected five seconds after the database is back', async () => {
    const { state, check } = openWorld();
    await check();
    state.how = 'away';
    state.nowMs += 60_000;
    expect(await check()).toBe('good');
    [state.how, state.record] = ['well', { ...record, revoked: true }];
    state.nowMs += 5_000;
    expect(await check()).toBe('key-invalid');
    // A cached rejection stays when the database becomes unavailable again.
    state.how = 'away';
    state.nowMs += 5_000;
    expect(await check()).toBe('key-invalid');
  });

  test('other errors of the database are not treated as unavailability', async () => {
    const { state, check } = openWorld();
    await check();
    state.how = 'broken';
    state.nowMs += 5_000;
    expect(await check()).toBe('Error: broken');
  });

  test('a request does not wait for a slow database, and the late result updates the cache', async () => {
    vi.useFakeTimers();
    const { state, check } = openWorld();
    await check();
    [state.lateMs, state.record] = [1_000, { ...record, revoked: true }];
    state.nowMs += 5_000;
    const result = check();
    await vi.advanceTimersByTimeAsync(400);
    expect(await result).toBe('good');
    await vi.advanceTimersByTimeAsync(600);
    expect(await check()).toBe('key-invalid');
  });
});

describe('a client that sends many invalid keys', () => {
  const openWorld = () => {
    const state = { nowMs: Date.parse('2026-04-01T12:00:40Z'), queries: 0, record };
    const clock = (): Date => new Date(state.nowMs);
    const checkKey = createKeyChecker({
      findKey: async (sought) => {
        state.queries += 1;
        return createHash('sha256').update('k').digest().equals(sought) ? state.record : undefined;
      },
      clock,
      failedKeys: createFailedKeyLimiter(clock, 2),
    });
    const check = (key: string, caller: string | undefined): Promise<string> =>
      checkKey(key, 'flight-info', () => caller).then(
        () => 'good',
        (error: unknown) =>
          error instanceof Problem ? `${error.kind} ${error.headers['Retry-After'] ?? ''}`.trim() : String(error),
      );
    return { state, check };
  };

  test('gets 429 without a query until the next minute', async () => {
    const { state, check } = openWorld();
    expect([await check('a', 'x'), await check('b', 'x'), await check('c', 'x'), await check('k', 'x')]).toEqual([
      'key-invalid',
      'key-invalid',
      'too-many-wrong-keys 20',
      'too-many-wrong-keys 20',
    ]);
    expect(state.queries).toBe(2);
    expect(await check('k', 'y')).toBe('good');
    state.nowMs += 20_000;
    expect(await check('c', 'x')).toBe('key-invalid');
  });

  test('does not block known keys from the same address', async () => {
    const { state, check } = openWorld();
    expect(await check('k', 'x')).toBe('good');
    state.nowMs += 10_000;
    for (const key of ['a', 'b', 'c']) await check(key, 'x');
    expect(await check('k', 'x')).toBe('good');
    state.record = { ...record, revoked: true };
    state.nowMs += 6_000;
    expect(await check('k', 'x')).toBe('too-many-wrong-keys 4');
  });

  test('is not blocked where clients are not identified', async () => {
    const { check } = openWorld();
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((key) => check(key, undefined)));
    expect(new Set(outcomes)).toEqual(new Set(['key-invalid']));
  });
});
