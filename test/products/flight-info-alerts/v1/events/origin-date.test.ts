import { expect, test } from 'vitest';
import { findOriginDate, type KeyedInstance } from '#products/flight-info-alerts/v1/events/origin-date.ts';
import { addDays, localDate } from '#domain/time/dates.ts';
import { computeScheduleKey } from '#domain/schedule/keys.ts';

const departsOn = localDate('2027-01-10');
const flight = { flightNumber: 2505, suffix: '', board: 'AAA', off: 'BBB', departsOn };

const keyed = (
  shift: number,
  { carrier = 'ZZ', occurrence = 1 }: { readonly carrier?: string; readonly occurrence?: number } = {},
): KeyedInstance => {
  const { flightNumber, suffix, board, off } = flight;
  const designator = { carrier, flightNumber, suffix };
  const identity = { designator, date: addDays(departsOn, -shift), board, off, occurrence };
  const scheduleInstanceKey = computeScheduleKey(identity).toString('hex');
  return { ...flight, carrierCodes: ['ZZ', 'ZZA'], scheduleInstanceKey };
};

test.each([0, 1, 2, 3, 7, 8, -1])('a leg that departs %d days after its flight is found under its flight', (shift) => {
  expect(findOriginDate(keyed(shift))).toBe(addDays(departsOn, -shift));
});

test('a carrier that files under its ICAO code is found too, as is a second departure on the day', () => {
  expect(findOriginDate(keyed(1, { carrier: 'ZZA' }))).toBe(addDays(departsOn, -1));
  expect(findOriginDate(keyed(1, { occurrence: 2 }))).toBe(addDays(departsOn, -1));
});

test('falls back to the departure date if no date matches, and skips absent codes', () => {
  expect(findOriginDate({ ...keyed(1), scheduleInstanceKey: 'f'.repeat(64) })).toBe(departsOn);
  expect(findOriginDate({ ...keyed(1, { carrier: '' }), carrierCodes: ['', ''] })).toBe(departsOn);
});
