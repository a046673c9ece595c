import { lookup, Resolver } from 'node:dns/promises';

export type ResolvedAddress = { readonly address: string; readonly family: number };

/** All addresses of a host name. Rejects, with the code ENOTFOUND or one of `dns.lookup`, when there is none. */
export type ResolveName = (host: string) => Promise<readonly ResolvedAddress[]>;

/**
 * As the system does, the hosts file included. Each question holds one of the four threads that files and other names need as
 * well, for as long as a server of names likes: for names that whoever runs the service has chosen.
 */
export const resolveBySystem: ResolveName = (host) => lookup(host, { all: true, order: 'verbatim' });

/** Milliseconds that a server of names has to answer, the first time; how often it is asked. */
const PATIENCE = { timeout: 1500, tries: 2 } as const;

/**
 * By DNS alone, which waits without holding up anything: for names that anybody may give. `servers` are addresses with ports,
 * those of the system when there are none.
 */
export const newDnsResolver = (servers: readonly string[] = []): ResolveName => {
  const resolver = new Resolver(PATIENCE);
  if (servers.length > 0) resolver.setServers(servers);
  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    const cause: unknown = four.status === 'rejected' ? four.reason : undefined;
    // Its own codes, ECONNREFUSED among them, would be taken for those of the receiver.
    throw Object.assign(new Error(`'${host}' has no address`, { cause }), { code: 'ENOTFOUND' });
  };
};
