import { expect, test } from 'vitest';
import { createThrottledErrorLog } from '#cli/serve/throttled-error-log.ts';

const connectionError = (port: number): Error =>
  new Error('the message was not stored', { cause: new Error(`connection to ${port} refused`) });

const createLog = () => {
  const clock = { now: Date.parse('2027-03-01T12:00:00Z') };
  const reported: unknown[] = [];
  const onError = (error: unknown): void => void reported.push(error);
  const report = createThrottledErrorLog(onError, () => new Date(clock.now));
  return { clock, reported, report };
};

test('reports the same error once a minute and another error immediately', () => {
  const { clock, reported, report } = createLog();
  const errors = Array.from({ length: 61 }, () => connectionError(1));
  for (const error of errors) {
    report(error);
    clock.now += 1000;
  }
  const other = connectionError(2);
  for (const error of [other, 'no error at all', 'no error at all']) report(error);
  expect(reported).toEqual([errors[0], errors[60], other, 'no error at all']);
});

test('keeps reporting after the clock is set back', () => {
  const { clock, reported, report } = createLog();
  report(connectionError(1));
  clock.now -= 3_600_000;
  report(connectionError(1));
  expect(reported).toHaveLength(2);
});
