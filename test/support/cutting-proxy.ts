import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import type { RandomDraw } from '../faults/support/random-draw.ts';

/** Opens a TCP proxy to a local port that cuts each connection after a random number of response bytes, up to `maxBytes`. */
export const openCuttingProxy = async (
  target: number,
  { draw, maxBytes }: { readonly draw: RandomDraw; readonly maxBytes: number },
) => {
  let cuts = 0;
  const server = createServer((client) => {
    const service = connect(target, '127.0.0.1');
    let remaining = 1 + draw(maxBytes);
    const destroyBoth = (): void => {
      client.destroy();
      service.destroy();
    };
    service.on('data', (bytes: Buffer) => {
      client.write(bytes.subarray(0, remaining));
      remaining -= bytes.length;
      if (remaining > 0) return;
      cuts += 1;
      // The client receives what was written, then a reset.
      service.destroy();
      client.end(() => client.resetAndDestroy());
    });
    client.pipe(service);
    for (const socket of [client, service]) {
      socket.on('error', destroyBoth);
      socket.on('close', destroyBoth);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, countCuts: () => cuts, close: (): void => void server.close() };
};
