import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localDate, parseDate } from '#domain/time/dates.ts';
import { parseInstant } from '#domain/status/instants.ts';
import { parseMessageDate, parseMessageInstant } from '#feeds/status/wire-values.ts';

test.each([
  ['2027-03-01T11:07:30.1299Z', Date.UTC(2027, 2, 1, 11, 7, 30, 129)],
  ['2027-03-01T16:37+05:30', Date.UTC(2027, 2, 1, 11, 7)],
  ['1950-01-01T00:00:00Z', Date.UTC(1950, 0, 1)],
  ['2099-12-31T23:59:59Z', Date.UTC(2099, 11, 31, 23, 59, 59)],
  ['2100-01-01T00:30:00+01:00', Date.UTC(2099, 11, 31, 23, 30)],
])('%s is an instant', (text, instant) => {
  expect(parseMessageInstant(text)).toBe(instant);
});

test.each([
  ['beyond the years', ['1949-12-31T23:59:59Z', '2100-01-01T00:00:00Z']],
  ['of an early year', ['0065-03-01T11:07:30Z', '0065-03-01T11:07:30+00:00']],
])('a text %s is not an instant', (_, texts) => {
  expect(texts.filter((text) => parseMessageInstant(text) !== undefined)).toEqual([]);
});

test('parses every text like the regular expression, within the bounds', () => {
  const exact = fc
    .date({ min: new Date('1950-01-01T00:00:00Z'), max: new Date('2099-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const plain = exact.map((text) => `${text.slice(0, 19)}Z`);
  const spoilt = fc
    .tuple(fc.oneof(exact, plain), fc.nat(23), fc.constantFrom(...'0123456789-:.TZ+/ ٣'))
    .map(([text, at, character]) => text.slice(0, at) + character + text.slice(at + 1))
    .filter((text) => !text.startsWith('0'));
  fc.assert(
    fc.property(fc.oneof(exact, plain, spoilt), (text) => {
      const instant = parseInstant(text);
      const isWithin = instant !== undefined && instant >= Date.UTC(1950, 0, 1) && instant < Date.UTC(2100, 0, 1);
      expect(parseMessageInstant(text)).toBe(isWithin ? instant : undefined);
    }),
    { numRuns: 1500 },
  );
});

test('a date is a day of the calendar from 1950 to 2099', () => {
  expect(parseMessageDate('2027-03-01')).toBe(localDate('2027-03-01'));
  expect(parseMessageDate('1950-01-01')).toBe(localDate('1950-01-01'));
  expect(parseMessageDate('2099-12-31')).toBe(localDate('2099-12-31'));
  for (const text of ['2027-02-29', '2027-3-01', '1949-12-31', '2100-01-01', '0065-03-01', '2027-03-01Z', '2027/03/01'])
    expect(parseMessageDate(text), text).toBeUndefined();
});

test('parses every text as a date like the regular expression', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(19[5-9]|20[0-9])[0-9/]-[01][0-9]-[0-3][0-9]$/), (text) => {
      expect(parseMessageDate(text)).toBe(parseDate(text));
    }),
  );
});
