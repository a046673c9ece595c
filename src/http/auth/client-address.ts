import { BlockList, isIP } from 'node:net';
import type { Peer } from '../request/fetch-handler.ts';

/** Who asks, as far as it can be told apart: an IPv4 address, or the first 64 bits of an IPv6 address. */
export type GetClientId = (peer: Peer | undefined, forwardedFor: string | null) => string | undefined;

/** An IPv4 address may come dressed as an IPv6 one, and some proxies write the port as well. */
const plain = (address: string): string =>
  address
    .trim()
    .replace(/^\[([\da-f:.]+)\](:\d+)?$/i, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '');

const isListed = (list: BlockList, address: string): boolean => {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
};

const addTo = (list: BlockList, text: string): void => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const size = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? size : Number(bits);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > size)
    throw new RangeError(`TRUSTED_PROXIES must be addresses or networks like 10.0.0.0/8, not '${text}'`);
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
};

/** Of addresses that are not of the public network, any number of callers can stand behind one: they are proxies, or neighbours. */
const internal = new BlockList();
for (const network of [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
])
  addTo(internal, network);
for (const network of ['::1', 'fc00::/7', 'fe80::/10']) addTo(internal, network);

/** Whoever has one IPv6 address has the 2^64 beside it as well. */
const groupOf = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const first = head.split(':').filter((part) => part !== '');
  const last = tail?.split(':').filter((part) => part !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const parts = [...first, ...zeros, ...last].slice(0, 4).map((part) => Number.parseInt(part, 16).toString(16));
  return `${parts.join(':')}::/64`;
};

/**
 * Tells callers apart by address. What `X-Forwarded-For` says is believed of connections from `trusted` proxies alone (addresses or
 * networks): the last address in it that is not a trusted proxy itself. Undefined where the address is of no public network, as behind
 * a proxy that nobody has named: it stands for everybody. Throws a RangeError about an entry that is no address.
 */
export const createClientIdReader = (trusted: readonly string[] = []): GetClientId => {
  const proxies = new BlockList();
  for (const one of trusted) addTo(proxies, one);
  return (peer, forwardedFor) => {
    let caller = plain(peer?.remoteAddress ?? '');
    let before = forwardedFor ?? '';
    // Whoever is not trusted ends the path: what stands before was written by anybody, and is not even looked at, for it can be long.
    while (before !== '' && isListed(proxies, caller)) {
      const comma = before.lastIndexOf(',');
      caller = plain(before.slice(comma + 1));
      before = before.slice(0, Math.max(0, comma));
    }
    return isIP(caller) === 0 || isListed(internal, caller) ? undefined : groupOf(caller);
  };
};
