import { familyOf, whyBlocked } from './blocked-addresses.ts';
import { isLocalName } from './local-name.ts';
import type { TargetGuard } from './target-guard.ts';

/** Why an address of a receiver is not taken. */
export type TargetRefusal = {
  readonly reason: 'length' | 'syntax' | 'scheme' | 'credentials' | 'port' | 'name' | 'address' | 'unresolved';
  /** A sentence for whoever gave the address. */
  readonly message: string;
};

/** Where to connect, read from the URL of a receiver. */
export type Target = {
  readonly isSecure: boolean;
  /** A host name, or an address without brackets. */
  readonly host: string;
  readonly isLiteral: boolean;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Whether it is taken only if every address of its name is on the allow-list. */
  readonly mustBeAllowed: boolean;
};

export type ReadTarget = { readonly target: Target } | { readonly refusal: TargetRefusal };

export const MAX_URL_LENGTH = 2048;

const refuse = (reason: TargetRefusal['reason'], message: string): ReadTarget => ({ refusal: { reason, message } });

/** The first thing about a target that only receivers on the allow-list may have. */
const peculiarity = (target: Target, ports: readonly number[]): TargetRefusal | undefined => {
  if (!target.isSecure) return { reason: 'scheme', message: 'the address must begin with https://' };
  if (!ports.includes(target.port))
    return { reason: 'port', message: `the port must be one of ${ports.join(', ')}, not ${target.port}` };
  if (!target.isLiteral && isLocalName(target.host))
    return { reason: 'name', message: `'${target.host}' is the name of a host in a local network` };
  const purpose = target.isLiteral ? whyBlocked(target.host) : undefined;
  return purpose === undefined
    ? undefined
    : { reason: 'address', message: `${target.host} is not a public address: ${purpose}` };
};

/**
 * Reads the URL of a receiver and refuses what can be told without asking for the addresses of its name. A literal address
 * is settled here, since connecting to one looks nothing up: octal, hexadecimal and other spellings are what the URL standard makes of them.
 */
export const readTarget = (text: string, guard: TargetGuard): ReadTarget => {
  if (text.length > MAX_URL_LENGTH) return refuse('length', `the address has more than ${MAX_URL_LENGTH} characters`);
  // The URL standard would drop line breaks and tabs without a word.
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (!url) return refuse('syntax', 'the address is not a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('scheme', 'the address must begin with https://');
  if (url.username || url.password) return refuse('credentials', 'the address must not hold a user name or a password');
  if (url.hostname.endsWith('.')) return refuse('name', `'${url.hostname}' ends with a dot`);

  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLiteral = familyOf(host) !== undefined;
  const isSecure = url.protocol === 'https:';
  const usualPort = isSecure ? 443 : 80;
  const port = url.port === '' ? usualPort : Number(url.port);
  const target = { isSecure, host, isLiteral, port, path: `${url.pathname}${url.search}`, mustBeAllowed: false };
  if (isLiteral ? guard.allowsAddress(host) : guard.allowsName(host)) return { target };
  const refusal = peculiarity(target, guard.ports);
  if (!refusal) return { target };
  return isLiteral || !guard.hasNetworks ? { refusal } : { target: { ...target, mustBeAllowed: true } };
};
