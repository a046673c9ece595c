import { expect, test } from 'vitest';
import { createClientIdentifier } from '#http/auth/client-address.ts';

test.each<readonly [string, readonly string[], string | undefined, string | null, string | undefined]>([
  ['a direct connection', [], '203.0.113.9', null, '203.0.113.9'],
  ['an IPv4-mapped IPv6 address', [], '::ffff:203.0.113.9', null, '203.0.113.9'],
  ['an IPv6 address counts as its network', [], '2001:db8:1:2:3:4:5:6', null, '2001:db8:1:2::/64'],
  ['the same network, shortened', [], '2001:db8:1:2::6', null, '2001:db8:1:2::/64'],
  ['shortened within the network', [], '2001:db8::6', null, '2001:db8:0:0::/64'],
  ['shortened before the end of the network', [], '2001:db8::2:3:4:5:6', null, '2001:db8:0:2::/64'],
  ['a header of an untrusted client is ignored', [], '203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ['a proxy that is not configured', [], '10.0.0.7', '198.51.100.7', undefined],
  ['this machine', [], '127.0.0.1', null, undefined],
  ['this machine, by IPv6', [], '::1', null, undefined],
  ['no connection', [], undefined, null, undefined],
  ['a trusted proxy', ['10.0.0.0/8'], '10.0.0.7', '198.51.100.7', '198.51.100.7'],
  [
    'two trusted proxies',
    ['10.0.0.0/8', '192.0.2.1'],
    '::ffff:10.0.0.7',
    '1.1.1.1, 198.51.100.7, 192.0.2.1',
    '198.51.100.7',
  ],
  ['a proxy that writes ports', ['10.0.0.7'], '10.0.0.7', '198.51.100.7:5123', '198.51.100.7'],
  ['a proxy that writes IPv6 ports', ['fd00::/8'], 'fd00::1', '[2001:db8:1:2::6]:443', '2001:db8:1:2::/64'],
  ['trusted proxies alone', ['10.0.0.0/8', '192.0.2.0/24'], '10.0.0.7', '192.0.2.8, 10.0.0.8', '192.0.2.8'],
  [
    'an untrusted client behind an untrusted proxy',
    ['10.0.0.7'],
    '10.0.0.7',
    '10.0.0.7, 198.51.100.7, 203.0.113.9',
    '203.0.113.9',
  ],
  ['a header that ends with a comma', ['10.0.0.7'], '10.0.0.7', '198.51.100.7,', undefined],
  ['a missing header', ['10.0.0.7'], '10.0.0.7', null, undefined],
  ['an invalid header', ['10.0.0.7'], '10.0.0.7', 'unknown', undefined],
])('%s', (_, trusted, remoteAddress, forwardedFor, caller) => {
  expect(createClientIdentifier(trusted)({ remoteAddress }, forwardedFor)).toBe(caller);
});

test.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/8/9', '::1/129', '10.0.0.0/', ''])(
  'a trusted proxy is an address or a network, not %j',
  (text) => {
    expect(() => createClientIdentifier([text])).toThrow(
      `TRUSTED_PROXIES must be addresses or networks like 10.0.0.0/8, not '${text}'`,
    );
  },
);
