import { expect, test } from 'vitest';
import {
  computeEntityTag,
  computeJsonEntityTag,
  hasMatchingTag,
  isNotModified,
  parseHttpDate,
  toLastModifiedHeader,
} from '#http/response/conditional.ts';

const bytes = Buffer.from('{"name":"Heathrow"}');
const modified = 'Mon, 01 Jun 2026 00:00:00 GMT';
const tag = computeEntityTag(bytes);
const weak = `W/${tag}`;

const isKnown = (
  sent: Readonly<Record<string, string>>,
  { lastModified }: { readonly lastModified?: string } = { lastModified: modified },
): boolean => isNotModified(new Headers(sent), tag, lastModified);

test('an entity tag is strong and depends on the bytes alone', () => {
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  expect([Buffer.from(bytes), Buffer.from('{}')].map((text) => computeEntityTag(text) === tag)).toEqual([true, false]);
  expect(computeJsonEntityTag({ name: 'Heathrow' })).toBe(tag);
});

test('long bodies have distinct tags too', () => {
  const [one, other] = [Buffer.alloc(20_000, 'a'), Buffer.alloc(20_000, 'a')];
  expect(computeEntityTag(one)).toBe(computeEntityTag(other));
  other[19_999] = 98;
  expect(computeEntityTag(one)).not.toBe(computeEntityTag(other));
  expect(computeEntityTag(one)).toMatch(/^"[A-Za-z0-9_-]+"$/);
});

test.each<readonly [what: string, list: string, known: boolean]>([
  ['the tag', tag, true],
  ['the tag, weak', weak, true],
  ['anything', '*', true],
  ['anything, with blanks', ' * ', true],
  ['another tag', '"another"', false],
  ['the tag without its quotes', tag.slice(1, -1), false],
  ['the last of a list', `"a", W/"b" ,${tag}`, true],
  ['a list without it', '"a", W/"b"', false],
  ['a list with empty members', `, ,${weak},`, true],
  ['a tag with a comma in it', '"a,b"', false],
  ['a tag that has it as a part', `"x${tag.slice(1)}`, false],
  ['nothing', '', false],
])('If-None-Match matches %s', (_, list, known) => {
  expect(isKnown({ 'If-None-Match': list })).toBe(known);
});

test('If-None-Match ignores times when tags are sent', () => {
  expect(isKnown({ 'If-None-Match': '"another"', 'If-Modified-Since': modified })).toBe(false);
  expect(isKnown({ 'If-None-Match': tag, 'If-Modified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' })).toBe(true);
});

test.each<readonly [what: string, date: string, known: boolean]>([
  ['the time itself', modified, true],
  ['a later time', 'Mon, 01 Jun 2026 00:00:01 GMT', true],
  ['a time before it', 'Sun, 31 May 2026 23:59:59 GMT', false],
  ['in the form of RFC 850', 'Monday, 01-Jun-26 00:00:00 GMT', true],
  ['in the form of RFC 850, of the century before', 'Monday, 01-Jun-77 00:00:00 GMT', false],
  ['in the form of asctime', 'Mon Jun  1 00:00:00 2026', true],
  ['in a form of no standard', '2026-06-01T00:00:00Z', false],
  ['no time', 'yesterday', false],
])('If-Modified-Since matches %s', (_, date, known) => {
  expect(isKnown({ 'If-Modified-Since': date })).toBe(known);
});

test('If-Modified-Since never matches without Last-Modified', () => {
  expect(isKnown({ 'If-Modified-Since': modified }, {})).toBe(false);
});

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sunday, 06-Nov-94 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sun Nov  6 08:49:37 1994', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sun Nov 16 08:49:37 1994', Date.UTC(1994, 10, 16, 8, 49, 37)],
  ['Tue, 31 Feb 2026 00:00:00 GMT', undefined],
  ['Tue, 01 Jun 2026 00:60:00 GMT', undefined],
  ['Tue, 01 Jun 2026 00:00:61 GMT', undefined],
  ['Tue, 01 Foo 2026 00:00:00 GMT', undefined],
  ['Tue, 01 Jun 2026 24:00:00 GMT', undefined],
  ['Tue, 01 Jun 2026 00:00:00 CET', undefined],
])('%s is an HTTP date of RFC 9110, or invalid', (text, instant) => {
  expect(parseHttpDate(text, 2026)).toBe(instant);
});

test('parses the name of every month', () => {
  const instants = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 2));
  expect(instants.map((instant) => parseHttpDate(new Date(instant).toUTCString(), 2026))).toEqual(instants);
});

test('omits Last-Modified within the second of the change', () => {
  const now = new Date('2026-06-01T12:00:00.500Z');
  expect(toLastModifiedHeader(Date.UTC(2026, 5, 1, 12, 0, 0, 200), now)).toEqual({});
  expect(toLastModifiedHeader(Date.UTC(2026, 5, 1, 12, 0, 0, 0), now)).toEqual({
    'Last-Modified': 'Mon, 01 Jun 2026 12:00:00 GMT',
  });
  expect(toLastModifiedHeader(Date.UTC(2026, 5, 1, 11, 59, 59, 1), now)).toEqual({
    'Last-Modified': 'Mon, 01 Jun 2026 12:00:00 GMT',
  });
});

test.each([
  ['its own tag', '"a"', true],
  ['one of several', '"x,y", "a"', true],
  ['any', ' * ', true],
  ['its own tag, made weak by a proxy', 'W/"a"', true],
  ['its own tag in a coding, made weak by a proxy', 'W/"a-gzip"', true],
  ['another weak tag', 'W/"b"', false],
  ['another', '"b"', false],
  ['a tag that is part of another', '"xa"', false],
  ['no tag', 'a', false],
])('If-Match compares %s with the current tag', (_, list, expected) => {
  expect(hasMatchingTag(list, '"a"')).toBe(expected);
});
