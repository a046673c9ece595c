import { connect, type Socket } from 'node:net';

/** Where the driver wants to connect, as it resolved its URL: lists, for a URL can name several hosts. */
type Target = {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Seconds. */
  readonly connect_timeout: number;
};

/**
 * Connects to the first host of a target, for a driver that leaves its sockets as they come: small writes then wait for the
 * server to acknowledge the ones before, which it puts off for 40 ms. A COPY of a few rows took 90 ms so, and takes 3.
 * Rejects with the error of the connection, or with one of the code `CONNECT_TIMEOUT`.
 */
export const connectPromptly = (target: Target): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const [host = 'localhost', port = 5432] = [target.host[0], target.port[0]];
    const socket = connect({ host, port, noDelay: true });
    const late = (): void => {
      const error = Object.assign(new Error(`write CONNECT_TIMEOUT ${host}:${port}`), { code: 'CONNECT_TIMEOUT' });
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(late, target.connect_timeout * 1000);
    const settle = (): void => {
      clearTimeout(timer);
      socket.removeListener('error', refused);
    };
    const refused = (error: Error): void => {
      settle();
      reject(error);
    };
    socket.once('error', refused);
    socket.once('connect', () => {
      settle();
      // The driver asks the socket by what name to check the server's certificate.
      resolve(Object.assign(socket, { host, port }));
    });
  });
