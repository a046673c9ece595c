import { expect, test } from 'vitest';
import { memoizeText } from '#lib/text-memo.ts';

const key = '0123456789abcdef0123456789abcdef';

/** Returns how often the result of a text is computed when it is needed twice. */
const countComputations = (text: string): number => {
  let computed = 0;
  const measure = memoizeText((one) => {
    computed += 1;
    return one.length;
  });
  expect([measure(text), measure(text)]).toEqual([text.length, text.length]);
  return computed;
};

test.each(['version=v1&CarrierCode=AA', `/flight-instances/2027-03-01/${key}${key}`, ''])(
  'computes the result of a text once: %s',
  (text) => {
    expect(countComputations(text)).toBe(1);
  },
);

test.each([
  `/locations?k=${key}`,
  `/locations/${key.toUpperCase()}`,
  `/locations?k=%30${key.slice(1)}`,
  'version=v1&subscription-key=chosen',
  'version=v1&subscription%2Dkey=chosen',
  'version=v1&%6Bey=chosen',
  'ACCESS_TOKEN=chosen',
  '/locations/demo-key',
])('keeps no text that can hold a key: %s', (text) => {
  expect(countComputations(text)).toBe(2);
});

test('keeps no text that is longer than the limit', () => {
  expect(countComputations('x'.repeat(513))).toBe(2);
});
