import { expect, test } from 'vitest';
import {
  createKeyPair,
  createSecret,
  getPublicKey,
  parseWebhookKey,
} from '../../../src/delivery/webhook/signing-keys.ts';

const encoded = (bytes: number, fill = 7): string => Buffer.alloc(bytes, fill).toString('base64');

test('creates unique secrets of 32 bytes', () => {
  const made = Array.from({ length: 100 }, createSecret);
  expect(new Set(made).size).toBe(100);
  expect(
    made.map((text) => parseWebhookKey(text)).every((key) => key.scheme === 'v1' && key.secret.length === 32),
  ).toBe(true);
});

test('parses secrets of 24 to 64 bytes', () => {
  expect([24, 64].map((bytes) => parseWebhookKey(`whsec_${encoded(bytes)}`))).toEqual([
    { scheme: 'v1', secret: Buffer.alloc(24, 7) },
    { scheme: 'v1', secret: Buffer.alloc(64, 7) },
  ]);
});

test('parses a private key with and without its public key', () => {
  const { privateKey } = createKeyPair();
  const seed = Buffer.from(privateKey.slice(5), 'base64').subarray(0, 32);
  expect([privateKey, `whsk_${seed.toString('base64')}`].map((key) => parseWebhookKey(key).scheme)).toEqual([
    'v1a',
    'v1a',
  ]);
});

test('returns the public key of a private key', () => {
  const { privateKey, publicKey } = createKeyPair();
  const seed = Buffer.from(privateKey.slice(5), 'base64').subarray(0, 32);
  const keys = [privateKey, `whsk_${seed.toString('base64')}`, createSecret()];
  expect(keys.map(getPublicKey)).toEqual([publicKey, publicKey, undefined]);
});

test.each([
  ['', 'a key of webhooks is whsec_ or whsk_ with base64 behind it'],
  [encoded(32), 'a key of webhooks is whsec_ or whsk_ with base64 behind it'],
  ['whsec_', 'a key of webhooks is whsec_ or whsk_ with base64 behind it'],
  [`whsec_${encoded(32)} `, 'a key of webhooks is whsec_ or whsk_ with base64 behind it'],
  [`whsec_${encoded(32).replace('=', '')}`, 'a key of webhooks is whsec_ or whsk_ with base64 behind it'],
  [`whpk_${encoded(32)}`, 'a key of webhooks is whsec_ or whsk_ with base64 behind it'],
  [`whsec_${encoded(23)}`, 'a whsec_ secret has 24 to 64 bytes, not 23'],
  [`whsec_${encoded(65)}`, 'a whsec_ secret has 24 to 64 bytes, not 65'],
  [`whsk_${encoded(33)}`, 'a whsk_ key has 32 or 64 bytes, not 33'],
  [`whsk_${encoded(64)}`, 'a whsk_ key has the public key of another'],
])('%j is no key, and is not repeated', (text, message) => {
  expect(() => parseWebhookKey(text)).toThrow(new RangeError(message));
});
