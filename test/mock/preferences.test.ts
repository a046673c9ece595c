import { expect, test } from 'vitest';
import { localDate } from '../../src/domain/time/dates.ts';
import { parsePreferences } from '../../src/mock/preferences.ts';

const nothing = {
  code: undefined,
  example: undefined,
  isDynamic: false,
  delayMs: 0,
  today: undefined,
  errors: [],
};

test('selects the best example when Prefer is absent', () => {
  expect(parsePreferences(null)).toEqual(nothing);
  expect(parsePreferences('')).toEqual(nothing);
});

test('parses several preferences, in any letter case, quoted or not', () => {
  expect(parsePreferences('code=404, Example="notFound", dynamic=TRUE,delay=1500; today = 2024-06-01')).toEqual({
    code: 404,
    example: 'notFound',
    isDynamic: true,
    delayMs: 1500,
    today: localDate('2024-06-01'),
    errors: [],
  });
});

test('ignores unknown preferences', () => {
  expect(parsePreferences('respond-async, wait=10, return=minimal')).toEqual(nothing);
});

test('uses the first of a repeated preference', () => {
  expect(parsePreferences('code=503, code=404')).toEqual({ ...nothing, code: 503 });
});

test('reports a preference without a value', () => {
  expect(parsePreferences('code, example=, delay= , dynamic=true').errors).toEqual([
    "has a code that must be a status such as 404, not ''",
    "has a delay that must be a number of milliseconds, not ''",
  ]);
  expect(parsePreferences('example=').example).toBe('');
});

test('limits the delay to a minute', () => {
  expect(parsePreferences('delay=3600000').delayMs).toBe(60_000);
});

test('reports an invalid value', () => {
  expect(parsePreferences('code=teapot, dynamic=maybe, delay=-1, today=2024-02-30')).toEqual({
    ...nothing,
    errors: [
      "has a code that must be a status such as 404, not 'teapot'",
      "has a dynamic that must be true or false, not 'maybe'",
      "has a delay that must be a number of milliseconds, not '-1'",
      "has a today that must be a date of the form YYYY-MM-DD, not '2024-02-30'",
    ],
  });
});
