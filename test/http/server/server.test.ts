import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { openHttpServer, type HttpServer, type HttpServerOptions } from '#http/server/server.ts';

const open: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)));
});

const start = async (
  fetch: HttpServerOptions['fetch'],
  limits: HttpServerOptions['limits'] = {},
  publicUrl?: string,
) => {
  const server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1', limits, publicUrl });
  open.push(server);
  const { port } = await server.listening;
  return { server, port, url: `http://127.0.0.1:${port}` };
};

const echo = (request: Request): Response => new Response(`${request.method} ${request.url}`);

test('reports its port and serves requests on it', async () => {
  const { port, url } = await start(echo);
  expect(port).toBeGreaterThan(0);
  expect(await (await fetch(`${url}//a?b=%20`)).text()).toBe(`GET ${url}//a?b=%20`);
});

test('the type of a problem leads to the documentation below the public URL', async () => {
  const { port } = await start(echo, {}, 'https://flights.example/api/');
  const socket = connect(port, '127.0.0.1');
  socket.end('GET / HTTP/1.1\r\nHost\r\n\r\n');
  expect(await text(socket)).toContain('"type":"/api/docs/errors#malformed-request"');
});

test('rejects `listening` when the port is in use', async () => {
  const { port } = await start(echo);
  const second = openHttpServer({ fetch: echo, port, hostname: '127.0.0.1' });
  await expect(second.listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('keeps the connection when the body completes after the response', async () => {
  const { port } = await start(({ url }) => new Response(new URL(url).pathname, { status: 401 }));
  const socket = connect(port, '127.0.0.1');
  /** The next bytes; none after the end of the connection. */
  const readNext = async (): Promise<string> =>
    String(await Promise.race([once(socket, 'data'), once(socket, 'close')]));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  try {
    socket.write('POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n');
    expect(await readNext()).toContain('/early');
    // The second response shows that the rest of the first request has been read.
    socket.write('{}GET /behind HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await readNext()).toContain('/behind');
    vi.advanceTimersByTime(10_000);
    socket.write('GET /later HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await readNext()).toContain('/later');
  } finally {
    vi.useRealTimers();
    socket.destroy();
  }
});

test('closes idle connections once only reserved ones are left, and keeps no reserved one open', async () => {
  const { port } = await start(echo, { maxConnections: 4, reservedConnections: 2 });
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const send = async (socket: Socket): Promise<string | undefined> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return /^connection: (.*)$/im.exec(String((await once(socket, 'data'))[0]))?.[1];
  };
  const [first, second] = [await open(), await open()];
  expect([await send(first), await send(second)]).toEqual(['keep-alive', 'keep-alive']);
  const closed = Promise.all([once(first, 'close'), once(second, 'close')]);
  const silent = [await open(), await open()];
  await closed;
  expect(await send(await open())).toBe('close');
  for (const socket of silent) socket.destroy();
});

test('returns a problem without details when the router fails', async () => {
  const { url } = await start(() => {
    throw new Error('hunter2');
  });
  const response = await fetch(url);
  const detail = 'An internal error occurred.';
  expect(await response.json()).toMatchObject({ status: 500, type: '/docs/errors#internal', detail });
});

/** Starts a server whose response waits. */
const startPending = async () => {
  const [arrived, response] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
  const started = await start(() => {
    arrived.resolve();
    return response.promise;
  });
  return { ...started, arrived, response };
};

test('closing waits for pending responses and no longer', async () => {
  const { server, url, arrived, response: pending } = await startPending();
  const response = fetch(url);
  await arrived.promise;
  const closed = server.close(20_000);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  pending.resolve(new Response('late but whole'));
  expect(await (await response).text()).toBe('late but whole');
  await closed;
});

test('closing closes connections after the grace period', async () => {
  const { server, url, arrived } = await startPending();
  const outcome = fetch(url).catch(() => 'cut');
  await arrived.promise;
  await server.close(20);
  expect(await outcome).toBe('cut');
});

test('disconnects a client that does not read its response', async () => {
  const cut = Promise.withResolvers<string>();
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: () => cut.resolve('cut'),
  });
  const { port } = await start(() => new Response(endless), { inactivityTimeoutMs: 50 });
  const socket = connect(port, '127.0.0.1', () => socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  socket.on('error', () => undefined);
  expect(await cut.promise).toBe('cut');
  socket.destroy();
});
