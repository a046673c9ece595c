import { expect, test } from 'vitest';
import { digestJson } from '#lib/digest-json.ts';

test('values that differ in the order of members only have the same digest', () => {
  const digest = digestJson({ a: 1, b: [{ c: null, d: 'x' }] });
  expect(digest).toMatch(/^[0-9a-f]{32}$/);
  expect(digestJson({ b: [{ d: 'x', c: null }], a: 1 })).toBe(digest);
});

test.each([
  ['another value', { a: 2 }],
  ['a text in place of a number', { a: '1' }],
  ['null in place of an absent member', { a: 1, b: null }],
  ['a list in place of an object', [1]],
  ['another order of a list', { a: [2, 1] }],
])('%s has another digest', (_, value) => {
  expect([{ a: 1 }, { a: [1, 2] }].map(digestJson)).not.toContain(digestJson(value));
});
