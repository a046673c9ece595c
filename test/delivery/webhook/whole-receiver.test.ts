import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { WebhookEndpoint } from '#delivery/webhook/deliverer.ts';
import { createSecret, createSignedHeaders } from '#delivery/webhook/signatures.ts';
import { buildStatusEvent } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import { openHttpServer } from '#http/server/server.ts';
import { renderEvent, toStatusEventBody } from '#products/flight-info-alerts/v1/events/render-event.ts';
import { listAccountEvents } from '#store/events/account-events.ts';
import { fullStatusContent } from '#test/products/flight-info-alerts/v1/events/event-contents.ts';
import { insertTestEvents, getStreamNumber } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { createTestDeliverer } from './receivers.ts';

const page = readFileSync(new URL('../../../docs/how-to/receive-webhooks.md', import.meta.url), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);

const EVENTS = 30;
/** The number of events that are pruned before the end. */
const FORGOTTEN = 5;
const { write } = createTemporaryFolder();
const [current, older, unknown] = [createSecret(), createSecret(), createSecret()];
const deliverer = createTestDeliverer();

const world = await serveAlerts();
const server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
afterAll(async () => {
  deliverer.close();
  await server.close();
  await world.drop();
});
const service = `http://127.0.0.1:${(await server.listening).port}`;
/** The account of the receiver, and its events as they are pushed. */
const accountId = await world.createAccount();
const inserted = Array.from({ length: EVENTS }, (_, index) => {
  const departure = { scheduled: {}, gate: `Zürich ${index}` };
  const event = buildStatusEvent(undefined, { ...fullStatusContent, departure }, 0);
  if (!event) throw new Error('no event');
  return { body: toStatusEventBody(event) };
});
await insertTestEvents(world.db, accountId, { events: inserted, now: new Date('2026-06-01T12:00:00Z') });
const stream = await getStreamNumber(world.db, accountId);
const read = await listAccountEvents(world.db, { stream, after: 0, limit: EVENTS });
if (read.kind !== 'events') throw new Error(read.kind);
const events = read.events.map((event) => ({ id: event.id, body: renderEvent(event) }));

type Running = { readonly port: number; readonly taken: readonly unknown[] };

type CreateReceiver = (options: {
  service: string;
  key: string;
  accountId: string;
  secrets: readonly string[];
  position: number;
  handle: (event: unknown) => void;
}) => Server;

const runNode = async (position: number): Promise<Running> => {
  const [verifier = '', code = ''] = blocks('js');
  write('verify-event.mjs', verifier);
  const { createReceiver }: { createReceiver: CreateReceiver } = await import(
    pathToFileURL(write('receiver.mjs', code)).href
  );
  const taken: unknown[] = [];
  const handle = (event: unknown): void => void taken.push(event);
  const running = createReceiver({ service, key: TEST_KEY, accountId, secrets: [current, older], position, handle });
  running.listen(0, '127.0.0.1');
  await once(running, 'listening');
  onTestFinished(async () => {
    running.closeAllConnections();
    running.close();
    await once(running, 'close');
  });
  return { port: (running.address() as AddressInfo).port, taken };
};

const runPython = async (position: number): Promise<Running> => {
  const [program = ''] = blocks('python');
  const file = write('receiver.py', program);
  const settings = { SERVICE: service, SUBSCRIPTION_KEY: TEST_KEY, ACCOUNT_ID: accountId };
  const env = { ...settings, SECRETS: `${current} ${older}`, POSITION: String(position), PORT: '0', PYTHONUTF8: '1' };
  const child = spawn('python3', [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'close');
  });
  const taken: unknown[] = [];
  createInterface(child.stdout).on('line', (line) => taken.push(JSON.parse(line)));
  const [output] = await once(createInterface(child.stderr), 'line');
  return { port: Number(/^listening on port (\d+)$/.exec(String(output))?.[1]), taken };
};

const eventAt = (position: number) => {
  const event = events[position - 1];
  if (!event) throw new Error(`no event ${position}`);
  return event;
};

/** The response of a receiver to an attempt with these keys. */
const push = async (receiver: Running, position: number, keys: readonly string[]): Promise<string> => {
  const endpoint: WebhookEndpoint = { url: `http://127.0.0.1:${receiver.port}/`, keys };
  const outcome = await deliverer.deliver(endpoint, eventAt(position));
  return `${position} ${outcome.kind} ${outcome.status}`;
};

const breakOff = async (receiver: Running): Promise<void> => {
  const socket = connect(receiver.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy());
  await once(socket, 'close');
};

/** A request recorded this many seconds ago, or in the future. */
const replay = async (receiver: Running, position: number, agoSeconds: number): Promise<string> => {
  const event = eventAt(position);
  const headers = { ...createSignedHeaders(event, [current], new Date(Date.now() - agoSeconds * 1000)) };
  const { status } = await fetch(`http://127.0.0.1:${receiver.port}/`, { method: 'POST', headers, body: event.body });
  return `${position} ${status}`;
};

const expectEvents = async (receiver: Running, from: number, to: number): Promise<void> => {
  await expect.poll(() => receiver.taken.length).toBe(to - from + 1);
  expect(receiver.taken).toEqual(events.slice(from - 1, to).map(({ body }): unknown => JSON.parse(body)));
};

const isPythonInstalled = spawnSync('python3', ['--version']).status === 0;
const receivers = [
  { name: 'Node', run: runNode, isMissing: false },
  { name: 'Python', run: runPython, isMissing: !isPythonInstalled },
];

test.for(receivers)(
  'the documented receiver for $name processes every event once and in order',
  async (one, { skip }) => {
    skip(one.isMissing);
    const receiver = await one.run(0);
    expect([
      await push(receiver, 1, [current]),
      // Another one arrives first, because this one had to wait; and it arrives twice, because a response was lost.
      await push(receiver, 3, [current]),
      await push(receiver, 2, [current]),
      await push(receiver, 3, [current]),
      // One secret replaces another.
      await push(receiver, 4, [createSecret(), older]),
      await push(receiver, 5, [unknown]),
      await replay(receiver, 6, 301),
      await replay(receiver, 6, -320),
      await replay(receiver, 6, 200),
      await push(receiver, 17, [current, older]),
      await push(receiver, 12, [current]),
      await push(receiver, EVENTS, [current]),
    ]).toEqual([
      ...[1, 3, 2, 3, 4].map((position) => `${position} delivered 204`),
      '5 failed 401',
      '6 401',
      '6 401',
      '6 204',
      ...[17, 12, EVENTS].map((position) => `${position} delivered 204`),
    ]);
    await expectEvents(receiver, 1, EVENTS);
  },
);

test.for(receivers)(
  'the documented receiver for $name skips events from before its position, and survives a broken request',
  async (one, { skip }) => {
    skip(one.isMissing);
    const receiver = await one.run(4);
    await breakOff(receiver);
    const outcomes = [await push(receiver, 2, [current]), await push(receiver, 5, [current])];
    expect(outcomes).toEqual(['2 delivered 204', '5 delivered 204']);
    await expectEvents(receiver, 5, 5);
  },
);

// The last tests of the file: they delete events.
test.for(receivers)(
  'the documented receiver for $name resumes with the oldest retained event after a long outage',
  async (one, { skip }) => {
    skip(one.isMissing);
    await world.db`delete from account_event where stream = ${stream} and number <= ${FORGOTTEN}`;
    const receiver = await one.run(0);
    expect(await push(receiver, EVENTS, [current])).toBe(`${EVENTS} delivered 204`);
    await expectEvents(receiver, FORGOTTEN + 1, EVENTS);
  },
);
