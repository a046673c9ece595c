import { getAddressFamily, isLocalName, findBlockedRange } from './blocked-addresses.ts';
import type { TargetGuard } from './target-guard.ts';

/** Why the URL of a receiver is rejected. */
export type TargetError = {
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

export type ParsedTarget = { readonly target: Target } | { readonly error: TargetError };

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
