import { expect, test } from 'vitest';
import { addDays, formatDate, localDate, parseDate } from '#domain/time/dates.ts';

test.each('0001-01-01 0099-12-31 0100-03-01 1970-01-01 2024-02-29 9999-12-31'.split(' '))('%s is a date', (text) => {
  const date = parseDate(text);
  expect(date === undefined ? undefined : formatDate(date)).toBe(text);
});

test.each('2023-02-29 2027-13-01 2027-00-10 2027-04-31 2027-4-01 0000-01-01'.split(' '))('%s is not a date', (text) => {
  expect(parseDate(text)).toBeUndefined();
});

test('a date after the last one with a four-digit year has the format that the store reads', () => {
  expect(formatDate(addDays(localDate('9999-12-31'), 1))).toBe('10000-01-01');
  expect(formatDate(addDays(localDate('1970-01-01'), 36_000_000))).toBe('100534-08-27');
});
