import { expect, test } from 'vitest';
import { createKeyMask, listKeyCandidates, maskKeyForms, shortenInput } from '#lib/mask-keys.ts';

const key = '0123456789abcdef0123456789ABCDEF';
const escaped = '%30123456789%61bcdef0123456789ABCD%45F';

test.each([
  [key, '***'],
  [`CarrierCode=${key}`, 'CarrierCode=***'],
  [`CarrierCode=AA%2C${key}&Limit=1`, 'CarrierCode=AA%2C***&Limit=1'],
  [`must be a code, not '${key}' or '${key}'.`, "must be a code, not '***' or '***'."],
  [`/locations/${escaped}`, '/locations/***'],
  [`${key}0`, '***'],
  [key.slice(1), key.slice(1)],
  [`/flights/${key}${key}`, `/flights/${key}${key}`],
  ['b54f3a52-9c2e-4f0e-8a51-1f2d3c4b5a69', 'b54f3a52-9c2e-4f0e-8a51-1f2d3c4b5a69'],
])('masks what has the form of a generated key in %s', (text, masked) => {
  expect(maskKeyForms(text)).toBe(masked);
});

test('masks a key before a text is shortened', () => {
  expect(shortenInput(`${'x'.repeat(50)}${key}`)).toBe(`${'x'.repeat(50)}***`);
});

test.each([
  ['/locations/demo-key', '/locations/***'],
  ['/locations?version=v1&k=demo%2Dkey', '/locations?version=v1&k=***'],
  ['/locations?CarrierCode=AA,demo-key', '/locations?CarrierCode=AA,***'],
  ['/locations?CarrierCode=demo-keys', '/locations?CarrierCode=demo-keys'],
])('masks a known key without that form where it is a whole value: %s', (target, masked) => {
  const mask = createKeyMask(listKeyCandidates(target), { ownKey: null, isKnown: (text) => text === 'demo-key' });
  expect(mask(target)).toBe(masked);
});

test('masks the key that the request presents, unless it is so short that it would hide other words', () => {
  const target = '/locations?k=my%20secret';
  const maskOf = (ownKey: string) => createKeyMask(listKeyCandidates(target), { ownKey, isKnown: () => false });
  expect([maskOf('my secret')(target), maskOf('my secret')("not 'my secret'")]).toEqual([
    '/locations?k=***',
    "not '***'",
  ]);
  expect(maskOf('k')(target)).toBe(target);
});
