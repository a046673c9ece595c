/*
 * Senders whose bodies arrive slowly, or never, beside an honest one: over sockets, against the server and its whole pipeline.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { BodyMemory } from '#http/request/body-memory.ts';
import { openHttpServer, type HttpServer } from '#http/server/server.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { formatLine } from '#test/jobs/status/messages.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { everyProduct } from '#test/support/every-product.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '#test/support/tiny-world.ts';

/** The memory for bodies; a server has 32 times as much. */
const bodyMemory = new BodyMemory(4 * 1024 * 1024);
let world: TinyService;
let server: HttpServer;
let port = 0;
let attackerKey = '';
let honestKey = '';
beforeAll(async () => {
  world = await serveTinyWorld({ mcp: 'read', bodyMemory });
  await publishText(world.db, buildFile(buildLeg()));
  server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
  port = (await server.listening).port;
  attackerKey = (await createKey(world.db, { name: 'attacker', products: everyProduct })).key;
  honestKey = (await createKey(world.db, { name: 'honest', products: ['status-feed'] })).key;
});
afterAll(async () => {
  await server.close(0);
  await world.drop();
});

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Opens a request whose body does not arrive, once the server waits for it: it has then answered `Expect: 100-continue`. */
const openUnsent = async (path: string, type: string, length = 100_000): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nSubscription-Key: ${attackerKey}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
};

const post = async (path: string, type: string, { key, body }: { readonly key: string; readonly body: string }) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'subscription-key': key, 'content-type': type, accept: 'application/json, text/event-stream' },
    body,
  });
  const text = await response.text();
  // The last event of a stream, or the whole body.
  const content: unknown = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return { status: response.status, content };
};

const slowBodies = [
  ['status messages', '/status-messages', 'application/x-ndjson'],
  ['telegrams', '/movement-telegrams', 'text/plain'],
  ['JSON', '/flight-info-alerts/profile', 'application/json'],
  ['messages of agents', '/mcp', 'application/json'],
] as const;
const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

test.each(slowBodies)(
  'others are served while the bodies of a hundred requests of one do not arrive: %s',
  async (_, ...sent) => {
    await Promise.all(Array.from({ length: 100 }, () => openUnsent(...sent)));
    const body = formatLine(sent[0], { departure: { gate: 'A1' } });
    const responses = await Promise.all([
      post('/status-messages', 'application/x-ndjson', { key: honestKey, body }),
      post('/flight-info-alerts/profile', 'application/json', { key: TEST_KEY, body: JSON.stringify(profile) }),
      post('/mcp', 'application/json', { key: TEST_KEY, body: call }),
    ]);
    expect(responses).toMatchObject([
      { status: 200, content: { stored: 1 } },
      { status: 201, content: {} },
      { status: 200, content: { id: 1 } },
    ]);
  },
);

test('a sender that fills its share of the memory for bodies is rejected, and another one with a large body is served', async () => {
  const length = 512 * 1024;
  const open = await Promise.all(
    Array.from({ length: 8 }, () => openUnsent('/status-messages', 'application/x-ndjson', length)),
  );
  const rejected = Promise.any(open.map(async (socket) => String((await once(socket, 'data'))[0])));
  for (const socket of open) socket.write(Buffer.alloc(length - 1, ' '));
  expect(await rejected).toMatch(/^HTTP\/1\.1 503 .*\/docs\/errors#overloaded/s);
  const body = `${' '.repeat(length)}\n${formatLine('large', { departure: { gate: 'A1' } })}`;
  expect(await post('/status-messages', 'application/x-ndjson', { key: honestKey, body })).toMatchObject({
    status: 200,
    content: { stored: 1 },
  });
});
