import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provisionHubAccess, type HubAccessOptions } from '#delivery/hub/hub-access.ts';
import { openHttpServer } from '#http/server/server.ts';
import { startHubPublisher } from '#jobs/events/publish-to-hub.ts';
import { listAllAccountEvents } from '#test/store/alerts/sample-accounts.ts';
import { sequence, insertStatusEvents } from '#test/store/events/sample-events.ts';
import { fanOutToAll } from '#test/support/fan-out-events.ts';
import { hasNatsServer, startBroker, type Broker } from '#test/support/hub/nats-server.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { fail } from '../job-database.ts';
import { serveAlerts, type AlertsService } from '#test/products/flight-info-alerts/v1/alerts-service.ts';

const page = readFileSync(new URL('../../../docs/how-to/consume-the-hub.md', import.meta.url), 'utf8');
const [, sample = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
const root = fileURLToPath(new URL('../../..', import.meta.url));
let broker: Broker;
let world: AlertsService;
let accountId = '';
let url = '';
const closes: (() => Promise<void>)[] = [];

describe.skipIf(!hasNatsServer)('the consumer of the documentation', () => {
  beforeAll(async () => {
    const secret = randomBytes(32);
    broker = await startBroker(secret);
    const options: HubAccessOptions = { url: broker.url, keys: broker.keys, secret, clock: () => new Date() };
    world = await serveAlerts({ hub: (request) => provisionHubAccess(options, request) });
    accountId = await world.createAccount();
    const server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
    url = `http://127.0.0.1:${(await server.listening).port}`;
    const stop = await startHubPublisher(world.db, { ...options, onError: fail });
    closes.push(stop, () => server.close(), world.drop, broker.drop);
  });
  afterAll(async () => {
    for (const close of closes) await close();
  });

  /** Runs it until it has printed this many events, and kills it then. */
  const run = async (events: number): Promise<readonly string[]> => {
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', sample], {
      cwd: root,
      env: { PATH: process.env['PATH'], SERVICE_URL: url, SUBSCRIPTION_KEY: TEST_KEY, ACCOUNT_ID: accountId },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    if (!child.stdout) throw new Error('it says nothing');
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (lines.length === events) break;
    }
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    return lines;
  };

  const publish = async (flights: readonly number[]): Promise<void> => {
    for (const flight of flights) await world.db.begin((sql) => insertStatusEvents(sql, [flight]));
    await sequence(world.db);
    const [row] = await world.db<{ stream: number }[]>`select stream from alert_account where id = ${accountId}`;
    await fanOutToAll(world.db, [row?.stream ?? 0]);
  };

  test('receives every event once, and resumes at its position after a restart', async () => {
    await publish([1, 2, 1]);
    const first = await run(3);
    await publish([3, 1]);
    const second = await run(2);
    const [row] = await world.db<{ stream: number }[]>`select stream from alert_account where id = ${accountId}`;
    const events = await listAllAccountEvents(world.db, row?.stream ?? 0);
    expect(first.concat(second).map((line) => line.split(' ')[0])).toEqual(['1', '2', '3', '4', '5']);
    expect(first.concat(second).map((line) => line.split(' ')[2])).toEqual(events.map(({ id }) => id));
  });
});
