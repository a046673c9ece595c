import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyPair, createSecret, createSignedHeaders } from '#delivery/webhook/signatures.ts';
import { getPublicKey, parseWebhookKey } from '#delivery/webhook/signatures.ts';

const encoded = (bytes: number, fill = 7): string => Buffer.alloc(bytes, fill).toString('base64');

test('creates unique secrets of 32 bytes', () => {
  const secrets = Array.from({ length: 100 }, createSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const text of secrets) expect(parseWebhookKey(text)).toMatchObject({ scheme: 'v1', secret: { length: 32 } });
});

test('parses secrets of 24 to 64 bytes', () => {
  for (const bytes of [24, 64])
    expect(parseWebhookKey(`whsec_${encoded(bytes)}`)).toEqual({ scheme: 'v1', secret: Buffer.alloc(bytes, 7) });
});

test('parses a private key with and without its public key, and returns its public key', () => {
  const { privateKey, publicKey } = createKeyPair();
  const seed = Buffer.from(privateKey.slice(5), 'base64').subarray(0, 32);
  const keys = [privateKey, `whsk_${seed.toString('base64')}`, createSecret()];
  expect(keys.map((key) => parseWebhookKey(key).scheme)).toEqual(['v1a', 'v1a', 'v1']);
  expect(keys.map(getPublicKey)).toEqual([publicKey, publicKey, undefined]);
});

const badForm = 'a webhook key must be whsec_ or whsk_ followed by base64';

test.each([
  ['', badForm],
  [encoded(32), badForm],
  ['whsec_', badForm],
  [`whsec_${encoded(32)} `, badForm],
  [`whsec_${encoded(32).replace('=', '')}`, badForm],
  [`whpk_${encoded(32)}`, badForm],
  [`whsec_${encoded(23)}`, 'a whsec_ secret must have 24 to 64 bytes, not 23'],
  [`whsec_${encoded(65)}`, 'a whsec_ secret must have 24 to 64 bytes, not 65'],
  [`whsk_${encoded(33)}`, 'a whsk_ key must have 32 or 64 bytes, not 33'],
  [`whsk_${encoded(64)}`, 'the public key in the whsk_ key does not match its private key'],
])('%j is rejected as a key, and the error does not repeat it', (text, message) => {
  expect(() => parseWebhookKey(text)).toThrow(new RangeError(message));
});

const event = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' } as const;
const published = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('creates the published signature for the example of Standard Webhooks', () => {
  expect(createSignedHeaders(event, [published], new Date(1_614_265_330_000))).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a receiver without a secret verifies with the public key', () => {
  const { privateKey, publicKey } = createKeyPair();
  const headers = createSignedHeaders(event, [createSecret(), privateKey], new Date(1_614_265_330_000));
  const signature = /v1a,(\S+)$/.exec(headers['webhook-signature'])?.[1] ?? '';
  const spki = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(publicKey.slice('whpk_'.length), 'base64'),
  ]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const holds = (body: string): boolean =>
    verify(null, Buffer.from(`${event.id}.1614265330.${body}`), key, Buffer.from(signature, 'base64'));
  expect([holds(event.body), holds(`${event.body} `)]).toEqual([true, false]);
});
