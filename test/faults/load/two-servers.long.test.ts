import { afterAll, expect, test } from 'vitest';
import { seedDemoAccount } from '#demo/seed-demo-account.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { runCommand } from '#test/cli/run-command.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { insertEndpoint, openWebhookReceiver, type Account } from '#test/jobs/deliveries/delivery-fixture.ts';
import { flight, message } from '#test/jobs/status/messages.ts';
import { findLogFaults, listAllEvents } from '#test/store/events/sample-events.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { JUNE_NOON } from '#test/support/test-app.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';
import { seedWorld } from '../support/seed-world.ts';
import { listChildProcesses, startServerProcess } from '../support/server-process.ts';
import { feedSchedule } from '../support/status-feed.ts';
import { startSteadyLoad } from '../support/steady-load.ts';

/** Rounds of messages, one for each of 33 flights a round. */
const ROUNDS = Number(process.env['SERVER_ROUNDS'] ?? 6);
const flights = Array.from({ length: 33 }, (_, index) => 1000 + index);

const { sql, url } = await sharedDatabase();
const receiver = await openWebhookReceiver();
afterAll(receiver.close);
const { write } = createTemporaryFolder();

const laterSchedule = buildFile(
  ...flights.map((number) => buildLeg({ 6: String(number), 15: '01JUN26', 22: '03JUN26', 58: '1410', 62: '1410' })),
);

const readProgress = async ({ stream }: Account) => {
  const [row] = await sql<{ waiting: number; undistributed: number; delivered: number; sets: number }[]>`
    select (select count(*)::int from event_outbox) as waiting,
      ((select last_pos from event_log_end) - (select last_pos from event_distribution))::int as undistributed,
      coalesce((select last_number::int from account_stream where stream = ${stream}), 0) as delivered,
      (select count(*)::int from connection_snapshot) as sets`;
  if (!row) throw new Error('no progress');
  return row;
};

test(
  '5: two servers and their workers share the work of a database and do none of it twice',
  async () => {
    // Two of the days are expanded here; the servers extend the horizon.
    await seedWorld(sql, feedSchedule, { horizonDays: 2 });
    const accountId = await seedDemoAccount(sql, { key: TEST_KEY, now: JUNE_NOON() });
    const [account] = await sql<Account[]>`select id, stream from alert_account where id = ${accountId}`;
    if (!account) throw new Error('no account');
    await insertEndpoint(sql, { account, url: `${receiver.url}/0` });

    const env = {
      DATABASE_URL: url,
      FLIGHTDATA_TODAY: '2026-06-01',
      HORIZON_DAYS: '10',
      WEBHOOK_ALLOW: 'http://127.0.0.1:*',
    };
    const servers = await Promise.all([startServerProcess([], env), startServerProcess(['--workers', '2'], env)]);
    const loads = servers.map(({ base }) =>
      startSteadyLoad({
        base,
        // Not the health of connections: it is 503 until a worker has loaded its first set, as documented.
        paths: ['/flight-instances?DepartureDateTime=2026-06-02', '/flights/health'],
        headers: { 'Subscription-Key': TEST_KEY },
        keepAliveConnections: 2,
        pauseMs: 50,
      }),
    );
    const file = write('later.ssim', laterSchedule);
    const loading = runCommand(['import', 'ssim', file], env);
    const ingester = await createStatusIngester(sql, undefined, JUNE_NOON);
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = new Date(JUNE_NOON().getTime() + round * 1000).toISOString();
      const facts = { departureGate: `A${round + 1}` };
      await ingester.ingest(
        flights.map((flightNumber) =>
          message({ id: `${round}-${flightNumber}`, at, flight: flight({ flightNumber }), facts }),
        ),
      );
    }
    expect((await loading).code).toBe(0);
    const isDone = async () => {
      const { delivered, ...rest } = await readProgress(account);
      return { ...rest, unpushed: delivered - receiver.countDistinct() };
    };
    await expect.poll(isDone, { interval: 50 }).toEqual({ waiting: 0, undistributed: 0, sets: 1, unpushed: 0 });

    const requests = (await Promise.all(loads.map(({ stop }) => stop()))).flat();
    const codes = (await Promise.all(servers.map(({ stop }) => stop()))).map(({ code }) => code);
    const [instances] = await sql<{ rows: number; keys: number }[]>`
      select count(*)::int as rows, count(distinct (flight_number, departs_at::date))::int as keys from flight_instance`;
    const { delivered, sets } = await readProgress(account);
    const events = await listAllEvents(sql);
    const figures = {
      ...findLogFaults(events),
      repeated: receiver.received.length - receiver.countDistinct(),
      connectionSets: sets,
      failed: requests.filter(({ status }) => status !== 200).slice(0, 5),
      errorsLogged: servers.flatMap(({ output }) => output().match(/^\{"level":"error".*$/gm) ?? []),
    };
    reportFault(
      5,
      { events: events.length, requests: requests.length, deliveries: receiver.received.length, ...figures },
      'servers',
    );
    const noFaults = { gaps: 0, inversions: 0, doubled: 0, repeated: 0, failed: [], errorsLogged: [] };
    expect(figures).toEqual({ ...noFaults, connectionSets: 1 });
    expect([codes, instances]).toEqual([[0, 0], { rows: 99, keys: 99 }]);
    expect(receiver.received.length).toBe(delivered);
    expect(delivered).toBeGreaterThanOrEqual(33 * ROUNDS);
    expect(servers.flatMap(({ pid }) => listChildProcesses(pid))).toEqual([]);
  },
  240_000 + ROUNDS * 10_000,
);
