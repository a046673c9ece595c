import { expect, test } from 'vitest';
import { createThrottledErrorLog } from '../../../src/cli/serve/throttled-error-log.ts';

const away = (port: number): Error =>
  new Error('it was not taken', { cause: new Error(`connection to ${port} refused`) });

test('the same fault is reported once a minute, and another one at once', () => {
  let now = Date.parse('2027-03-01T12:00:00Z');
  const reported: unknown[] = [];
  const report = createThrottledErrorLog(
    (error) => void reported.push(error),
    () => new Date(now),
  );
  const faults = Array.from({ length: 61 }, () => away(1));
  for (const fault of faults) {
    report(fault);
    now += 1000;
  }
  expect(reported).toEqual([faults[0], faults[60]]);
  const other = away(2);
  report(other);
  report('no error at all');
  report('no error at all');
  expect(reported.slice(2)).toEqual([other, 'no error at all']);
});

test('a clock that was set back silences nothing', () => {
  let now = Date.parse('2027-03-01T12:00:00Z');
  let reported = 0;
  const report = createThrottledErrorLog(
    () => (reported += 1),
    () => new Date(now),
  );
  report(away(1));
  now -= 3_600_000;
  report(away(1));
  expect(reported).toBe(2);
});
