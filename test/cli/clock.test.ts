import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '#cli/shared/clock.ts';
import { localDate } from '#domain/time/dates.ts';
import { callCommand } from './call-command.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T23:59:30.250Z') }));
afterEach(() => void vi.useRealTimers());

test('the clock is the system clock when no date is set', () => {
  const clock = createClock();
  vi.advanceTimersByTime(1000);
  expect(clock()).toEqual(new Date('2026-11-21T23:59:31.250Z'));
});

test.each([
  ['2024-06-01', '2024-06-01T23:59:30.250Z', '2024-06-02T00:00:30.250Z'],
  ['2026-11-21', '2026-11-21T23:59:30.250Z', '2026-11-22T00:00:30.250Z'],
  ['2030-02-28', '2030-02-28T23:59:30.250Z', '2030-03-01T00:00:30.250Z'],
])('the clock starts on %s at the present time of day and runs past midnight', (today, first, aMinuteLater) => {
  const clock = createClock(localDate(today));
  expect(clock()).toEqual(new Date(first));
  vi.advanceTimersByTime(60_000);
  expect(clock()).toEqual(new Date(aMinuteLater));
});

test.each([
  ['--today', 'tomorrow', "'tomorrow' must be a date of the form YYYY-MM-DD"],
  ['--workers', 'some', "'some' must be a whole number from 1 to 256, or 'auto'"],
])('flightdata serve %s %s exits with 2', async (option, value, message) => {
  const err = expect.stringContaining(message);
  expect(await callCommand(['serve', option, value], {})).toEqual({ code: 2, out: '', err });
});
