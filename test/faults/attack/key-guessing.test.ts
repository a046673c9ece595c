/* Keys are guessed at. GUESSES says how often. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../generated/catalog.ts';
import { jsonResponse } from '../../../src/http/response/http-response.ts';
import { createRouter } from '../../../src/http/router/router.ts';
import { createKeyChecker } from '../../../src/http/auth/api-keys.ts';
import { createFailedKeyLimiter, FAILED_KEYS_PER_MINUTE } from '../../../src/http/auth/failed-key-limiter.ts';
import { createKey, findKey, revokeKey } from '../../../src/store/access/subscription-keys.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { reportFault } from '../support/report-fault.ts';

const guesses = Number(process.env['GUESSES'] ?? 2000);
const pairs = Math.ceil(guesses / 10);

let fresh: FreshDatabase;
let good = '';
let revoked = '';
let foreign = '';

beforeAll(async () => {
  fresh = await freshDatabase();
  const { sql } = fresh;
  // So many that a look-up is one in an index.
  for (let n = 0; n < 200; n += 1) await createKey(sql, { name: `subscriber ${n}`, products: ['flight-info'] });
  good = (await createKey(sql, { name: 'good', products: ['flight-info'] })).key;
  foreign = (await createKey(sql, { name: 'foreign', products: ['schedules'] })).key;
  const gone = await createKey(sql, { name: 'gone', products: ['flight-info'] });
  await revokeKey(sql, gone.id);
  revoked = gone.key;
});
afterAll(() => fresh.drop());

/** The edge over the real store; who asks is who `X-Forwarded-For` says. */
const serve = ({ ttlMs }: { readonly ttlMs?: number } = {}) => {
  const state = { now: Date.parse('2026-06-01T12:00:05Z'), asked: 0 };
  const clock = (): Date => new Date(state.now);
  const front = createRouter({
    catalog,
    handlers: { 'flight-info/v2': () => jsonResponse(200, {}) },
    checkKey: createKeyChecker({
      findKey: (hash) => {
        state.asked += 1;
        return findKey(fresh.sql, hash);
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
  const ask = (key: string, from?: string): Promise<Response> =>
    front(
      new Request('http://api.test/flight-instances', {
        headers: { 'Subscription-Key': key, ...(from !== undefined && { 'X-Forwarded-For': from }) },
      }),
    );
  return { state, ask };
};

const createRandomKey = (): string => randomBytes(16).toString('hex');

/** How often each status came. */
const countStatuses = (statuses: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((status) => status === one).length]));

const sendSequentially = async (count: number, ask: (n: number) => Promise<Response>) => {
  const statuses: number[] = [];
  const cpu = process.cpuUsage();
  for (let n = 0; n < count; n += 1) statuses.push((await ask(n)).status);
  const { user, system } = process.cpuUsage(cpu);
  return { statuses: countStatuses(statuses), microseconds: Math.round((user + system) / count) };
};

test('whoever guesses from one address is soon heard no more, at no cost to the store, and nobody else is', async () => {
  const { state, ask } = serve();
  expect((await ask(good, '203.0.113.9')).status).toBe(200);
  const asked = state.asked;
  const { statuses, microseconds } = await sendSequentially(guesses, () => ask(createRandomKey(), '203.0.113.9'));
  const figure = {
    guesses,
    ...statuses,
    'questions to the store': state.asked - asked,
    'µs of CPU a guess': microseconds,
  };
  reportFault({
    fault: 27,
    part: 'one address',
    figure,
    bound: `${FAILED_KEYS_PER_MINUTE} answered 401, the rest 429 unasked`,
  });
  expect(statuses).toEqual({ 401: FAILED_KEYS_PER_MINUTE, 429: guesses - FAILED_KEYS_PER_MINUTE });
  expect(state.asked - asked).toBe(FAILED_KEYS_PER_MINUTE);

  // A key that is revoked, or of another product, is refused as a guess is, and one that this process knows goes on working.
  for (const key of [revoked, foreign, createRandomKey()]) {
    const response = await ask(key, '203.0.113.9');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '55']);
  }
  expect((await ask(good, '203.0.113.9')).status).toBe(200);
  expect((await ask(createRandomKey(), '203.0.113.10')).status).toBe(401);
  state.now += 55_000;
  expect((await ask(createRandomKey(), '203.0.113.9')).status).toBe(401);
});

test('guesses from many addresses are as hopeless, and cost a look-up in an index each', async () => {
  const { state, ask } = serve();
  const known = await sendSequentially(pairs, () => ask(good));
  const { statuses, microseconds } = await sendSequentially(guesses, (n) => ask(createRandomKey(), `address ${n}`));
  const figure = {
    guesses,
    ...statuses,
    'µs of CPU a guess': microseconds,
    'µs of CPU a good key': known.microseconds,
  };
  reportFault({ fault: 27, part: 'many addresses', figure, bound: 'all answered 401' });
  expect(statuses).toEqual({ 401: guesses });
  expect(state.asked).toBe(guesses + 1);
});

test('a key that is unknown, revoked, or of another product is refused in the same words', async () => {
  const { ask } = serve();
  const texts = await Promise.all(
    [createRandomKey(), revoked, foreign, 'x'.repeat(300)].map(async (key) => {
      const response = await ask(key);
      const body: object = await response.json();
      const headers = Object.fromEntries(response.headers);
      return { ...headers, 'x-request-id': '', ...body, traceId: '' };
    }),
  );
  expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBe(1);
  expect(texts[0]).toMatchObject({ status: 401, type: '/docs/errors#key-invalid' });
});

type Moments = { readonly mean: number; readonly variance: number; readonly count: number };

/** Without the slowest twentieth, which tells of the machine and not of keys. */
const computeMoments = (times: readonly number[]): Moments => {
  const kept = times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * 0.95));
  const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length;
  const variance = kept.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (kept.length - 1);
  return { mean, variance, count: kept.length };
};

