import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns a free port of this machine; another process may take it before it is used. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
};
