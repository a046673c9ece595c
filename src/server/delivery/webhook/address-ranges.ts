import { BlockList, type IPVersion, isIP } from 'node:net';

/**
 * First address, prefix length, and purpose of a range: IANA special-purpose registries (RFC 6890 and successors), multicast, and cloud metadata
 * addresses.
 */
type Range = readonly [string, number, string];

const ranges4: readonly Range[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private network'],
  ['100.64.0.0', 10, 'shared by carriers'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local and metadata'],
  ['172.16.0.0', 12, 'private network'],
  // Includes 192.0.0.192, the metadata service of one cloud.
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, '6to4 relay'],
  ['192.168.0.0', 16, 'private network'],
  ['198.18.0.0', 15, 'benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  // Looks public, but is answered by the host of a virtual machine.
  ['168.63.129.16', 32, 'metadata'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved and broadcast'],
];

/** Only 2000::/3 is global unicast: everything else is blocked, and within it the ranges that are no single host or embed an IPv4 address. */
const ranges6: readonly Range[] = [
  ['::ffff:0:0', 96, 'IPv4-mapped'],
  ['64:ff9b::', 96, 'NAT64'],
  ['fc00::', 7, 'unique local'],
  ['fe80::', 10, 'link-local'],
  ['ff00::', 8, 'multicast'],
  ['::', 3, 'not global'],
  ['4000::', 2, 'not global'],
  ['8000::', 1, 'not global'],
  ['2001::', 32, 'Teredo'],
  ['2001::', 23, 'protocol assignments'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['3fff::', 20, 'documentation'],
];

const createBlockList = (family: IPVersion, [first, bits]: Range): BlockList => {
  const list = new BlockList();
  list.addSubnet(first, bits, family);
  return list;
};

// One list for each family: a common list would match IPv4 addresses in ::/3.
const lists = {
  ipv4: ranges4.map((range) => ({ list: createBlockList('ipv4', range), purpose: range[2] })),
  ipv6: ranges6.map((range) => ({ list: createBlockList('ipv6', range), purpose: range[2] })),
} as const;

/** Returns the family of an address as `BlockList` names it; undefined when it is not an address. */
export const getAddressFamily = (address: string): IPVersion | undefined => {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
};

/** Returns the purpose of the blocked range that contains an address; undefined for a public address. */
export const findBlockedRange = (address: string): string | undefined => {
  const family = getAddressFamily(address);
  if (family === undefined) return 'not an address';
  // A zone identifier names an interface of this host; public addresses have none.
  if (address.includes('%')) return 'link-local';
  return lists[family].find(({ list }) => list.check(address, family))?.purpose;
};
