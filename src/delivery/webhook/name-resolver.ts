import { lookup, Resolver } from 'node:dns/promises';

export type ResolvedAddress = { readonly address: string; readonly family: number };

/** Returns all addresses of a host name. Rejects with ENOTFOUND or a code of `dns.lookup` when there is none. */
export type NameResolver = (host: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Resolves like the system, including the hosts file. Each call occupies one of the four threads of the libuv pool until the DNS server responds, so
 * it is used only for names that the operator has configured.
 */
export const resolveBySystem: NameResolver = (host) => lookup(host, { all: true, order: 'verbatim' });

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
