import { expect, test } from 'vitest';
import { checkTarget, createDnsResolver, createTargetGuard } from '#delivery/webhook/target-guard.ts';
import type { NameResolver, TargetGuardOptions } from '#delivery/webhook/target-guard.ts';
import { findBlockedRange } from '#delivery/webhook/address-ranges.ts';
import { startDnsServer } from './dns-server.ts';

test('resolves all addresses of a name; rejects for a name without any', async () => {
  const names = await startDnsServer((name) => (name === 'two.example.com' ? ['192.0.2.1', '192.0.2.2'] : []));
  const resolve = createDnsResolver([names.server]);
  const addresses = await resolve('two.example.com');
  const missing = await resolve('none.example.com').catch((error: unknown) => error);
  names.close();
  expect(addresses.map(({ address, family }) => `${family} ${address}`).toSorted()).toEqual([
    '4 192.0.2.1',
    '4 192.0.2.2',
  ]);
  expect(missing).toMatchObject({ code: 'ENOTFOUND', message: "'none.example.com' has no address" });
});

test('reports an unreachable DNS server as an unknown name', async () => {
  const names = await startDnsServer(() => []);
  names.close();
  const resolving = createDnsResolver([names.server])('any.example.com');
  await expect(resolving).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('resolves local names like the system', async () => {
  const addresses = await createTargetGuard().resolve('localhost');
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
});

/** Names of a small world. */
const world: Readonly<Record<string, readonly string[]>> = {
  'public.example.com': ['8.8.8.8', '2606:4700::1111'],
  'private.example.com': ['10.1.2.3'],
  'mixed.example.com': ['8.8.8.8', '10.1.2.3'],
  'mapped.example.com': ['::ffff:8.8.8.8'],
  'zone.example.com': ['fe80::1%eth0'],
  'empty.example.com': [],
  receiver: ['10.1.2.3'],
  'receiver.internal': ['10.1.2.3'],
};
const resolve: NameResolver = (host) => {
  const addresses = world[host];
  return addresses
    ? Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    : Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
};
const check = (url: string, settings: Partial<TargetGuardOptions> = {}) =>
  checkTarget(url, createTargetGuard({ resolve, ...settings }));

test.each([
  ['https://public.example.com/hook?x=1', undefined, ''],
  ['https://PUBLIC.example.com:8443/', undefined, ''],
  ['https://8.8.8.8/', undefined, ''],
  ['https://[2606:4700::1111]/', undefined, ''],
  ['http://public.example.com/', 'scheme', 'the address must start with https://'],
  ['ftp://public.example.com/', 'scheme', 'the address must start with https://'],
  ['https://public.example.com:22/', 'port', 'the port must be one of 443, 8443, not 22'],
  ['https://public.example.com:0/', 'port', 'the port must be one of 443, 8443, not 0'],
  ['https://u:p@public.example.com/', 'credentials', 'the address must not contain a user name or a password'],
  ['https://u@public.example.com/', 'credentials', 'the address must not contain a user name or a password'],
  ['https://:p@public.example.com/', 'credentials', 'the address must not contain a user name or a password'],
  ['https://receiver/', 'name', "'receiver' is the name of a host in a local network"],
  ['https://public.example.com./', 'name', "'public.example.com.' ends with a dot"],
  ['https://127.1/', 'address', '127.0.0.1 is not a public address: loopback'],
  ['https://private.example.com/', 'address', "'private.example.com' resolves to an address that is not public"],
  ['https://mixed.example.com/', 'address', "'mixed.example.com' resolves to an address that is not public"],
  ['https://mapped.example.com/', 'address', "'mapped.example.com' resolves to an address that is not public"],
  ['https://zone.example.com/', 'address', "'zone.example.com' resolves to an address that is not public"],
  ['https://empty.example.com/', 'unresolved', "'empty.example.com' has no address"],
  ['https://nowhere.example.com/', 'unresolved', "'nowhere.example.com' has no address"],
  ['https://public.example.com/\r\nx', 'syntax', 'the address is not a URL'],
  ['public.example.com', 'syntax', 'the address is not a URL'],
  [`https://public.example.com/${'x'.repeat(2048 - 27)}`, undefined, ''],
  [`https://public.example.com/${'x'.repeat(2049 - 27)}`, 'length', 'the address has more than 2048 characters'],
])('%s: %s', async (url, reason, message) => {
  expect(await check(url)).toEqual(reason && { reason, message });
});

test('allows internal receivers on the allow-list, with the scheme and port of their entry', async () => {
  const named = ['https://receiver.internal/', 'https://private.example.com:8443/'];
  const urls = ['http://10.1.2.3:8080/', 'http://receiver:8080/', ...named];
  const reasons = async (allow: readonly string[]) =>
    Promise.all(urls.map(async (url) => (await check(url, { allow }))?.reason));
  expect([
    await reasons([]),
    await reasons(['10.1.0.0/16']),
    await reasons(['http://10.1.2.3:8080', 'https://10.1.0.0/16:*']),
    await reasons(['http://10.1.0.0/16', 'http://10.1.0.0/16:80', 'https://10.1.0.0/16:8080', 'https://10.1.2.3:443']),
    await reasons(['http://10.9.0.0/16:8080', 'https://10.9.0.0/16']),
    await reasons(['http://Receiver:8080', 'https://private.example.com']),
    await reasons(['receiver', 'https://receiver:8080', 'http://receiver', 'https://private.example.com:443']),
  ]).toEqual([
    ['scheme', 'scheme', 'name', 'address'],
    ['scheme', 'scheme', undefined, undefined],
    [undefined, undefined, undefined, undefined],
    ['scheme', 'scheme', undefined, 'address'],
    ['scheme', 'address', 'address', 'address'],
    ['scheme', undefined, 'name', undefined],
    ['scheme', 'scheme', 'name', 'address'],
  ]);
});

test('an allowed network permits neither its IPv4-mapped form nor http to public names', async () => {
  const allow = ['http://10.0.0.0/8', 'https://10.0.0.0/8:*', 'http://[fd00::/8]:9000'];
  expect([
    (await check('https://[::ffff:10.1.2.3]/', { allow }))?.reason,
    (await check('http://public.example.com/', { allow }))?.reason,
    (await check('https://public.example.com:22/', { allow }))?.reason,
    (await check('https://mixed.example.com/', { allow }))?.reason,
    (await check('http://[fd00::1]:9000/', { allow }))?.reason,
    (await check('https://zone.example.com/', { allow: ['fe80::/10', '[fe80::1]'] }))?.reason,
  ]).toEqual(['address', 'address', 'address', undefined, undefined, 'address']);
});

const invalidPorts = [
  'a:80',
  '10.0.0.0/8:80',
  '[fd00::1]:80',
  'http://a:0',
  'https://a:65536',
  'http://a:80/',
  'http://a/x:80',
];

test.each([...invalidPorts, '10.0.0.0/33', 'x10.0.0.0/8', 'fd00::/129', 'ftp://a', '10.0.0', '*.example.com', ''])(
  'an allow-list with %j is rejected by name',
  (entry) => {
    const message = `write scheme://host:port, such as http://10.1.0.0/16:8080, instead of '${entry}'`;
    expect(() => createTargetGuard({ allow: [entry] })).toThrow(new RangeError(message));
  },
);

test('allows ports from 1 to 65535', () => {
  const create = (port: number) => () => createTargetGuard({ ports: [443, port] });
  for (const port of [1, 65_535]) expect(create(port)).not.toThrow();
  for (const port of [0, 65_536, 1.5])
    expect(create(port)).toThrow(new RangeError(`a webhook port must be a whole number from 1 to 65535, not ${port}`));
});

test('blocks each range from its first to its last address', () => {
  const edges: readonly (readonly [before: string, first: string, last: string, after: string, purpose: string])[] = [
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0', 'private network'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0', 'shared by carriers'],
    ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0', 'loopback'],
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0', 'link-local and metadata'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0', 'private network'],
    ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0', 'protocol assignments'],
    ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0', 'documentation'],
    ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0', '6to4 relay'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0', 'private network'],
    ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0', 'benchmarks'],
    ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0', 'documentation'],
    ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0', 'documentation'],
    ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17', 'metadata'],
    ['2001:200::', '2001:100::', '2001:1ff:ffff::', '2000:ffff::', 'protocol assignments'],
    ['2000:ffff::', '2001::', '2001:0:ffff::', '2001:200::', 'Teredo'],
    ['2001:db7:ffff::', '2001:db8::', '2001:db8:ffff::', '2001:db9::', 'documentation'],
    ['2001:ffff::', '2002::', '2002:ffff::', '2003::', '6to4'],
    ['3ffe:ffff::', '3fff::', '3fff:fff::', '3fff:1000::', 'documentation'],
  ];
  for (const [before, first, last, after, purpose] of edges)
    expect([before, first, last, after].map(findBlockedRange), first).toEqual([undefined, purpose, purpose, undefined]);
});

test.each([
  ['this network', '0.0.0.0 0.255.255.255'],
  ['multicast', '224.0.0.0 239.255.255.255 ff02::1'],
  ['reserved and broadcast', '240.0.0.0 255.255.255.255'],
  ['IPv4-mapped', '::ffff:8.8.8.8'],
  ['NAT64', '64:ff9b::808:808'],
  ['unique local', 'fc00:: fd00:ec2::254'],
  ['link-local', 'fe80::1 febf:: 2606:4700::1111%eth0'],
  ['not global', ':: ::1 1fff:ffff:: 4000:: 7fff:: 8000:: fbff:: fec0::'],
  ['not an address', 'x 1.2.3'],
  [undefined, '1.0.0.0 223.255.255.255 2000:: 3fff:ffff::'],
])('%s is the purpose of %s', (purpose, addresses) => {
  for (const address of addresses.split(' ')) expect(findBlockedRange(address), address).toBe(purpose);
});
