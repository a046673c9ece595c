import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UtcMinute } from '#domain/time/dates.ts';
import { minuteToSecond, formatInstant, formatVariation, secondToMinute } from '#domain/status/instants.ts';
import { parseInstant, truncateToSecond } from '#domain/status/instants.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';

test.each([
  ['2027-03-01T11:07:30.120+05:30', '2027-03-01T05:37:30.120Z'],
  ['2027-03-01T11:07:30+00:00', '2027-03-01T11:07:30.000Z'],
  ['2027-03-01T11:07:30-00:00', '2027-03-01T11:07:30.000Z'],
  ['2027-03-01T11:07Z', '2027-03-01T11:07:00.000Z'],
  ['2027-03-01T11:07:30.1Z', '2027-03-01T11:07:30.100Z'],
  ['2027-03-01T11:07:30.123999999Z', '2027-03-01T11:07:30.123Z'],
  ['2027-03-01T00:15:00+12:45', '2027-02-28T11:30:00.000Z'],
  ['2027-02-28T23:45:00-09:30', '2027-03-01T09:15:00.000Z'],
  ['2028-02-29T12:00:00+14:00', '2028-02-28T22:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['1903-12-17T10:35:00-05:00', '1903-12-17T15:35:00.000Z'],
])('%s is the instant %s', (text, utc) => {
  const instant = parseInstant(text);
  expect(instant === undefined ? undefined : new Date(instant).toISOString()).toBe(utc);
});

test.each([
  ['without a time or offset', ['', '2027-03-01', '2027-03-01T11:07:30']],
  ['in another form', ['2027-03-01 11:07:30Z', '2027-03-01T11:07:30z', '02027-03-01T11:07:30Z']],
  ['at no time of day', ['2027-03-01T24:00:00Z', '2027-03-01T11:60:00Z', '2027-03-01T11:07:60Z']],
  ['on no day', ['2027-02-29T11:07:30Z', '2027-13-01T11:07:30Z']],
  ['with another fraction', ['2027-03-01T11:07:30.Z', '2027-03-01T11:07:30.1234567890Z']],
  ['with another offset', ['+0530', '+05', '+15:00', '+05:60'].map((offset) => `2027-03-01T11:07:30${offset}`)],
  ['with white space', [' 2027-03-01T11:07:30Z', '2027-03-01T11:07:30Z\n']],
])('a text %s is not an instant', (_, texts) => {
  expect(texts.filter((text) => parseInstant(text) !== undefined)).toEqual([]);
});

test.each([
  ['2027-03-01T05:37:30Z', 330, '2027-03-01T11:07:30+05:30'],
  ['2027-03-01T05:37:30Z', 0, '2027-03-01T05:37:30+00:00'],
  ['2027-03-01T00:00:00Z', -570, '2027-02-28T14:30:00-09:30'],
  ['2027-03-01T00:00:00Z', -15, '2027-02-28T23:45:00-00:15'],
  ['2027-12-31T23:59:59Z', 765, '2028-01-01T12:44:59+12:45'],
  ['1969-12-31T23:59:59Z', 0, '1969-12-31T23:59:59+00:00'],
  ['1969-12-31T23:00:00Z', -45, '1969-12-31T22:15:00-00:45'],
])('%s on a clock %d minutes ahead is %s', (text, offset, expected) => {
  expect(formatInstant(truncateToSecond(new Date(text).getTime() as UtcMillisecond), offset)).toBe(expected);
});

test.each([
  [0, '00:00:00'],
  [1, '00:00:01'],
  [-1, '-00:00:01'],
  [960, '00:16:00'],
  [-900, '-00:15:00'],
  [3780, '01:03:00'],
  [-86_399, '-23:59:59'],
  [90_061, '25:01:01'],
  [360_000, '100:00:00'],
])('formats a variation of %d seconds as %s', (seconds, text) => {
  expect(formatVariation(seconds)).toBe(text);
});

test('an instant between two seconds or two minutes belongs to the earlier one, before 1970 as well', () => {
  const seconds = [1999, 0, -1, -1000, -1001].map((instant) => truncateToSecond(instant as UtcMillisecond));
  expect(seconds).toEqual([1, 0, -1, -1, -2]);
  expect([59, 60, -1, -60, -61].map((second) => secondToMinute(second as UtcSecond))).toEqual([0, 1, -1, -1, -2]);
  expect([0, 1, -1].map((minute) => minuteToSecond(minute as UtcMinute))).toEqual([0, 60, -60]);
});

test('formatted instants parse to the same instant for every offset', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (second, offset) => {
        expect(parseInstant(formatInstant(second as UtcSecond, offset))).toBe(second * 1000);
      },
    ),
  );
});
