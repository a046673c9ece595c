import { expect, test } from 'vitest';
import { findHeaderError } from '#delivery/webhook/custom-header.ts';

const badValue = "the value of 'x-api-key' must be 1 to 1024 visible ASCII characters, without spaces at its ends";
const badName = (name: string): string =>
  `a header name must have 1 to 64 letters, digits and characters such as -, not '${name}'`;

test.each([
  ['x-api-key', 'abc', undefined],
  ['Authorization', 'Bearer a.b-c_d', undefined],
  ['x-api-key', 'a', undefined],
  ['x-host', 'a', undefined],
  ['host-x', 'a', undefined],
  ['x-api-key', 'x'.repeat(1024), undefined],
  ['x-api-key', 'x'.repeat(1025), badValue],
  ['x-api-key', '', badValue],
  ['x-api-key', ' a', badValue],
  ['x-api-key', 'a ', badValue],
  ['x-api-key', 'a\r\nhost: b', badValue],
  ['x-api-key', 'schlüssel', badValue],
  ['', 'a', badName('')],
  ['x api', 'a', badName('x api')],
  ['x:y', 'a', badName('x:y')],
  ['x\r\ny', 'a', badName('x\r\ny')],
  ['x'.repeat(65), 'a', badName('x'.repeat(65))],
  ['Host', 'a', "the header 'Host' is set by the service"],
  ['content-length', '1', "the header 'content-length' is set by the service"],
  ['Transfer-Encoding', 'chunked', "the header 'Transfer-Encoding' is set by the service"],
  ['webhook-signature', 'v1,a', "the header 'webhook-signature' is set by the service"],
])('%j: %j', (name, value, rejection) => {
  expect(findHeaderError({ name, value })).toBe(rejection);
});
