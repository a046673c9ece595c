import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, type IPVersion, isIP, type LookupFunction } from 'node:net';

/** Returns whether a host name is local (RFC 6761, RFC 6762, RFC 8375) or would be completed by a DNS search list. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);

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
const getAddressFamily = (address: string): IPVersion | undefined => {
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

type ResolvedAddress = { readonly address: string; readonly family: number };

/** Returns all addresses of a host name. Rejects with ENOTFOUND or a code of `dns.lookup` when there is none. */
export type NameResolver = (host: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Resolves like the system, including the hosts file. Each call occupies one of the four threads of the libuv pool until the DNS server responds, so
 * it is used only for names that the operator has configured.
 */
const resolveBySystem: NameResolver = (host) => lookup(host, { all: true, order: 'verbatim' });

/** Time-out of the first try, milliseconds, and number of tries. */
const RESOLVER_OPTIONS = { timeout: 1500, tries: 2 } as const;

/**
 * Creates a resolver that uses DNS only and no thread: for names given by clients. `servers` are addresses with ports; by default those of the
 * system.
 */
export const createDnsResolver = (servers: readonly string[] = []): NameResolver => {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (servers.length > 0) resolver.setServers(servers);
  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    const cause: unknown = four.status === 'rejected' ? four.reason : undefined;
    // DNS error codes such as ECONNREFUSED would be mistaken for errors of the receiver.
    throw Object.assign(new Error(`'${host}' has no address`, { cause }), { code: 'ENOTFOUND' });
  };
};

export type TargetGuardOptions = {
  /** Allowed ports of public receivers. */
  readonly ports: readonly number[];
  /** Addresses, networks such as `10.0.0.0/8`, and host names of receivers that may be internal, use http and any port. */
  readonly allow: readonly string[];
  /** In place of the system for names that are allowed or local, and of DNS for all others. */
  readonly resolve: NameResolver;
};

/** The rules for receivers: which ports, names and addresses events may be sent to. */
export type TargetGuard = {
  readonly ports: readonly number[];
  readonly resolve: NameResolver;
  readonly allowsName: (host: string) => boolean;
  readonly allowsAddress: (address: string) => boolean;
  /** Whether the allow-list has addresses, so that names must be resolved before they are judged. */
  readonly hasNetworks: boolean;
};

/** Returns the host name in URL form (lower case, ASCII); undefined when the text is not a host name. */
const parseHostName = (text: string): string | undefined => {
  const url = /[\s/?#@:\\[\]]/.test(text) ? null : URL.parse(`https://${text}`);
  const isName = url !== null && /^[\w-]+(?:\.[\w-]+)*$/.test(url.hostname);
  return isName && getAddressFamily(url.hostname) === undefined ? url.hostname : undefined;
};

/** Creates the guard. Throws a RangeError that names the first invalid entry of the allow-list or port. */
export const createTargetGuard = ({
  ports = [443, 8443],
  allow = [],
  resolve,
}: Partial<TargetGuardOptions> = {}): TargetGuard => {
  for (const port of ports)
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new RangeError(`a port of webhooks is a whole number from 1 to 65535, not ${port}`);
  // Separate lists: a common list matches ::ffff:10.0.0.1 with 10.0.0.1.
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() };
  const names = new Set<string>();
  for (const entry of allow) {
    const [, address = '', bits] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
    const family = getAddressFamily(address);
    const widest = family === 'ipv4' ? 32 : 128;
    const name = parseHostName(entry);
    if (family && Number(bits ?? widest) <= widest) networks[family].addSubnet(address, Number(bits ?? widest), family);
    else if (name !== undefined) names.add(name);
    else throw new RangeError(`the allow-list of webhooks has addresses, networks and host names, not '${entry}'`);
  }
  const byDns = createDnsResolver();
  return {
    ports,
    resolve: resolve ?? ((host) => (names.has(host) || isLocalName(host) ? resolveBySystem : byDns)(host)),
    allowsName: (host) => names.has(host),
    allowsAddress: (address) => {
      const family = getAddressFamily(address);
      return family !== undefined && !address.includes('%') && networks[family].check(address, family);
    },
    hasNetworks: networks.ipv4.rules.length + networks.ipv6.rules.length > 0,
  };
};

/** Why the URL of a receiver is rejected. */
type TargetError = {
  readonly reason: 'length' | 'syntax' | 'scheme' | 'credentials' | 'port' | 'name' | 'address' | 'unresolved';
  /** A sentence for the client. */
  readonly message: string;
};

/** The connection parameters of a receiver's URL. */
export type Target = {
  readonly isSecure: boolean;
  /** A host name, or an address without brackets. */
  readonly host: string;
  readonly isLiteral: boolean;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Whether all addresses of its name must be on the allow-list. */
  readonly mustBeAllowed: boolean;
};

