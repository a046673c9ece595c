import { BlockList } from 'node:net';
import { familyOf } from './blocked-addresses.ts';
import { isLocalName } from './local-name.ts';
import { newDnsResolver, resolveBySystem, type ResolveName } from './resolve-name.ts';

export type GuardSettings = {
  /** Ports of public receivers. */
  readonly ports: readonly number[];
  /** Addresses, networks such as `10.0.0.0/8`, and host names of receivers that may be internal, and may then use http and any port. */
  readonly allow: readonly string[];
  /** In place of the system for names that are allowed or local, and of DNS for all others. */
  readonly resolve: ResolveName;
};

/** What decides where events may be sent. */
export type TargetGuard = {
  readonly ports: readonly number[];
  readonly resolve: ResolveName;
  readonly allowsName: (host: string) => boolean;
  readonly allowsAddress: (address: string) => boolean;
  /** Whether addresses are allowed at all, so that a name has to be resolved to be told. */
  readonly hasNetworks: boolean;
};

/** The host name as a URL writes it, in small letters and ASCII; undefined when it is none. */
const hostName = (text: string): string | undefined => {
  const written = /[\s/?#@:\\[\]]/.test(text) ? null : URL.parse(`https://${text}`);
  const isName = written !== null && /^[\w-]+(?:\.[\w-]+)*$/.test(written.hostname);
  return isName && familyOf(written.hostname) === undefined ? written.hostname : undefined;
};

/** Throws a RangeError that names the first entry of the allow-list, or the first port, that is not one. */
export const newTargetGuard = ({
  ports = [443, 8443],
  allow = [],
  resolve,
}: Partial<GuardSettings> = {}): TargetGuard => {
  for (const port of ports)
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new RangeError(`a port of webhooks is a whole number from 1 to 65535, not ${port}`);
  // Kept apart, because a list of both families takes ::ffff:10.0.0.1 for 10.0.0.1.
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() };
  const names = new Set<string>();
  for (const entry of allow) {
    const [, address = '', bits] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
    const family = familyOf(address);
    const widest = family === 'ipv4' ? 32 : 128;
    const name = hostName(entry);
    if (family && Number(bits ?? widest) <= widest) networks[family].addSubnet(address, Number(bits ?? widest), family);
    else if (name !== undefined) names.add(name);
    else throw new RangeError(`the allow-list of webhooks has addresses, networks and host names, not '${entry}'`);
  }
  const byDns = newDnsResolver();
  return {
    ports,
    resolve: resolve ?? ((host) => (names.has(host) || isLocalName(host) ? resolveBySystem : byDns)(host)),
    allowsName: (host) => names.has(host),
    allowsAddress: (address) => {
      const family = familyOf(address);
      return family !== undefined && !address.includes('%') && networks[family].check(address, family);
    },
    hasNetworks: networks.ipv4.rules.length + networks.ipv6.rules.length > 0,
  };
};
