import { connect, createServer, type AddressInfo } from 'node:net';
import type { RandomDraw } from '../support/status-feed.ts';

export type CuttingProxy = {
  readonly port: number;
  /** How many connections it has cut so far. */
  readonly countCuts: () => number;
  readonly close: () => void;
};

/** Passes bytes on to a port of this machine, and cuts each connection after so many bytes of the answer, any number below `most`. */
export const openCuttingProxy = async (
  target: number,
  { draw, most }: { readonly draw: RandomDraw; readonly most: number },
): Promise<CuttingProxy> => {
  let cuts = 0;
  const server = createServer((caller) => {
    const service = connect(target, '127.0.0.1');
    let left = 1 + draw(most);
    const end = (): void => {
      caller.destroy();
      service.destroy();
    };
    service.on('data', (bytes: Buffer) => {
      caller.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left > 0) return;
      cuts += 1;
      // What was written comes through; then the connection is gone.
      service.destroy();
      caller.end(() => caller.resetAndDestroy());
    });
    caller.pipe(service);
    for (const socket of [caller, service]) {
      socket.on('error', end);
      socket.on('close', end);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return { port, countCuts: () => cuts, close: () => server.close() };
};
