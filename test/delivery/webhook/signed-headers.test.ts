import { createHmac, createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createSignedHeaders } from '../../../src/delivery/webhook/signed-headers.ts';
import { createKeyPair, createSecret } from '../../../src/delivery/webhook/signing-keys.ts';

const event = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' } as const;
const published = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('the worked example of Standard Webhooks has the signature that is published for it', () => {
  expect(createSignedHeaders(event, [published], new Date(1_614_265_330_000))).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a signature with two secrets verifies with either', () => {
  const [older, newer, other] = [createSecret(), createSecret(), createSecret()];
  const body = '{"airport":"Zürich","sign":"✈"}';
  const headers = createSignedHeaders({ id: 'e-1', body }, [newer, older], new Date());
  const byLibrary = (secret: string): unknown => {
    try {
      return new Webhook(secret).verify(body, headers);
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };
  const byHand = (secret: string): boolean => {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(signed);
    return headers['webhook-signature'].split(' ').includes(`v1,${expected.digest('base64')}`);
  };
  const read = { airport: 'Zürich', sign: '✈' };
  expect([newer, older, other].map(byLibrary)).toEqual([read, read, 'No matching signature found']);
  expect([newer, older, other].map(byHand)).toEqual([true, true, false]);
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

test('the reference library rejects a changed body, ID or time', () => {
  const now = new Date();
  const headers = createSignedHeaders(event, [published], now);
  const webhook = new Webhook(published);
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(() => webhook.verify(`${event.body} `, headers)).toThrow('No matching signature found');
  expect(() => webhook.verify(event.body, { ...headers, 'webhook-id': 'other' })).toThrow(
    'No matching signature found',
  );
  expect(() => webhook.verify(event.body, { ...headers, 'webhook-timestamp': later })).toThrow(
    'No matching signature found',
  );
  const old = createSignedHeaders(event, [published], new Date(now.getTime() - 10 * 60_000));
  expect(() => webhook.verify(event.body, old)).toThrow('Message timestamp too old');
});