type ParsedTarget = { readonly target: Target } | { readonly error: TargetError };

export const MAX_URL_LENGTH = 2048;

const reject = (reason: TargetError['reason'], message: string): ParsedTarget => ({ error: { reason, message } });

/** Finds the first property of a target that only receivers on the allow-list may have. */
const findRestriction = (target: Target, ports: readonly number[]): TargetError | undefined => {
  if (!target.isSecure) return { reason: 'scheme', message: 'the address must begin with https://' };
  if (!ports.includes(target.port))
    return { reason: 'port', message: `the port must be one of ${ports.join(', ')}, not ${target.port}` };
  if (!target.isLiteral && isLocalName(target.host))
    return { reason: 'name', message: `'${target.host}' is the name of a host in a local network` };
  const purpose = target.isLiteral ? findBlockedRange(target.host) : undefined;
  return purpose === undefined
    ? undefined
    : { reason: 'address', message: `${target.host} is not a public address: ${purpose}` };
};

/**
 * Parses the URL of a receiver and rejects what is wrong without a DNS lookup. A literal address is checked here because connecting to it does no
 * lookup; the URL standard normalizes octal, hexadecimal and other spellings.
 */
export const parseTarget = (text: string, guard: TargetGuard): ParsedTarget => {
  if (text.length > MAX_URL_LENGTH) return reject('length', `the address has more than ${MAX_URL_LENGTH} characters`);
  // The URL parser would silently drop line breaks and tabs.
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (!url) return reject('syntax', 'the address is not a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return reject('scheme', 'the address must begin with https://');
  if (url.username || url.password) return reject('credentials', 'the address must not hold a user name or a password');
  if (url.hostname.endsWith('.')) return reject('name', `'${url.hostname}' ends with a dot`);

  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLiteral = getAddressFamily(host) !== undefined;
  const isSecure = url.protocol === 'https:';
  const defaultPort = isSecure ? 443 : 80;
  const port = url.port === '' ? defaultPort : Number(url.port);
  const target = { isSecure, host, isLiteral, port, path: `${url.pathname}${url.search}`, mustBeAllowed: false };
  if (isLiteral ? guard.allowsAddress(host) : guard.allowsName(host)) return { target };
  const error = findRestriction(target, guard.ports);
  if (!error) return { target };
  return isLiteral || !guard.hasNetworks ? { error } : { target: { ...target, mustBeAllowed: true } };
};

/** A host name resolves to a blocked address. The address is not reported: it would map the internal network. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** Resolves the host name of a target. One blocked address blocks the whole name: no public host has a private address as well. */
const resolveAllowed = async (target: Target, guard: TargetGuard): Promise<readonly ResolvedAddress[]> => {
  const addresses = await guard.resolve(target.host);
  if (guard.allowsName(target.host)) return addresses;
  const isAllowed = ({ address }: ResolvedAddress): boolean =>
    guard.allowsAddress(address) || (!target.mustBeAllowed && findBlockedRange(address) === undefined);
  if (!addresses.every(isAllowed))
    throw new BlockedAddressError(`'${target.host}' leads to an address that is not public`);
  return addresses;
};

/**
 * Creates the DNS lookup of a socket. It returns the checked addresses, so that the name cannot change between check and connection (DNS rebinding).
 * Not called for literal addresses, which `parseTarget` checks.
 */
export const createGuardedLookup =
  (target: Target, guard: TargetGuard): LookupFunction =>
  (_host, options, callback) => {
    // The callback runs outside the promise, which would swallow an error thrown by the socket.
    const failed = (error: Error): void => void setImmediate(callback, error, '');
    resolveAllowed(target, guard).then((addresses) => {
      const [first] = addresses;
      if (!first) failed(Object.assign(new Error(`'${target.host}' has no address`), { code: 'ENOTFOUND' }));
      else if (options.all) setImmediate(callback, null, [...addresses]);
      else setImmediate(callback, null, first.address, first.family);
    }, failed);
  };

/**
 * Returns why events may not be sent to a URL, or undefined when they may; used when a receiver is registered or changed. The name can resolve
 * differently later, so that sending checks again.
 */
export const checkTarget = async (url: string, guard: TargetGuard): Promise<TargetError | undefined> => {
  const parsed = parseTarget(url, guard);
  if ('error' in parsed) return parsed.error;
  if (parsed.target.isLiteral) return undefined;
  const unresolved: TargetError = { reason: 'unresolved', message: `'${parsed.target.host}' has no address` };
  try {
    const addresses = await resolveAllowed(parsed.target, guard);
    return addresses.length > 0 ? undefined : unresolved;
  } catch (error) {
    return error instanceof BlockedAddressError ? { reason: 'address', message: error.message } : unresolved;
  }
};
