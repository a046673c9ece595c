import { expect, test } from 'vitest';

import { passengerMinutesOf } from '../../../src/domain/schedule/passenger-minutes.ts';

test.each([
  ['at the same time', 600, 600, 600],
  ['a little earlier', 590, 600, 590],
  ['before midnight, the aircraft after it', 1435, 5, -5],
  ['after midnight, the aircraft before it', 5, 1435, 1445],
  ['at the very end of the day', 1440, 1430, 1440],
])('passengers %s', (_, passengerMinutes, aircraftMinutes, expected) => {
  expect(passengerMinutesOf({ passengerMinutes, aircraftMinutes })).toBe(expected);
});
