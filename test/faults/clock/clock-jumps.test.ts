/* The clock jumps across a sunset, years ahead, and back: nothing runs twice or waits for a time that was skipped. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { toJsonObject } from '#lib/openapi-document.ts';
import { startEventDelivery } from '#jobs/deliveries/deliver-events.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { addAccountEvents, createLoopbackDeliverer, insertAccount } from '#test/jobs/deliveries/delivery-fixture.ts';
import { insertEndpoint, openWebhookReceiver } from '#test/jobs/deliveries/delivery-fixture.ts';
import { serveAlerts, profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { reportFault } from '../support/report-fault.ts';
import { freshDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';

const MID = '2026-06-01T12:00:00Z';
const LATER = '2036-06-01T12:00:00Z';
const EARLIER = '2026-05-31T12:00:00Z';
/** Ten years ahead, back, and a day before the start. */
const clockJumps = [MID, LATER, MID, EARLIER, MID];

const world = await serveAlerts();
afterAll(world.drop);

const observeAt = async (part: string, instants: readonly string[], observe: (now: Date) => Promise<string>) => {
  const observations: string[] = [];
  for (const instant of instants) {
    world.setNow(instant);
    observations.push(await observe(new Date(instant)));
  }
  reportFault(20, instants.map((instant, index) => `${instant} ${observations[index]}`).join(' | '), part);
  return observations;
};

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
