import { expect, test } from 'vitest';
import { toUtcDate } from '#domain/time/dates.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import { buildHistoryMessages } from '#jobs/demo/activity/demo-history.ts';

test('each flight of a past day has one message, with its arrival unless it was cancelled or diverted', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  const messages = buildHistoryMessages(toUtcDate(new Date('2026-11-10')), now.getTime() as UtcMillisecond);
  const ids = new Set(messages.map(({ id }) => id));
  expect([ids.size, ids.size > 1400, [...ids].every((id) => id.endsWith('/history'))]).toEqual([
    messages.length,
    true,
    true,
  ]);
  const unfinished = messages.filter(
    ({ facts: { cancelled, actualIn, actualOn }, landings }) =>
      cancelled !== true && landings.length === 0 && (actualIn ?? actualOn) === undefined,
  );
  expect(unfinished).toEqual([]);
});