/** Welch's t of two samples; beyond 4.5 they differ for sure. */
const computeWelchT = (a: Moments, b: Moments): number =>
  (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);

const MAX_T = 4.5;

/*
 * Every key of either kind is a new one: one that is asked again and again is met where the last answer left it. A key that there is,
 * though revoked or of another product, takes some 20 µs more, for its row is read: only who has it can ask with it.
 */
test('the time of an answer does not tell a key that begins like a good one from any other', async () => {
  const { ask } = serve({ ttlMs: 0 });
  const times = { any: [] as number[], near: [] as number[] };
  const timed = async (kind: keyof typeof times): Promise<void> => {
    const digits = createRandomKey();
    const key = Buffer.from(kind === 'any' ? digits : good.slice(0, -4) + digits.slice(-4)).toString('latin1');
    const startedAt = process.hrtime.bigint();
    const { status } = await ask(key);
    times[kind].push(Number(process.hrtime.bigint() - startedAt) / 1000);
    // One in 65,536 is the good key itself.
    if (status !== 401 && key !== good) throw new Error(`a guess was answered with ${status}`);
  };
  for (let n = 0; n < pairs + 50; n += 1)
    for (const kind of n % 2 === 0 ? (['any', 'near'] as const) : (['near', 'any'] as const)) await timed(kind);
  const [any, near] = [computeMoments(times.any.slice(50)), computeMoments(times.near.slice(50))];
  const t = computeWelchT(any, near);
  reportFault({
    fault: 27,
    part: 'time',
    figure: `any ${any.mean.toFixed(1)} µs, one that begins like a good one ${near.mean.toFixed(1)} µs, t ${t.toFixed(2)} over ${pairs} pairs`,
    bound: `t below ${MAX_T}`,
  });
  expect(Math.abs(t)).toBeLessThan(MAX_T);
});
