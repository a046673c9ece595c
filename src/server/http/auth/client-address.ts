import { BlockList, isIP } from 'node:net';

/** The other end of a connection; a `net.Socket` is one. */
export type Peer = { readonly remoteAddress?: string | undefined };

/** Returns what identifies the client of a request: an IPv4 address, or the first 64 bits of an IPv6 address; undefined where unknown. */
export type GetClientId = (peer: Peer | undefined, forwardedFor: string | null) => string | undefined;

/** Removes the port that some proxies add, and the prefix of an IPv4 address mapped to IPv6. */
const normalizeAddress = (address: string): string =>
  address
    .trim()
    .replace(/^\[([\da-f:.]+)\](:\d+)?$/i, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '');

const isListed = (list: BlockList, address: string): boolean => {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
};

const addNetwork = (list: BlockList, text: string): void => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const size = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? size : Number(bits);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > size)
    throw new RangeError(`TRUSTED_PROXIES must be addresses or networks like 10.0.0.0/8, not '${text}'`);
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
};

/** Private networks: any number of clients can share such an address, because it belongs to a proxy or a NAT. */
const privateNetworks = new BlockList();
for (const network of [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
])
  addNetwork(privateNetworks, network);
for (const network of ['::1', 'fc00::/7', 'fe80::/10']) addNetwork(privateNetworks, network);

/** Returns the /64 network of an IPv6 address: one client can use all its addresses. */
const toClientNetwork = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const first = head.split(':').filter((part) => part !== '');
  const last = tail?.split(':').filter((part) => part !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const parts = [...first, ...zeros, ...last].slice(0, 4).map((part) => Number.parseInt(part, 16).toString(16));
  return `${parts.join(':')}::/64`;
};

/**
 * Creates a function that identifies clients by address. `X-Forwarded-For` counts only on connections from `trusted` proxies (addresses
 * or networks); the client is its last address that is not a trusted proxy. Private addresses, e.g. of an unlisted proxy, return
 * undefined. Throws RangeError when an entry of `trusted` is no address.
 */
export const createClientIdentifier = (trusted: readonly string[] = []): GetClientId => {
  const proxies = new BlockList();
  for (const network of trusted) addNetwork(proxies, network);
  return (peer, forwardedFor) => {
    let address = normalizeAddress(peer?.remoteAddress ?? '');
    let remaining = forwardedFor ?? '';
    // The first untrusted address ends the search: anyone can have written what precedes it, and it can be long.
    while (remaining !== '' && isListed(proxies, address)) {
      const comma = remaining.lastIndexOf(',');
      address = normalizeAddress(remaining.slice(comma + 1));
      remaining = remaining.slice(0, Math.max(0, comma));
    }
    return isIP(address) === 0 || isListed(privateNetworks, address) ? undefined : toClientNetwork(address);
  };
};
