/*
 * The clock of a server jumps: across a sunset, years ahead, and back. Decisions follow the current clock; nothing runs twice, and
 * nothing waits for a time that was skipped.
 */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { catalog } from '../../../generated/catalog.ts';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { startEventDelivery } from '../../../src/jobs/deliveries/deliver-events.ts';
import { extendHorizon } from '../../../src/jobs/expand/extend-horizon.ts';
import { toUtcDate } from '../../../src/domain/time/dates.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import {
  addAccountEvents,
  createLoopbackDeliverer,
  insertAccount,
  insertEndpoint,
  openWebhookReceiver,
} from '../../jobs/deliveries/delivery-fixture.ts';
import { serveAlerts, profile, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { reportFault } from '../support/report-fault.ts';
import { freshDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';

const MID = '2026-06-01T12:00:00Z';
const LATER = '2036-06-01T12:00:00Z';
const EARLIER = '2026-05-31T12:00:00Z';
/** Ten years ahead, back, and a day before the start. */
const clockJumps = [MID, LATER, MID, EARLIER, MID];

let world: AlertsService;
beforeAll(async () => {
  world = await serveAlerts();
});
afterAll(() => world.drop());

/** Observes one instant after another and reports the observations. */
const observeAt = async (
  part: string,
  instants: readonly string[],
  observe: (now: Date) => Promise<string>,
): Promise<readonly string[]> => {
  const observations: string[] = [];
  for (const instant of instants) {
    world.setNow(instant);
    observations.push(await observe(new Date(instant)));
  }
  reportFault(20, instants.map((instant, index) => `${instant} ${observations[index]}`).join(' | '), part);
  return observations;
};

test('ends a version at its sunset and serves it again when the clock goes back', async () => {
  const sunsetVersion = catalog.flatMap(({ versions }) => versions).find(({ sunsetOn }) => sunsetOn !== undefined);
  const sunset = Date.parse(`${sunsetVersion?.sunsetOn}T00:00:00Z`);
  const instants = [-1, 0, 1, 86_400_000, -1, 0].map((ms) => new Date(sunset + ms).toISOString());
  const observations = await observeAt('versions', instants, async () => {
    const response = await world.get(`/flight-instances?version=${sunsetVersion?.version}&DepartureDate=2024-06-02`);
    const { type } = toJsonObject(await response.json());
    return `${response.status} ${response.headers.has('sunset') ? 'sunset' : String(type).split('#')[1]}`;
  });
  const removed = '404 version-removed';
  expect(observations).toEqual(['200 sunset', removed, removed, removed, '200 sunset', removed]);
});

const FLIGHTS = '/flight-instances?DepartureDateTime=2026-06-01';

test('accepts a key until its last day; a revoked key stays revoked', async () => {
  const { db } = world;
  const key = 'short-lived-key-of-a-test';
  await insertKeyIfMissing(db, { name: 'short', products: ['flight-info'], key });
  await db`update subscription_key set expires_on = '2026-06-30' where subscription_id = (select id from subscription where name = 'short')`;
  const requestStatus = async () => `${(await world.get(FLIGHTS, { 'subscription-key': key })).status}`;
  expect(await observeAt('keys', clockJumps, requestStatus)).toEqual(['200', '403', '200', '200', '200']);
  await db`update subscription_key set revoked_at = now() where expires_on is not null`;
  // After the key cache has expired.
  const instants = ['2026-06-01T12:01:00Z', LATER, MID, EARLIER];
  expect(await observeAt('revoked keys', instants, requestStatus)).toEqual(['401', '401', '401', '401']);
});

test('executes a request with an idempotency key once, again after its day, and never a third time', async () => {
  const ids = new Set<unknown>();
  const observations = await observeAt('idempotency', clockJumps, async () => {
    const headers = { 'idempotency-key': 'clock' };
    const response = await world.sendJson('POST', '/profile', { body: profile, headers });
    ids.add(toJsonObject(await response.json())['accountId']);
    return `${response.status} account ${ids.size}`;
  });
  expect(observations).toEqual(['201 account 1', '201 account 2', '201 account 2', '201 account 2', '201 account 2']);
});

test('cursors and accounts do not depend on the clock', async () => {
  world.setNow(MID);
  const headers = { accountId: await world.createAccount() };
  const requestStatus = async () => `${(await world.sendJson('GET', '/events?After=0&Wait=0', { headers })).status}`;
  expect(new Set(await observeAt('cursors', clockJumps, requestStatus))).toEqual(new Set(['200']));
});

test('a per-minute limit neither blocks for years nor becomes unlimited', async () => {
  const observations = await observeAt('limits', clockJumps, async () => {
    const response = await world.get(FLIGHTS, { 'subscription-key': TEST_KEY });
    await response.arrayBuffer();
    const waits = [...(response.headers.get('ratelimit') ?? '').matchAll(/t=(-?\d+)/g)].map(([, time]) => Number(time));
    return `${response.status} ${waits.map((wait) => (wait >= 0 && wait <= 31 * 86_400 ? 'in bounds' : wait)).join(', ')}`;
  });
  expect(new Set(observations)).toEqual(new Set(['200 in bounds, in bounds']));
});

test('expands the days after the current day once each', async () => {
  const { sql: db, drop } = await freshDatabase();
  onTestFinished(drop);
  await saveTinyMasterData(db);
  await publishText(db, buildFile(buildLeg({ 15: '01JAN26', 22: '31DEC27' })), { horizonDays: 3 });
  const listDays = async (): Promise<string> => {
    const days = await db<{ day: string }[]>`
      select day::text || ' ' || (
        select count(*)::int from flight_instance where departs_at >= day and departs_at < day + 1
      ) as day from expanded_day order by 1`;
    return days.map(({ day }) => day).join(', ');
  };
  const observations = await observeAt('horizon', [MID, '2027-06-01T12:00:00Z', MID, EARLIER], async (now) => {
    await extendHorizon(db, { today: toUtcDate(now), horizonDays: 3 });
    return listDays();
  });
  const now = '2026-05-31 1, 2026-06-01 1, 2026-06-02 1';
  const later = '2027-05-31 1, 2027-06-01 1, 2027-06-02 1';
  expect(observations).toEqual([now, `${now}, ${later}`, `${now}, ${later}`, `2026-05-30 1, ${now}, ${later}`]);
});

test('repeats no delivery, and retries scheduled far ahead run after the clock is set back', async () => {
  const { sql: db, drop } = await freshDatabase();
  onTestFinished(drop);
  let now = new Date(MID);
  const failures: unknown[] = [];
  const nextResponse = { status: 200 };
  const receiver = await openWebhookReceiver(
    (_request, response) => void response.writeHead(nextResponse.status).end(),
  );
  const account = await insertAccount(db);
  const endpoint = await insertEndpoint(db, { account, url: receiver.url });
  const stop = await startEventDelivery(db, {
    deliverer: createLoopbackDeliverer(() => now),
    clock: () => now,
    onError: (error) => failures.push(error),
    pollMs: 20,
  });
  onTestFinished(async () => {
    await stop();
    await receiver.close();
  });
  await addAccountEvents(db, [account], { flights: [1] });
  await expect.poll(receiver.countDistinct).toBe(1);
  // Far ahead: the receiver fails, so retries are scheduled for that time.
  now = new Date(LATER);
  nextResponse.status = 500;
  await addAccountEvents(db, [account], { flights: [2, 3, 4, 5, 6, 7] });
  await expect.poll(() => db`select from push_retry where due_at > '2030-01-01'`).not.toHaveLength(0);
  now = new Date(MID);
  nextResponse.status = 200;
  await expect.poll(receiver.countDistinct).toBe(7);
  // Back to a day before the start.
  now = new Date(EARLIER);
  await addAccountEvents(db, [account], { flights: [8] });
  await expect.poll(receiver.countDistinct).toBe(8);
  const readDelivered = () => db<{ events: number; deliveries: number; negative: number }[]>`
    select count(distinct event_id)::int as events, count(*)::int as deliveries,
      (count(*) filter (where duration_ms < 0))::int as negative
    from push_attempt where endpoint_id = ${endpoint} and outcome = 'delivered'`;
  await expect.poll(readDelivered).toEqual([{ events: 8, deliveries: 8, negative: 0 }]);
  reportFault(20, { events: 8, 'failed attempts': receiver.received.length - 8 }, 'deliveries');
  expect(failures).toEqual([]);
});
