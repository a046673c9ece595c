import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newSockets } from '../../../../src/store/pool/driver/socket-timeouts.ts';

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
  const address = server.address();
  target = { host: ['127.0.0.1'], port: [typeof address === 'object' && address !== null ? address.port : 0] };
});
afterEach(() => {
  server.close();
});

/** What a connection says when it is closed. */
const saidBy = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => {
    let code: unknown;
    socket.on('error', (error: NodeJS.ErrnoException) => (code ??= error.code));
    socket.once('close', () => resolve(code));
    socket.resume();
  });

test('a server that leaves something unanswered is given up', async () => {
  const socket = newSockets({ silenceMs: 50 }).connect(target);
  socket.write('a question');
  expect(await saidBy(socket)).toBe('ETIMEDOUT');
});

test('a server of which nothing is to come may be silent, until it is asked again', async () => {
  onConnection = (socket) => void socket.once('data', () => socket.write('an answer'));
  const socket = newSockets({ silenceMs: 200 }).connect(target);
  socket.write('a question');
  await once(socket, 'data');
  await once(socket, 'timeout');
  expect(socket.destroyed).toBe(false);
  socket.write('another');
  expect(await saidBy(socket)).toBe('ETIMEDOUT');
});

test('a connection that is closed without a word is an error to who uses it', async () => {
  onConnection = (socket) => void socket.end();
  expect(await saidBy(newSockets().connect(target))).toBe('CONNECTION_CLOSED');
});

test('connections that fail one after the other are made at ever longer pauses, up to a second', async () => {
  onConnection = (socket) => void socket.end();
  const { connect, pause } = newSockets();
  const pauses = [pause()];
  for (let failed = 0; failed < 8; failed += 1) {
    await saidBy(connect(target));
    pauses.push(pause());
  }
  for (const [failures, seconds] of pauses.entries()) {
    const longest = Math.min(0.05 * 2 ** failures, 1);
    // Chance halves them at the most.
    expect(seconds).toBeGreaterThanOrEqual(longest / 2);
    expect(seconds).toBeLessThanOrEqual(longest);
  }
});

test('all that are open can be given up, also where somebody took their listeners away', async () => {
  const sockets = newSockets();
  const socket = sockets.connect(target);
  await once(socket, 'connect');
  socket.removeAllListeners();
  const said = saidBy(socket);
  sockets.breakOff();
  expect(await said).toBe('ETIMEDOUT');
});

test('once ended it makes none', () => {
  const { connect, end } = newSockets();
  end();
  expect(() => connect(target)).toThrow(expect.objectContaining({ code: 'CONNECTION_ENDED' }));
});
