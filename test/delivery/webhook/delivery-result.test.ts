import { expect, test } from 'vitest';
import { AttemptAbortedError, MAX_TEXT_BYTES, toFailureReason } from '#delivery/webhook/delivery-result.ts';
import { toResponseText } from '#delivery/webhook/delivery-result.ts';

const textOf = (text: string | Buffer, secrets: readonly string[] = [], isComplete = true): string =>
  toResponseText(Buffer.from(text), { secrets, isComplete });

test.each<readonly [what: string, text: string | Buffer, expected: string]>([
  [
    'control characters, line breaks and text direction',
    'a\r\n\tb\u0000c\u001b[1m\u202ed\u0085e\u2028f\u00a0g',
    'a b c [1m d e f g',
  ],
  ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3]), 'a b'],
  ['more than 512 characters', '✈'.repeat(600), '✈'.repeat(512)],
  ['more than 512 characters of two units each', '😀'.repeat(600), '😀'.repeat(512)],
])('drops %s', (_, text, expected) => {
  expect(textOf(text)).toBe(expected);
});

test('drops a secret that is cut off at the end', () => {
  const secret = `<${'s'.repeat(1020)}>`;
  const texts = Array.from({ length: 1100 }, (_, pad) => {
    const echo = Buffer.from(`${'.'.repeat(pad)}${secret.repeat(4)}`);
    return textOf(echo.subarray(0, MAX_TEXT_BYTES), [secret], false);
  });
  expect(texts.filter((text) => /[<s>]/.test(text))).toEqual([]);
});

test('drops a possible part of a secret only in a truncated response', () => {
  const sent = (isComplete: boolean) => textOf('you sent k-12345678, and k-1234', ['k-12345678'], isComplete);
  expect([sent(false), sent(true)]).toEqual(['you sent ***, a', 'you sent ***, and k-1234']);
});

test('redacts the longest of secrets that contain one another', () => {
  expect(textOf('a key-longer one', ['key', 'key-longer', 'key-long'])).toBe('a *** one');
});

test.each([
  ['name-unknown', 'ENOTFOUND ENODATA EAI_AGAIN EAI_FAIL'],
  ['connect-refused', 'ECONNREFUSED'],
  ['connect-timeout', 'ETIMEDOUT'],
  ['unreachable', 'EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL'],
  ['connection-reset', 'ECONNRESET EPIPE'],
  ['tls-expired', 'CERT_HAS_EXPIRED CERT_NOT_YET_VALID'],
  ['tls-self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN'],
  ['tls-untrusted', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ['tls-untrusted', 'CERT_UNTRUSTED CERT_REJECTED CERT_REVOKED CERT_SIGNATURE_FAILURE INVALID_CA INVALID_PURPOSE'],
  ['tls-untrusted', 'PATH_LENGTH_EXCEEDED CA_MD_TOO_WEAK EE_KEY_TOO_SMALL'],
  ['tls-wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['tls-protocol', 'EPROTO ERR_SSL_WRONG_VERSION_NUMBER'],
  ['answer-headers-too-large', 'HPE_HEADER_OVERFLOW'],
  ['answer-not-http', 'HPE_INVALID_CONSTANT'],
  ['connection-failed', 'EMFILE'],
])('%s is the reason of %s', (reason, codes) => {
  for (const code of codes.split(' ')) {
    const error = Object.assign(new Error('no'), { code });
    const handshakeReason = reason === 'connection-reset' ? 'tls-handshake-broken' : reason;
    expect([toFailureReason(error, false), toFailureReason(error, true)], code).toEqual([reason, handshakeReason]);
  }
});

test('an aborted attempt has its own reason, and an error without a code a general one', () => {
  expect(toFailureReason(new AttemptAbortedError('total-timeout'), true)).toBe('total-timeout');
  expect(toFailureReason(Object.assign(new Error('no'), { code: 7 }), true)).toBe('connection-failed');
});
