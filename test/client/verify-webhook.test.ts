import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError, type WebhookRequest } from '#client/index.ts';
import { createKeyPair, createSecret, createSignedHeaders } from '#delivery/webhook/signatures.ts';
import { getRejection } from './test-service.ts';

const sentAt = new Date('2026-06-01T12:00:00Z');
const now = sentAt.getTime();
const event = { messageId: 'e-1', documentType: 'FlightStatus', from: 'Zürich ✈' };
const body = JSON.stringify(event);
const secret = createSecret();

const rejectionReason = async (more: Partial<WebhookRequest>): Promise<unknown> => {
  const error = await getRejection(verifyWebhook(request(more)));
  return error instanceof WebhookVerificationError ? error.refusal : error;
};

const sign = (text = body, keys: readonly string[] = [secret]) => ({
  ...createSignedHeaders({ id: 'e-1', body: text }, keys, sentAt),
});
const request = (more: Partial<WebhookRequest> = {}): WebhookRequest => ({
  secrets: [secret],
  headers: sign(),
  body,
  now,
  ...more,
});
/** The signed headers, some of them replaced as an attacker might do. */
const withHeaders = (more: Readonly<Record<string, string | undefined>>) => ({ headers: { ...sign(), ...more } });
const otherVersion = sign()['webhook-signature'].replace('v1,', 'v1a,');

test('a signed webhook returns its event, from text, bytes, Headers, and headers in any case', async () => {
  const headers = sign();
  const spelled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  const requests = [
    {},
    { body: new TextEncoder().encode(body) },
    { body: Buffer.from(body) },
    { body: new TextEncoder().encode(body).buffer },
    { headers: new Headers(headers) },
    // A headers object of another library.
    { headers: { get: (name: string) => new Headers(headers).get(name) } },
  ];
  for (const more of [...requests, { headers: spelled }]) expect(await verifyWebhook(request(more))).toEqual(event);
});

test('a signed webhook verifies with the old and the new secret during a rotation', async () => {
  const [older, newer, other] = [createSecret(), createSecret(), createSecret()];
  const headers = sign(body, [newer, older]);
  const by = (...secrets: readonly string[]): Promise<unknown> => verifyWebhook(request({ headers, secrets }));
  expect([await by(older), await by(newer), await by(other, older)]).toEqual([event, event, event]);
  expect(await rejectionReason({ headers, secrets: [other] })).toBe('no-matching-signature');
});

test('a signed webhook verifies with the right public key only', async () => {
  const [pair, other] = [createKeyPair(), createKeyPair()];
  const headers = sign(body, [pair.privateKey]);
  const { secrets: _, ...open } = request({ headers });
  expect(await verifyWebhook({ ...open, publicKeys: [other.publicKey, pair.publicKey] })).toEqual(event);
  const changed = { publicKeys: [pair.publicKey], body: `${body} ` };
  for (const wrong of [{ publicKeys: [other.publicKey] }, changed])
    expect(await rejectionReason({ headers, secrets: [], ...wrong })).toBe('no-matching-signature');
});

test('verifies what the reference library signs', async () => {
  for (const bytes of [24, 32, 64]) {
    const secret = `whsec_${randomBytes(bytes).toString('base64')}`;
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now / 1000),
      'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
    };
    expect(await verifyWebhook({ secrets: [secret], headers, body, now })).toEqual(event);
  }
});

test.each([
  ['another body', { body: `${body} ` }, 'no-matching-signature'],
  ['another id', withHeaders({ 'webhook-id': 'e-2' }), 'no-matching-signature'],
  ['another time', withHeaders({ 'webhook-timestamp': String(now / 1000 + 1) }), 'no-matching-signature'],
  ['no signature', withHeaders({ 'webhook-signature': undefined }), 'missing-header'],
  ['an empty signature', withHeaders({ 'webhook-signature': '' }), 'missing-header'],
  ['no id', withHeaders({ 'webhook-id': undefined }), 'missing-header'],
  ['no time', withHeaders({ 'webhook-timestamp': undefined }), 'missing-header'],
  ['an invalid time', withHeaders({ 'webhook-timestamp': '1e9' }), 'malformed-header'],
  ['an id with a dot', withHeaders({ 'webhook-id': 'e.1' }), 'malformed-header'],
  ['a signature that is not base64', withHeaders({ 'webhook-signature': 'v1,%%%' }), 'no-matching-signature'],
  ['an unknown version', withHeaders({ 'webhook-signature': 'v9,AAAA v1' }), 'no-matching-signature'],
  ['the version of another key type', withHeaders({ 'webhook-signature': otherVersion }), 'no-matching-signature'],
  ['a signed body that is not JSON', { headers: sign('hello'), body: 'hello' }, 'malformed-body'],
  ['an event 301 seconds old', { now: now + 301_000 }, 'too-old'],
  ['an event 301 seconds in the future', { now: now - 301_000 }, 'too-new'],
  ['an event older than the tolerance', { now: now + 11_000, toleranceSeconds: 10 }, 'too-old'],
] as const)('verification rejects %s', async (_, more, expected) => {
  expect(await rejectionReason(more)).toBe(expected);
});

test('verification accepts timestamps within five minutes', async () => {
  for (const ms of [-300_000, 300_000]) expect(await verifyWebhook(request({ now: now + ms }))).toEqual(event);
});

test('throws a TypeError for a parsed body', async () => {
  for (const parsed of [event, undefined, null]) {
    const invalid: object = { ...request(), body: parsed };
    expect(await getRejection(Reflect.apply(verifyWebhook, undefined, [invalid]))).toEqual(
      new TypeError('body must be the raw text or bytes of the request, not a parsed value'),
    );
  }
});

test.each([
  ['no key at all', {}],
  ['an invalid secret', { secrets: ['s3cret'] }],
  ['an empty secret', { secrets: ['whsec_'] }],
  ['a public key for a secret', { secrets: [createKeyPair().publicKey] }],
  ['a public key of the wrong size', { publicKeys: ['whpk_AAAA'] }],
])('throws a TypeError for %s and does not repeat the key', async (_, keys) => {
  const { secrets: _secrets, ...rest } = request();
  const error = await getRejection(verifyWebhook({ ...rest, ...keys }));
  expect(error).toBeInstanceOf(TypeError);
  for (const key of Object.values(keys).flat()) expect(String(error)).not.toContain(key.replace(/^wh\w+_$/, '?'));
});
