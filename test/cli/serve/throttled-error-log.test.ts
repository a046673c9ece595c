import { expect, test } from 'vitest';
import { createThrottledErrorLog } from '../../../src/cli/serve/throttled-error-log.ts';

const connectionError = (port: number): Error =>
  new Error('the message was not stored', { cause: new Error(`connection to ${port} refused`) });

test('reports the same error once a minute and another error immediately', () => {
  let now = Date.parse('2027-03-01T12:00:00Z');
  const reported: unknown[] = [];
  const report = createThrottledErrorLog(
    (error) => void reported.push(error),
    () => new Date(now),
  );
  const errors = Array.from({ length: 61 }, () => connectionError(1));
  for (const error of errors) {
    report(error);
    now += 1000;
  }
  expect(reported).toEqual([errors[0], errors[60]]);
  const otherError = connectionError(2);
  report(otherError);
  report('no error at all');
  report('no error at all');
  expect(reported.slice(2)).toEqual([otherError, 'no error at all']);
});

test('keeps reporting after the clock is set back', () => {
  let now = Date.parse('2027-03-01T12:00:00Z');
  let reported = 0;
  const report = createThrottledErrorLog(
    () => (reported += 1),
    () => new Date(now),
  );
  report(connectionError(1));
  now -= 3_600_000;
  report(connectionError(1));
  expect(reported).toBe(2);
});
