import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutageLog } from '#http/observability/outage-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const createTestLog = () => {
  const lines: string[] = [];
  const report = createOutageLog({
    log: { failure: (error, _at, requestId) => void lines.push(`${requestId}: ${String(error)}`) },
    clock: () => new Date(Date.UTC(2026, 5, 1)),
    isOutage: (error) => error === 'lost',
  });
  const fail = (error: string, times = 1): void => {
    for (let time = 0; time < times; time += 1) report(error, (one) => void lines.push(String(one)));
  };
  return { lines, fail };
};

const summary = (rejected: number): string =>
  `outage: Error: the database was unreachable since 2026-06-01T00:00:00.000Z: ${rejected} further requests were rejected in ten seconds`;

test('logs an outage once, and then every ten seconds how many requests it rejected', () => {
  const { lines, fail } = createTestLog();
  fail('lost', 1000);
  expect(lines).toEqual(['lost']);
  vi.advanceTimersByTime(10_000);
  expect(lines).toEqual(['lost', summary(999)]);
  fail('lost', 5);
  vi.advanceTimersByTime(10_000);
  expect(lines).toEqual(['lost', summary(999), summary(5)]);
});

test('an outage that no request notices for ten seconds is over', () => {
  const { lines, fail } = createTestLog();
  fail('lost');
  vi.advanceTimersByTime(10_000);
  fail('lost');
  expect(lines).toEqual(['lost', 'lost']);
});

test('logs all other errors one by one', () => {
  const { lines, fail } = createTestLog();
  fail('slow', 2);
  fail('lost');
  fail('slow');
  expect(lines).toEqual(['slow', 'slow', 'lost', 'slow']);
});
