/* The clock of a delivery worker jumps years ahead and back. */
import { expect, test } from 'vitest';
import { startEventDelivery } from '../../../src/jobs/deliveries/deliver-events.ts';
import { reportFault } from '../support/report-fault.ts';
import { freshDatabase } from '../../support/database.ts';
import {
  addAccountEvents,
  createLoopbackDeliverer,
  insertAccount,
  insertEndpoint,
  openWebhookReceiver,
} from '../../jobs/deliveries/delivery-fixture.ts';
import { EARLIER, LATER, MID } from './clock-instants.ts';

test('repeats no delivery, and retries scheduled far ahead run after the clock is set back', async () => {
  const { sql: db, drop } = await freshDatabase();
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
  try {
    const countReceived = (): number => receiver.countDistinct();
    await addAccountEvents(db, [account], { flights: [1] });
    await expect.poll(countReceived).toBe(1);
    // Far ahead: the receiver fails, so retries are scheduled for that time.
    now = new Date(LATER);
    nextResponse.status = 500;
    await addAccountEvents(db, [account], { flights: [2, 3, 4, 5, 6, 7] });
    const countLateRetries = async (): Promise<number> =>
      Number((await db<{ n: bigint }[]>`select count(*) as n from push_retry where due_at > '2030-01-01'`)[0]?.n);
    await expect.poll(countLateRetries).toBeGreaterThan(0);
    now = new Date(MID);
    nextResponse.status = 200;
    await expect.poll(countReceived).toBe(7);
    // Back to a day before the start.
    now = new Date(EARLIER);
    await addAccountEvents(db, [account], { flights: [8] });
    await expect.poll(countReceived).toBe(8);
    const countDelivered = async () =>
      (
        await db<{ n: number }[]>`
      select count(*)::int as n from push_attempt where endpoint_id = ${endpoint} and outcome = 'delivered'`
      )[0]?.n;
    await expect.poll(countDelivered).toBe(8);
    const duplicates = await db`
      select 1 from push_attempt where outcome = 'delivered' group by endpoint_id, event_id having count(*) > 1`;
    const negative = await db`select 1 from push_attempt where duration_ms < 0`;
    reportFault(
      20,
      {
        events: 8,
        delivered: countReceived(),
        'failed attempts': receiver.received.length - 8,
        'delivered twice': duplicates.length,
        'negative durations': negative.length,
        errors: failures.length,
      },
      'deliveries',
    );
    expect([negative.length, duplicates.length, failures]).toEqual([0, 0, []]);
  } finally {
    await stop();
    await receiver.close();
    await drop();
  }
});
