import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventPage } from '../../../generated/flight-info-alerts/v1/types.gen.ts';
import { getOrCreateSecret } from '../../../src/store/access/secrets.ts';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { profile } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { readHubMessages } from '../../support/hub/hub-messages.ts';
import { hasNatsServer, startBroker, type Broker } from '../../support/hub/nats-server.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { message, ingest } from '../../jobs/status/messages.ts';
import { waitForOutput, startCommand } from '../run-command.ts';

let fresh: FreshDatabase;
let server: ChildProcess | undefined;
let broker: Broker | undefined;
beforeEach(async () => {
  fresh = await freshDatabase();
  await saveTinyMasterData(fresh.sql);
  await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['flight-info-alerts'], key: TEST_KEY });
  await publishText(fresh.sql, buildFile(buildLeg()), { horizonDays: 3 });
});
afterEach(async () => {
  server?.kill('SIGKILL');
  await broker?.drop();
  await fresh.drop();
});

/** Ingests a status message in another process than the server. */
const assignGate = async (gate: string): Promise<void> => {
  await ingest(fresh.sql, [message({ id: `gate ${gate}`, facts: { departureGate: gate } })]);
};

/** Starts a server on the store of this test, with an account that has an alert for Heathrow. */
const startServer = async (variables: Readonly<Record<string, string>>) => {
  const env = { DATABASE_URL: fresh.url, PORT: '0', FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '3', ...variables };
  const started = startCommand(['serve'], env);
  server = started;
  let output = '';
  started.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
  const [, base = ''] = await waitForOutput(started, /listening on (http:\S+)/);
  const headers = { 'Subscription-Key': TEST_KEY, 'Content-Type': 'application/json' };
  const send = async (path: string, body: object): Promise<object> => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${base}/flight-info-alerts${path}?version=v1`, init);
    return response.json();
  };
  const { accountId = '' }: { readonly accountId?: string } = await send('/profile', profile);
  await send('/alerts', { accountId, name: 'Heathrow', alertType: 'Port', departureAirport: 'LHR' });
  return {
    output: () => output,
    accountId,
    read: async (after: number): Promise<EventPage> => {
      const url = `${base}/flight-info-alerts/events?version=v1&After=${after}&Wait=20`;
      return (await fetch(url, { headers: { ...headers, accountId } })).json();
    },
    stream: (): Promise<Response> => {
      const url = `${base}/flight-info-alerts/events?version=v1&After=0`;
      return fetch(url, { headers: { ...headers, accountId, Accept: 'text/event-stream' } });
    },
    /** Stops the server and returns its exit status and how many milliseconds that took. */
    end: async (): Promise<{ readonly exit: unknown; readonly ms: number }> => {
      const began = performance.now();
      const closed = once(started, 'close');
      started.kill('SIGTERM');
      return { exit: await closed, ms: performance.now() - began };
    },
  };
};

test('returns an event for a status message to a waiting client, and exits while streams are open', async () => {
  const { read, stream, end } = await startServer({});
  const waiting = read(0);
  await assignGate('B1');
  const { data } = await waiting;
  expect(data).toEqual([
    expect.objectContaining({
      position: 1,
      documentType: 'FlightStatus',
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }),
  ]);
  const streaming = await stream();
  const { exit, ms } = await end();
  expect([exit, streaming.status, await streaming.text()]).toEqual([
    [0, null],
    200,
    expect.stringMatching(/^id: ?1$/m),
  ]);
  expect(ms).toBeLessThan(9000);
});

test.skipIf(!hasNatsServer)(
  'serves events while the broker is unreachable, logs the outage once and publishes the missed events later',
  { timeout: 240_000 },
  async () => {
    broker = await startBroker(await getOrCreateSecret(fresh.sql, 'hub'));
    await broker.kill();
    const { output, accountId, read, end } = await startServer({ NATS_URL: broker.url });
    await assignGate('B1');
    const { data: first } = await read(0);
    await assignGate('B2');
    const { data: second } = await read(1);
    expect([first.length, second.length]).toEqual([1, 1]);
    // Each attempt updates the row twice, at its start and at its end; polling may miss the first of the two updates.
    const updates = new Set<string>();
    const countUpdates = async (): Promise<number> => {
      const [row] = await fresh.sql<{ by: string }[]>`select xmin::text as by from hub_progress`;
      return updates.add(row?.by ?? '').size;
    };
    await expect.poll(countUpdates, { timeout: 60_000, interval: 100 }).toBeGreaterThan(4);
    const activeBroker = broker;
    await activeBroker.start();
    await expect.poll(() => readHubMessages(activeBroker).catch(() => []), { timeout: 60_000 }).toHaveLength(2);
    const messages = await readHubMessages(activeBroker);
    expect(messages.map(({ subject, text }) => [subject, JSON.parse(text)])).toEqual(
      [...first, ...second].map((event) => [`events.${accountId}.status.XX.101`, event]),
    );
    expect((await end()).exit).toEqual([0, null]);
    // A broker that has just started can fail with another error.
    const errors = output().match(/"err":.*"message":"[^"]*/g) ?? [];
    expect([errors.length > 0, new Set(errors).size]).toEqual([true, errors.length]);
  },
);
