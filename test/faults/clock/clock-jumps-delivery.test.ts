/* The clock of a process that posts events jumps, years ahead and back. */
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

test('what was sent is not sent again, and nothing rests or waits for a time that was set back', async () => {
  const { sql: db, drop } = await freshDatabase();
  let now = new Date(MID);
  const failures: unknown[] = [];
  const answers = { status: 200 };
  const recorder = await openWebhookReceiver((_got, response) => void response.writeHead(answers.status).end());
  const account = await insertAccount(db);
  const endpoint = await insertEndpoint(db, { account, url: recorder.url });
  const stop = await startEventDelivery(db, {
    deliverer: createLoopbackDeliverer(() => now),
    clock: () => now,
    onError: (error) => failures.push(error),
    pollMs: 20,
  });
  try {
    const came = (): number => recorder.countDistinct();
    await addAccountEvents(db, [account], { flights: [1] });
    await expect.poll(came).toBe(1);
    // Far ahead: the receiver fails there, so rests and next attempts are of that time.
    now = new Date(LATER);
    answers.status = 500;
    await addAccountEvents(db, [account], { flights: [2, 3, 4, 5, 6, 7] });
    const waiting = async (): Promise<number> =>
      Number((await db<{ n: bigint }[]>`select count(*) as n from push_retry where due_at > '2030-01-01'`)[0]?.n);
    await expect.poll(waiting).toBeGreaterThan(0);
    now = new Date(MID);
    answers.status = 200;
    await expect.poll(came).toBe(7);
    // And back beyond where it began.
    now = new Date(EARLIER);
    await addAccountEvents(db, [account], { flights: [8] });
    await expect.poll(came).toBe(8);
    const succeeded = async () =>
      (
        await db<{ n: number }[]>`
      select count(*)::int as n from push_attempt where endpoint_id = ${endpoint} and outcome = 'delivered'`
      )[0]?.n;
    await expect.poll(succeeded).toBe(8);
    const twice = await db`
      select 1 from push_attempt where outcome = 'delivered' group by endpoint_id, event_id having count(*) > 1`;
    const negative = await db`select 1 from push_attempt where duration_ms < 0`;
    reportFault({
      fault: 20,
      part: 'deliveries',
      figure: {
        events: 8,
        delivered: came(),
        'attempts that failed': recorder.received.length - 8,
        'delivered twice': twice.length,
        'times below zero': negative.length,
        faults: failures.length,
      },
      bound: 'delivered 8, twice 0, times below zero 0, faults 0',
    });
    expect([negative.length, twice.length, failures]).toEqual([0, 0, []]);
  } finally {
    await stop();
    await recorder.close();
    await drop();
  }
});
