import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { createAllowList, type AllowList } from './allow-list.ts';
import { findBlockedRange, getAddressFamily } from './address-ranges.ts';

/** Returns whether a host name is local (RFC 6761, RFC 6762, RFC 8375) or would be completed by a DNS search list. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);

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
  /** Receivers that may be internal: `scheme://host:port`, where the host is an address, a network such as `10.0.0.0/8`, or a name. */
  readonly allow: readonly string[];
  /** In place of the system for names that are allowed or local, and of DNS for all others. */
  readonly resolve: NameResolver;
};

/** The rules for receivers: which ports, names and addresses events may be sent to. */
export type TargetGuard = {
  readonly ports: readonly number[];
  readonly resolve: NameResolver;
  readonly allowed: AllowList;
};

/** Creates the guard. Throws a RangeError that names the first invalid entry of the allow-list or port. */
export const createTargetGuard = ({
  ports = [443, 8443],
  allow = [],
  resolve,
}: Partial<TargetGuardOptions> = {}): TargetGuard => {
  for (const port of ports)
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new RangeError(`a webhook port must be a whole number from 1 to 65535, not ${port}`);
  const allowed = createAllowList(allow, ports);
  const byDns = createDnsResolver();
  return {
    ports,
    resolve: resolve ?? ((host) => (allowed.names.has(host) || isLocalName(host) ? resolveBySystem : byDns)(host)),
    allowed,
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
  if (!target.isSecure) return { reason: 'scheme', message: 'the address must start with https://' };
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
    return reject('scheme', 'the address must start with https://');
  if (url.username || url.password)
    return reject('credentials', 'the address must not contain a user name or a password');
  if (url.hostname.endsWith('.')) return reject('name', `'${url.hostname}' ends with a dot`);

  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLiteral = getAddressFamily(host) !== undefined;
  const isSecure = url.protocol === 'https:';
  const defaultPort = isSecure ? 443 : 80;
  const port = url.port === '' ? defaultPort : Number(url.port);
  const target = { isSecure, host, isLiteral, port, path: `${url.pathname}${url.search}`, mustBeAllowed: false };
  const { allowed } = guard;
  if (isLiteral ? allowed.allowsAddress(host, target) : allowed.allowsName(host, target)) return { target };
  const error = findRestriction(target, guard.ports);
  if (!error) return { target };
  return isLiteral || !allowed.hasNetworks(target) ? { error } : { target: { ...target, mustBeAllowed: true } };
};

/** A host name resolves to a blocked address. The address is not reported: it would map the internal network. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** Resolves the host name of a target. One blocked address blocks the whole name: no public host has a private address as well. */
const resolveAllowed = async (target: Target, guard: TargetGuard): Promise<readonly ResolvedAddress[]> => {
  const addresses = await guard.resolve(target.host);
  if (guard.allowed.allowsName(target.host, target)) return addresses;
  const isAllowed = ({ address }: ResolvedAddress): boolean =>
    guard.allowed.allowsAddress(address, target) || (!target.mustBeAllowed && findBlockedRange(address) === undefined);
  if (!addresses.every(isAllowed))
    throw new BlockedAddressError(`'${target.host}' resolves to an address that is not public`);
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
