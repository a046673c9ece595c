import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

export type TamperingProxy = Awaited<ReturnType<typeof startTamperingProxy>>;

/** Returns the length of the first frame of the NATS client protocol: a line and, for publications, a payload. */
const frameLength = (buffer: Buffer): number | undefined => {
  const end = buffer.indexOf('\r\n');
  if (end === -1) return undefined;
  const line = buffer.toString('latin1', 0, end);
  const payload = /^H?PUB /.test(line) ? Number(line.split(' ').at(-1)) + 2 : 0;
  return end + 2 + payload;
};

/** Starts a proxy that changes the messages that clients publish. A change must keep their length. */
export const startTamperingProxy = async (brokerPort: number, change: (message: string) => string) => {
  const server = createServer((client) => {
    const broker = connect(brokerPort, '127.0.0.1');
    let rest = Buffer.alloc(0);
    client.on('data', (piece: Buffer) => {
      rest = Buffer.concat([rest, piece]);
      for (let length = frameLength(rest); length !== undefined && length <= rest.length; length = frameLength(rest)) {
        const frame = rest.toString('latin1', 0, length);
        const changed = frame.startsWith('HPUB events.') ? change(frame) : frame;
        if (changed.length !== frame.length) throw new Error(`another length: ${changed}`);
        broker.write(changed, 'latin1');
        rest = rest.subarray(length);
      }
    });
    broker.pipe(client);
    for (const [one, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`, close: (): void => void server.close() };
};
