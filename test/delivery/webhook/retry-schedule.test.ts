import { expect, test } from 'vitest';
import { type DeliveryResult, toDeliveryResult } from '#delivery/webhook/delivery-result.ts';
import { scheduleNextAttempt, retryDelaysMs } from '#delivery/webhook/retry-schedule.ts';

const now = new Date('2026-06-01T12:00:00Z');
const read = { durationMs: 12, responseBytes: 0, responseText: '' } as const;
const failed: DeliveryResult = { ...read, kind: 'failed', reason: 'connect-refused', status: undefined };
const resultOf = (status: number, retryAfter?: string): DeliveryResult =>
  toDeliveryResult({ status, retryAfter, at: now }, read);
const waitOf = (outcome: DeliveryResult, attempts: number, random = 0): unknown => {
  const next = scheduleNextAttempt(outcome, { attempts, now, random });
  return 'at' in next ? (next.at.getTime() - now.getTime()) / 1000 : next.over;
};

test('tries a receiver without responses 17 times in about three days', () => {
  const waits = Array.from({ length: 17 }, (_, made) => waitOf(failed, made + 1));
  const first = [5, 30, 120, 600, 1800, 3600, 7200, 14_400];
  expect(waits).toEqual([...first, ...Array.from({ length: 8 }, () => 28_800), 'exhausted']);
  expect(retryDelaysMs.reduce((sum, wait) => sum + wait) / 3_600_000).toBeCloseTo(71.7, 1);
});

test('jitter lengthens a delay by up to 10 %', () => {
  expect([0, 0.5, 0.999_99].map((random) => waitOf(failed, 6, random))).toEqual([3600, 3780, 3959.996]);
});

test('schedules no attempt after the results delivered and gone', () => {
  expect([waitOf(resultOf(204), 1), waitOf(resultOf(410), 1)]).toEqual(['delivered', 'gone']);
});

test('retries redirects and permanent statuses', () => {
  expect([301, 400, 401, 404, 413, 500].map((status) => waitOf(resultOf(status), 1))).toEqual([5, 5, 5, 5, 5, 5]);
});

test.each([
  ['120', 120],
  ['0', 5],
  ['3', 5],
  ['Mon, 01 Jun 2026 12:10:00 GMT', 600],
  ['Mon, 01 Jun 2026 11:00:00 GMT', 5],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
  ['1000000000', 3600],
  ['9'.repeat(400), 3600],
  ['-10', 5],
  ['120.5', 5],
  ['2026-06-01T12:10:00Z', 5],
  ['Mon, 99 Jun 2026 12:10:00 GMT', 5],
  ['soon', 5],
  ['', 5],
])('Retry-After: %s waits %d seconds', (retryAfter, seconds) => {
  expect([waitOf(resultOf(429, retryAfter), 1), waitOf(resultOf(503, retryAfter), 1)]).toEqual([seconds, seconds]);
});

test('Retry-After neither shortens a delay nor adds an attempt', () => {
  expect([waitOf(resultOf(503, '60'), 8), waitOf(resultOf(503, '60'), 17)]).toEqual([14_400, 'exhausted']);
});
