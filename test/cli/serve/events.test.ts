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

/** Another process than the server takes a status message in. */
const assignGate = async (gate: string): Promise<void> => {
  await ingest(fresh.sql, [message({ id: `gate ${gate}`, facts: { departureGate: gate } })]);
};

/** A server of the store of this test with an account that wants to hear of Heathrow. */
const startServer = async (more: Readonly<Record<string, string>>) => {
  const env = { DATABASE_URL: fresh.url, PORT: '0', FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '3', ...more };
  const started = startCommand(['serve'], env);
  server = started;
  let said = '';
  started.stdout?.on('data', (piece: Buffer) => (said += piece.toString()));
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
    said: () => said,
    accountId,
    read: async (after: number): Promise<EventPage> => {
      const url = `${base}/flight-info-alerts/events?version=v1&After=${after}&Wait=20`;
      return (await fetch(url, { headers: { ...headers, accountId } })).json();
    },
    stream: (): Promise<Response> => {
      const url = `${base}/flight-info-alerts/events?version=v1&After=0`;
      return fetch(url, { headers: { ...headers, accountId, Accept: 'text/event-stream' } });
    },
    /** Asks it to end, and answers how it ended and after how many milliseconds. */
    end: async (): Promise<{ readonly exit: unknown; readonly ms: number }> => {
      const began = performance.now();
      const closed = once(started, 'close');
      started.kill('SIGTERM');
      return { exit: await closed, ms: performance.now() - began };
    },
  };
};

test('a status message becomes an event that whoever waits for it gets, and the server ends while streams are open', async () => {
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
  'a broker that is away keeps nothing from being served, is missed in the log once, and gets what it missed',
  { timeout: 240_000 },
  async () => {
    broker = await startBroker(await getOrCreateSecret(fresh.sql, 'hub'));
    await broker.kill();
    const { said, accountId, read, end } = await startServer({ NATS_URL: broker.url });
    await assignGate('B1');
    const { data: first } = await read(0);
    await assignGate('B2');
    const { data: second } = await read(1);
    expect([first.length, second.length]).toEqual([1, 1]);
    // Each try is written down: who makes it, and that it is over; the first of the two may be missed here.
    const written = new Set<string>();
    const seeWritten = async (): Promise<number> => {
      const [row] = await fresh.sql<{ by: string }[]>`select xmin::text as by from hub_progress`;
      return written.add(row?.by ?? '').size;
    };
    await expect.poll(seeWritten, { timeout: 60_000, interval: 100 }).toBeGreaterThan(4);
    const there = broker;
    await there.start();
    await expect.poll(() => readHubMessages(there).catch(() => []), { timeout: 60_000 }).toHaveLength(2);
    const messages = await readHubMessages(there);
    expect(messages.map(({ subject, text }) => [subject, JSON.parse(text)])).toEqual(
      [...first, ...second].map((event) => [`events.${accountId}.status.XX.101`, event]),
    );
    expect((await end()).exit).toEqual([0, null]);
    // A broker that has just started can fail in another way.
    const faults = said().match(/"err":.*"message":"[^"]*/g) ?? [];
    expect([faults.length > 0, new Set(faults).size]).toEqual([true, faults.length]);
  },
);
