/* API key guessing; GUESSES is the number of attempts. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { createApp } from '#app.ts';
import { createApi } from '#http/handler/create-api.ts';
import { createKeyChecker } from '#http/auth/api-keys.ts';
import { createFailedKeyLimiter, FAILED_KEYS_PER_MINUTE } from '#http/auth/failed-key-limiter.ts';
import { createKey, findKey, revokeKey } from '#store/access/subscription-keys.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { reportFault } from '../support/report-fault.ts';

const guesses = Number(process.env['GUESSES'] ?? 1000);
const pairCount = Math.ceil(guesses / 10);

const { sql } = await sharedDatabase();
// Enough that a lookup uses the index.
for (let n = 0; n < 200; n += 1) await createKey(sql, { name: `subscriber ${n}`, products: ['flight-info'] });
const { key: validKey } = await createKey(sql, { name: 'good', products: ['flight-info'] });
const { key: foreign } = await createKey(sql, { name: 'foreign', products: ['schedules'] });
const { key: revoked, id: revokedId } = await createKey(sql, { name: 'revoked', products: ['flight-info'] });
await revokeKey(sql, revokedId);

/** Creates the application over the real store; `X-Forwarded-For` identifies the client. */
const serve = ({ ttlMs }: { readonly ttlMs?: number } = {}) => {
  const state = { now: Date.parse('2026-06-01T12:00:05Z'), lookups: 0 };
  const clock = (): Date => new Date(state.now);
  const api = createApi({ reads: 'primary' });
  api.get('/flight-instances', (c) => c.json({}, 200));
  const app = createApp({
    catalog,
    versions: { 'flight-info/v2': api },
    checkKey: createKeyChecker({
      findKey: (hash) => {
        state.lookups += 1;
        return findKey(sql, hash);
      },
      clock,
      failedKeys: createFailedKeyLimiter(clock),
      ...(ttlMs !== undefined && { ttlMs }),
    }),
    getClientId: (_, forwardedFor) => forwardedFor ?? undefined,
    clock,
    log: { request: () => undefined, failure: () => undefined, flush: async () => undefined },
    isUnavailable: () => false,
  });
  const send = async (key: string, from?: string): Promise<Response> =>
    app.request('http://api.test/flight-instances', {
      headers: { 'Subscription-Key': key, ...(from !== undefined && { 'X-Forwarded-For': from }) },
    });
  return { state, send };
};

const createRandomKey = (): string => randomBytes(16).toString('hex');

test('27: blocks one address after too many wrong keys without store lookups, and no other client', async () => {
  const { state, send } = serve();
  const statusOf = async (key: string, from: string): Promise<number> => (await send(key, from)).status;
  expect(await statusOf(validKey, '203.0.113.9')).toBe(200);
  const lookupsBefore = state.lookups;
  const statuses: Record<string, number> = {};
  for (let n = 0; n < guesses; n += 1) {
    const status = await statusOf(createRandomKey(), '203.0.113.9');
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const lookups = state.lookups - lookupsBefore;
  reportFault(27, { guesses, ...statuses, 'store lookups': lookups }, 'one address');
  const limit = FAILED_KEYS_PER_MINUTE;
  expect([statuses, lookups]).toEqual([{ 401: limit, 429: guesses - limit }, limit]);

  // A revoked key or one of another product is rejected like a guess; a valid cached key keeps working.
  for (const key of [revoked, foreign, createRandomKey()]) {
    const response = await send(key, '203.0.113.9');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '55']);
  }
  expect(await statusOf(validKey, '203.0.113.9')).toBe(200);
  expect(await statusOf(createRandomKey(), '203.0.113.10')).toBe(401);
  state.now += 55_000;
  expect(await statusOf(createRandomKey(), '203.0.113.9')).toBe(401);
});

/** Computes mean and squared standard error without the slowest 5 %, which are noise of the machine. */
const computeMoments = (times: readonly number[]) => {
  const trimmed = times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * 0.95));
  const mean = trimmed.reduce((sum, time) => sum + time, 0) / trimmed.length;
  const variance = trimmed.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (trimmed.length - 1);
  return { mean, error: variance / trimmed.length };
};

/** The limit of Welch's t of two samples; above it they certainly differ. */
const MAX_T = 4.5;

/* Every key is new, because of caches. A revoked key takes 20 µs more, because its row is read. */
test('takes as long for a key that shares a prefix with a valid key as for any other wrong key', async () => {
  const { send } = serve({ ttlMs: 0 });
  const times = { any: [] as number[], near: [] as number[] };
  const measure = async (kind: keyof typeof times): Promise<void> => {
    const digits = createRandomKey();
    const key = Buffer.from(kind === 'any' ? digits : validKey.slice(0, -4) + digits.slice(-4)).toString('latin1');
    const startedAt = process.hrtime.bigint();
    const { status } = await send(key);
    times[kind].push(Number(process.hrtime.bigint() - startedAt) / 1000);
    // One in 65,536 is the good key itself.
    if (status !== 401 && key !== validKey) throw new Error(`a guess returned ${status}`);
  };
  for (let n = 0; n < pairCount + 50; n += 1)
    for (const kind of n % 2 === 0 ? (['any', 'near'] as const) : (['near', 'any'] as const)) await measure(kind);
  const [any, similar] = [computeMoments(times.any.slice(50)), computeMoments(times.near.slice(50))];
  const t = (any.mean - similar.mean) / Math.sqrt(any.error + similar.error);
  const figure = { 'any µs': any.mean.toFixed(1), 'with the prefix of a valid key µs': similar.mean.toFixed(1) };
  reportFault(27, { ...figure, t: t.toFixed(2), pairs: pairCount }, 'time');
  expect(Math.abs(t)).toBeLessThan(MAX_T);
});
