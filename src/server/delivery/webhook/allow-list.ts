import { BlockList } from 'node:net';
import { getAddressFamily } from './address-ranges.ts';

/** Scheme and port of a connection to a receiver. */
export type ReceiverPort = { readonly isSecure: boolean; readonly port: number };

/** Receivers that may be internal. Each entry permits one scheme, and one port or all. */
export type AllowList = {
  readonly allowsName: (host: string, port: ReceiverPort) => boolean;
  readonly allowsAddress: (address: string, port: ReceiverPort) => boolean;
  /** Whether an address can be allowed on that port, so that a name must be resolved before it is judged. */
  readonly hasNetworks: (port: ReceiverPort) => boolean;
  /** All allowed host names. */
  readonly names: ReadonlySet<string>;
};

type Entry = {
  readonly isSecure: boolean;
  /** undefined: any port. */
  readonly ports: readonly number[] | undefined;
  /** One list for each family: a common list matches ::ffff:10.0.0.1 with 10.0.0.1. */
  readonly target: { readonly name: string } | { readonly family: 'ipv4' | 'ipv6'; readonly network: BlockList };
};

/** Returns the host name in URL form (lower case, ASCII); undefined when the text is not a host name. */
const parseHostName = (text: string): string | undefined => {
  const url = /[\s/?#@:\\[\]]/.test(text) ? null : URL.parse(`https://${text}`);
  const isName = url !== null && /^[\w-]+(?:\.[\w-]+)*$/.test(url.hostname);
  return isName && getAddressFamily(url.hostname) === undefined ? url.hostname : undefined;
};

/** Parses an address, a network such as `10.0.0.0/8`, or a host name. */
const parseHost = (text: string): Entry['target'] | undefined => {
  const [, address = '', bits] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const family = getAddressFamily(address);
  if (family !== undefined) {
    const widest = family === 'ipv4' ? 32 : 128;
    if (Number(bits ?? widest) > widest) return undefined;
    const network = new BlockList();
    network.addSubnet(address, Number(bits ?? widest), family);
    return { family, network };
  }
  const name = parseHostName(text);
  return name === undefined ? undefined : { name };
};

/** Parses `scheme://host:port`. Without a scheme it is https, and a port is an error: one of both would be a guess. */
const parseEntry = (text: string, securePorts: readonly number[]): Entry | undefined => {
  const [, scheme, bracketed, plain, port] =
    /^(?:(https?):\/\/)?(?:\[([\da-f:.]+(?:\/\d+)?)\]|([^:[\]]+))(?::(\d{1,5}|\*))?$/i.exec(text) ?? [];
  const isBareIpv6 = scheme === undefined && getAddressFamily(text.replace(/\/\d+$/, '')) === 'ipv6';
  const target = parseHost(isBareIpv6 ? text : (bracketed ?? plain ?? ''));
  if (!target || (port !== undefined && scheme === undefined && !isBareIpv6)) return undefined;
  const isSecure = scheme?.toLowerCase() !== 'http';
  if (port === '*') return { isSecure, ports: undefined, target };
  if (port === undefined) return { isSecure, ports: isSecure ? securePorts : [80], target };
  return Number(port) >= 1 && Number(port) <= 65_535 ? { isSecure, ports: [Number(port)], target } : undefined;
};

/**
 * Creates the list from entries `scheme://host:port`. Without a port, an entry permits `securePorts` for https and 80 for http. Throws a RangeError
 * that names the first invalid entry.
 */
export const createAllowList = (texts: readonly string[], securePorts: readonly number[]): AllowList => {
  const entries = texts.map((text) => {
    const entry = parseEntry(text, securePorts);
    if (entry) return entry;
    throw new RangeError(`write scheme://host:port, such as http://10.1.0.0/16:8080, instead of '${text}'`);
  });
  const permits = ({ isSecure, ports }: Entry, to: ReceiverPort): boolean =>
    isSecure === to.isSecure && (ports?.includes(to.port) ?? true);
  return {
    allowsName: (host, port) =>
      entries.some((entry) => 'name' in entry.target && entry.target.name === host && permits(entry, port)),
    allowsAddress: (address, port) => {
      const family = getAddressFamily(address);
      if (family === undefined || address.includes('%')) return false;
      return entries.some(
        (entry) =>
          'network' in entry.target &&
          entry.target.family === family &&
          entry.target.network.check(address, family) &&
          permits(entry, port),
      );
    },
    hasNetworks: (port) => entries.some((entry) => 'network' in entry.target && permits(entry, port)),
    names: new Set(entries.flatMap(({ target }) => ('name' in target ? [target.name] : []))),
  };
};
