import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { listDemoFlights } from '#demo/activity/demo-flight.ts';
import { listAbsentLegs } from '#demo/activity/start-demo-activity.ts';

test('a leg that crosses the date line to the day before the first stored day has no messages', () => {
  const flights = listDemoFlights(localDate('2026-11-24'), 10);
  expect(listAbsentLegs(flights, localDate('2026-11-23'))).toEqual(new Set([`X2/5/${localDate('2026-11-23')}/PPG`]));
  expect(listAbsentLegs(flights, localDate('2026-11-24'))).toEqual(new Set());
});
