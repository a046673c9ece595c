import { afterAll, expect, test } from 'vitest';
import { plainSecretBox } from '#lib/secret-box.ts';
import type { EventPage } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { startServerProcess } from '#test/faults/support/server-process.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { readHubMessages } from '#test/support/hub/hub-messages.ts';
import { hasNatsServer, startBroker } from '#test/support/hub/nats-server.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '#test/support/tiny-world.ts';
import { message, ingest } from '#test/jobs/status/messages.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['flight-info-alerts'], key: TEST_KEY });
await publishText(fresh.sql, buildFile(buildLeg()), { horizonDays: 3 });
const broker = hasNatsServer ? await startBroker(await getOrCreateSecret(fresh.sql, plainSecretBox, 'hub')) : undefined;
await broker?.kill();
const server = await startServerProcess([], {
  DATABASE_URL: fresh.url,
  FLIGHTDATA_TODAY: '2026-06-01',
  HORIZON_DAYS: '3',
  ...(broker && { NATS_URL: broker.url }),
});
afterAll(async () => {
  await server.kill();
  await broker?.drop();
});

const alerts = `${server.base}/flight-info-alerts`;
const headers = { 'Subscription-Key': TEST_KEY, 'Content-Type': 'application/json' };
const send = async (path: string, body: object): Promise<{ readonly accountId?: string }> =>
  (await fetch(`${alerts}${path}?version=v1`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
const { accountId = '' } = await send('/profile', profile);
await send('/alerts', { accountId, name: 'Heathrow', alertType: 'Port', departureAirport: 'LHR' });

const readEvents = async (after: number): Promise<EventPage['data']> => {
  const url = `${alerts}/events?version=v1&After=${after}&Wait=20`;
  const page: EventPage = await (await fetch(url, { headers: { ...headers, accountId } })).json();
  return page.data;
};

const assignGate = (gate: string): Promise<unknown> =>
  ingest(fresh.sql, [message({ id: `gate ${gate}`, facts: { departureGate: gate } })]);

test('returns an event for a status message to a waiting client', async () => {
  const waiting = readEvents(0);
  await assignGate('B1');
  const messageId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(await waiting).toMatchObject([{ position: 1, documentType: 'FlightStatus', messageId }]);
});

test.skipIf(!broker)(
  'serves events while the broker is unreachable, and publishes the missed events later',
  async () => {
    if (!broker) return;
    await assignGate('B2');
    const [first, second] = [(await readEvents(0))[0], (await readEvents(1))[0]];
    expect([first?.position, second?.position]).toEqual([1, 2]);
    // Each attempt updates the row twice, at its start and at its end; polling may miss the first of the two updates.
    const updates = new Set<string>();
    const countUpdates = async (): Promise<number> => {
      const [row] = await fresh.sql<{ by: string }[]>`select xmin::text as by from hub_progress`;
      return updates.add(row?.by ?? '').size;
    };
    await expect.poll(countUpdates, { interval: 100 }).toBeGreaterThan(4);
    await broker.start();
    await expect.poll(() => readHubMessages(broker).catch(() => [])).toHaveLength(2);
    const messages = await readHubMessages(broker);
    expect(messages.map(({ subject, text }) => [subject, JSON.parse(text)])).toEqual(
      [first, second].map((event) => [`events.${accountId}.status.XX.101`, event]),
    );
  },
);

test('exits while streams are open, and logs the outage of the broker once', async () => {
  const streaming = { ...headers, accountId, Accept: 'text/event-stream' };
  const stream = await fetch(`${alerts}/events?version=v1&After=0`, { headers: streaming });
  const [{ code }, text] = await Promise.all([server.stop(), stream.text()]);
  // A stream that the server had to cut would end with an error.
  expect([code, stream.status, text]).toEqual([0, 200, expect.stringMatching(/^id: ?1$/m)]);
  // A broker that has just started can fail with another error.
  const errors = server.output().match(/"err":.*"message":"[^"]*/g) ?? [];
  expect([errors.length > 0, new Set(errors).size]).toEqual([broker !== undefined, errors.length]);
});
