import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type DnsServer = {
  readonly server: string;
  /** Queried names, each query once. */
  readonly queries: readonly string[];
  readonly close: () => void;
};

const TYPE_A = 1;

/**
 * Starts a local DNS server (RFC 1035) for IPv4 addresses: `addressesOf` returns those of a name for the next response, none for an
 * unknown name, and undefined to leave a query unanswered.
 */
export const startDnsServer = async (
  addressesOf: (name: string) => readonly string[] | undefined,
): Promise<DnsServer> => {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const isAddressQuery = query.readUInt16BE(at + 1) === TYPE_A;
    const name = labels.join('.');
    if (isAddressQuery) queries.push(name);
    const addresses = isAddressQuery ? addressesOf(name) : [];
    if (!addresses) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(isAddressQuery && addresses.length === 0 ? 0x81_83 : 0x81_80, 2);
    for (const [offset, count] of [1, addresses.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * offset);
    const records = addresses.map((address) =>
      // The name of the query, and an IPv4 address with a TTL of 0.
      Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, queries, close: () => void socket.close() };
};
