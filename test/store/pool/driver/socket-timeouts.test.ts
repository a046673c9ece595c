import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPoolSockets } from '#store/pool/driver/socket-timeouts.ts';

let server: Server;
let target: { readonly host: readonly string[]; readonly port: readonly number[] };
let onConnection: (socket: Socket) => void;
beforeEach(async () => {
  onConnection = () => {};
  server = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  target = { host: ['127.0.0.1'], port: [(server.address() as AddressInfo).port] };
});
afterEach(() => {
  server.close();
});

const closeCodeOf = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => {
    let code: unknown;
    socket.on('error', (error: NodeJS.ErrnoException) => (code ??= error.code));
    socket.once('close', () => resolve(code));
    socket.resume();
  });

test('destroys a connection on which the server leaves bytes unanswered', async () => {
  const socket = createPoolSockets({ silenceMs: 50 }).connect(target);
  socket.write('a query');
  expect(await closeCodeOf(socket)).toBe('ETIMEDOUT');
});

test('keeps an idle connection open until the next unanswered write', async () => {
  onConnection = (socket) => void socket.once('data', () => socket.write('a result'));
  const socket = createPoolSockets({ silenceMs: 200 }).connect(target);
  socket.write('a query');
  await once(socket, 'data');
  await once(socket, 'timeout');
  expect(socket.destroyed).toBe(false);
  socket.write('another');
  expect(await closeCodeOf(socket)).toBe('ETIMEDOUT');
});

test('reports a close without an error as CONNECTION_CLOSED', async () => {
  onConnection = (socket) => void socket.end();
  expect(await closeCodeOf(createPoolSockets().connect(target))).toBe('CONNECTION_CLOSED');
});

test('the reconnect delay grows with each failed connection, up to a second', async () => {
  onConnection = (socket) => void socket.end();
  const { connect, reconnectDelay } = createPoolSockets();
  const delays = [reconnectDelay()];
  for (let failed = 0; failed < 8; failed += 1) {
    await closeCodeOf(connect(target));
    delays.push(reconnectDelay());
  }
  // Jitter shortens a delay by up to a half.
  const shares = delays.map((seconds, failures) => seconds / Math.min(0.05 * 2 ** failures, 1));
  expect(shares.filter((share) => share < 0.5 || share > 1)).toEqual([]);
});

test('destroyAll destroys open sockets whose listeners were removed', async () => {
  const sockets = createPoolSockets();
  const socket = sockets.connect(target);
  await once(socket, 'connect');
  socket.removeAllListeners();
  const code = closeCodeOf(socket);
  sockets.destroyAll();
  expect(await code).toBe('ETIMEDOUT');
});

test('a socket has the host name, by which the driver checks a certificate', () => {
  const socket = createPoolSockets().connect(target);
  expect(socket).toMatchObject({ host: '127.0.0.1', port: target.port[0] });
  socket.destroy();
});

test('destroys the sockets that are still open when it is closed', async () => {
  const { connect, close } = createPoolSockets();
  const socket = connect(target);
  await once(socket, 'connect');
  const code = closeCodeOf(socket);
  close();
  expect(await code).toBeUndefined();
});

test('opens no sockets once it is closed', () => {
  const { connect, close } = createPoolSockets();
  close();
  expect(() => connect(target)).toThrow(expect.objectContaining({ code: 'CONNECTION_ENDED' }));
});
