import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { createAccessLog } from '#http/observability/access-log.ts';
import { logRejections } from '#http/server/rejected-requests.ts';
import { openHttpServer, type HttpServer, type HttpServerOptions } from '#http/server/server.ts';

const open: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)));
});

const start = async (
  fetch: HttpServerOptions['fetch'],
  limits: HttpServerOptions['limits'] = {},
  options: Partial<HttpServerOptions> = {},
) => {
  const server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1', limits, ...options });
  open.push(server);
  const { port } = await server.listening;
  return { server, port, url: `http://127.0.0.1:${port}` };
};

/** Sends a request as it is, and returns the head and the body of the response. */
const exchange = async (port: number, request: string): Promise<readonly [head: string, body: string]> => {
  const [head = '', body = ''] = (await text(connect(port, '127.0.0.1').end(request))).split('\r\n\r\n');
  return [head, body];
};

const echo = (request: Request): Response => new Response(`${request.method} ${request.url}`);

test('reports its port and serves requests on it', async () => {
  const { port, url } = await start(echo);
  expect(port).toBeGreaterThan(0);
  expect(await (await fetch(`${url}//a?b=%20`)).text()).toBe(`GET ${url}//a?b=%20`);
});

test('the type of a problem leads to the documentation below the public URL', async () => {
  const { port } = await start(echo, {}, { publicUrl: 'https://flights.example/api/' });
  const [, body] = await exchange(port, 'GET / HTTP/1.1\r\nHost\r\n\r\n');
  expect(body).toContain('"type":"/api/docs/errors#malformed-request"');
});

test('logs a request that is not valid HTTP, which no other component does', async () => {
  const lines: string[] = [];
  const log = createAccessLog({ write: (line) => void lines.push(line) });
  const { port } = await start(echo, {}, { onRejected: logRejections(log, () => new Date(0)) });
  const key = '0123456789abcdef0123456789abcdef';
  const [head, body] = await exchange(port, `GET /${key}?a=b HTTP/1.1\r\n\r\n`);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {
      level: 'info',
      time: '1970-01-01T00:00:00.000Z',
      requestId: /^x-request-id: (.*)$/im.exec(head)?.[1],
      method: 'GET',
      path: '/***',
      status: 400,
      bytes: body.length,
      problem: 'malformed-request',
      durationMs: 0,
    },
  ]);
});

test('serves requests of HTTP/1.0 without a host, and reports each connection', async () => {
  let connections = 0;
  const { port } = await start(echo, {}, { onConnection: () => void (connections += 1) });
  for (const path of ['/a', '/b'])
    expect((await exchange(port, `GET ${path} HTTP/1.0\r\n\r\n`))[1]).toBe(`GET http://localhost${path}`);
  expect(connections).toBe(2);
});

test('sends nothing after a response that has begun when the rest of its request is malformed', async () => {
  const { port } = await start(
    () => new Response(new ReadableStream({ start: (one) => one.enqueue(Buffer.from('x')) })),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  let received = '';
  socket.on('data', (data) => {
    received += String(data);
    if (received.endsWith('x\r\n')) socket.write('no chunk\r\n');
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  expect(received.split('\r\n\r\n').slice(1)).toEqual(['1\r\nx\r\n']);
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

test('closes the connection after a malformed request that its client continues', { timeout: 10_000 }, async () => {
  const { port } = await start(echo);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => void socket.once('close', () => resolve('closed')));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  try {
    socket.write('GET / HTTP/1.1\r\nHost\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 400 ');
    vi.advanceTimersByTime(600);
    const send = (): void => void socket.write('x', () => setImmediate(send));
    send();
    expect(await closed).toBe('closed');
  } finally {
    vi.useRealTimers();
    socket.destroy();
  }
});

test('closes idle connections when one is dropped because the limit is reached', { timeout: 10_000 }, async () => {
  const { port } = await start(echo, { maxConnections: 2, reservedConnections: 0 });
  const openIdle = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    return socket;
  };
  const idle = [await openIdle(), await openIdle()];
  await Promise.all([...idle, connect(port, '127.0.0.1')].map((socket) => once(socket, 'close')));
  const next = await openIdle();
  expect(next.readyState).toBe('open');
  next.destroy();
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

test('while it drains, serves requests and closes their connections', async () => {
  const { server, url } = await start(echo);
  const request = async () => (await fetch(url)).headers.get('connection');
  expect(await request()).toBe('keep-alive');
  await server.drain(0);
  expect(await request()).toBe('close');
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

test('disconnects a client that does not read a finished response', { timeout: 10_000 }, async () => {
  const cut = Promise.withResolvers<string>();
  const { port } = await start(
    (_, { incoming }) => {
      incoming.socket.once('close', () => cut.resolve('cut'));
      return new Response(new Uint8Array(64 << 20));
    },
    { responseReadTimeoutMs: 50, checkIntervalMs: 10 },
  );
  const socket = connect(port, '127.0.0.1', () => socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  socket.on('error', () => undefined);
  expect(await cut.promise).toBe('cut');
  socket.destroy();
});
