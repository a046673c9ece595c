import { BlockList } from 'node:net';
import { getAddressFamily, isLocalName } from './blocked-addresses.ts';
import { createDnsResolver, resolveBySystem, type NameResolver } from './name-resolver.ts';

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
