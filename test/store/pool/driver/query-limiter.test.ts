import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QueryLimiter } from '#store/pool/driver/query-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lost = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

/** A limiter for a database whose probes end as the test says; two concurrent queries. */
const createLimiter = (database: { readonly isActive?: boolean } = {}) => {
  let probeResult: 'alive' | 'silent' | 'refused' = 'alive';
  let probes = 0;
  const queue = { targetMs: 200, intervalMs: 600 };
  const limits = { unresponsiveMs: 1000, queue, pipelineMs: 1000, executionMs: 5000, maxConcurrent: 2 };
  const limiter = new QueryLimiter(limits, () => {
    probes += 1;
    if (probeResult === 'refused') return Promise.reject(lost);
    return probeResult === 'alive' ? Promise.resolve() : new Promise(() => {});
  });
  const send = () => {
    const seen = { sent: false, rejected: '' };
    const query = limiter.create({
      send: () => void (seen.sent = true),
      isActive: () => database.isActive ?? true,
      reject: (error) => void (seen.rejected = error.message),
    });
    limiter.admit(query);
    return { seen, query };
  };
  const setProbeResult = (next: typeof probeResult): void => void (probeResult = next);
  return { limiter, send, probes: () => probes, setProbeResult };
};

const SENT = { sent: true, rejected: '' };
const QUEUED = { sent: false, rejected: '' };
const OVERLOADED = { sent: false, rejected: 'too many queries wait for the database' };
const LATE = 'the database does not respond in time';
const AWAY = 'the database is unreachable';

test('queues queries beyond the concurrency limit: a burst for 600 ms, in lasting overload for 200 ms', async () => {
  const { limiter, send, setProbeResult } = createLimiter();
  setProbeResult('silent');
  const [first, second, burst, next] = [send(), send(), send(), send()];
  await vi.advanceTimersByTimeAsync(500);
  limiter.onResolved(first.query);
  expect([first, second, burst, next].map(({ seen }) => ({ ...seen }))).toEqual([SENT, SENT, SENT, QUEUED]);
  await vi.advanceTimersByTimeAsync(200);
  const [late, fresh] = [send(), send()];
  limiter.onResolved(second.query);
  expect([next, late, fresh].map(({ seen }) => ({ ...seen }))).toEqual([OVERLOADED, SENT, QUEUED]);
  await vi.advanceTimersByTimeAsync(200);
  limiter.onResolved(burst.query);
  expect(fresh.seen).toEqual(OVERLOADED);
});

test('a slow query runs while probes succeed, up to its time limit', async () => {
  const { limiter, send } = createLimiter();
  const { seen } = send();
  // A transaction has as much time as a query.
  const transaction = limiter.withTimeout(new Promise(() => {})).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(4900);
  expect(seen).toEqual(SENT);
  await vi.advanceTimersByTimeAsync(200);
  expect([seen.rejected, await transaction]).toEqual([LATE, expect.objectContaining({ code: 'STORE_BUSY' })]);
});

test('a query behind another one on its connection is rejected after the queue time', async () => {
  const { send } = createLimiter({ isActive: false });
  const { seen } = send();
  await vi.advanceTimersByTimeAsync(1100);
  expect(seen.rejected).toBe('previous queries take too long');
});

test('opens the circuit when no query gets a response, and closes it after a successful probe', async () => {
  const { send, setProbeResult, probes } = createLimiter();
  setProbeResult('silent');
  const { seen } = send();
  await vi.advanceTimersByTimeAsync(900);
  expect(seen).toEqual(SENT);
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.rejected).toBe(LATE);
  expect(send().seen).toEqual({ sent: false, rejected: AWAY });
  const before = probes();
  await vi.advanceTimersByTimeAsync(60_000);
  // Unanswered probes do not accumulate.
  expect(probes() - before).toBeLessThan(40);
  setProbeResult('alive');
  await vi.advanceTimersByTimeAsync(2100);
  expect(send().seen).toEqual(SENT);
});

test('queues queries after a lost connection until a probe succeeds, and rejects them when none can', async () => {
  const { limiter, send, setProbeResult } = createLimiter();
  limiter.onRejected(send().query, lost);
  const queued = send();
  expect(queued.seen).toEqual(QUEUED);
  await vi.advanceTimersByTimeAsync(300);
  expect(queued.seen).toEqual(SENT);
  setProbeResult('refused');
  limiter.onRejected(queued.query, lost);
  const rejected = send();
  await vi.advanceTimersByTimeAsync(300);
  expect(rejected.seen).toEqual({ sent: false, rejected: AWAY });
});

test('sends queries that waited for a lost database when it returns, and rejects none as overload', async () => {
  const { limiter, send, setProbeResult } = createLimiter();
  setProbeResult('silent');
  limiter.onRejected(send().query, lost);
  const queued = [send(), send()];
  await vi.advanceTimersByTimeAsync(900);
  limiter.onResolved(send().query);
  expect(queued.map(({ seen }) => seen)).toEqual([SENT, SENT]);
});

test('is stalled after 200 ms without a result, and after a lost connection, until the circuit opens or closes', async () => {
  const { limiter, send, setProbeResult } = createLimiter();
  setProbeResult('silent');
  const { query } = send();
  const stalled = [limiter.isStalled()];
  await vi.advanceTimersByTimeAsync(200);
  stalled.push(limiter.isStalled());
  limiter.onResolved(query);
  stalled.push(limiter.isStalled());
  limiter.onRejected(send().query, lost);
  stalled.push(limiter.isStalled());
  setProbeResult('refused');
  await vi.advanceTimersByTimeAsync(2100);
  stalled.push(limiter.isStalled());
  expect([stalled, limiter.isAway()]).toEqual([[false, true, false, true, false], true]);
});

test('a rejected query counts as concurrent until the database settles it', async () => {
  const { limiter, send } = createLimiter();
  const [first] = [send(), send()];
  await vi.advanceTimersByTimeAsync(5100);
  expect(first.seen.rejected).toBe(LATE);
  const next = send();
  expect(next.seen.sent).toBe(false);
  limiter.onResolved(first.query);
  expect(next.seen).toEqual(SENT);
});

test('stops its timer when no query is awaited', async () => {
  const { limiter, send } = createLimiter();
  limiter.onResolved(send().query);
  expect(await limiter.withTimeout(Promise.resolve('done'))).toBe('done');
  await vi.advanceTimersByTimeAsync(100);
  expect(vi.getTimerCount()).toBe(0);
});
