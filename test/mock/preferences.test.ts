import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { parsePreferences } from '#mock/preferences.ts';

const nothing = { code: undefined, example: undefined, isDynamic: false, delayMs: 0, today: undefined, errors: [] };
const notFound = { code: 404, example: 'notFound', isDynamic: true, delayMs: 1500, today: localDate('2024-06-01') };
const badCode = (code: string): string => `has a code that must be a status such as 404, not '${code}'`;
const badDelay = (delay: string): string => `has a delay that must be a number of milliseconds, not '${delay}'`;
const badDynamic = "has a dynamic that must be true or false, not 'maybe'";
const badToday = "has a today that must be a date of the form YYYY-MM-DD, not '2024-02-30'";

test.each([
  ['an absent header', null, {}],
  ['an empty header', '', {}],
  ['any letter case, quotes', 'code=404, Example="notFound", dynamic=TRUE,delay=1500; today = 2024-06-01', notFound],
  ['unknown preferences, which are ignored', 'respond-async, wait=10, return=minimal', {}],
  ['a repeated preference, of which the first counts', 'code=503, code=404', { code: 503 }],
  ['a delay of more than a minute', 'delay=3600000', { delayMs: 60_000 }],
  ['an empty example', 'example=', { example: '' }],
  ['no values', 'code, delay= , dynamic=true', { isDynamic: true, errors: [badCode(''), badDelay('')] }],
  [
    'invalid values',
    'code=teapot, dynamic=maybe, delay=-1, today=2024-02-30',
    { errors: [badCode('teapot'), badDynamic, badDelay('-1'), badToday] },
  ],
])('parses %s: %j', (_, header, expected) => {
  expect(parsePreferences(header)).toEqual({ ...nothing, ...expected });
});
