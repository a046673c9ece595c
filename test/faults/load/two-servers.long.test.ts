import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seedDemoAccount } from '../../../src/jobs/demo/seed-demo-account.ts';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { createStatusIngester } from '../../../src/jobs/status/ingest/status-ingester.ts';
import { runCommand } from '../../cli/run-command.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { listAllEvents, findLogFaults } from '../../store/events/sample-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { createScratchFolder } from '../../support/scratch-folder.ts';
import { reportFault } from '../support/report-fault.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import {
  insertEndpoint,
  openWebhookReceiver,
  type Account,
  type WebhookReceiver,
} from '../../jobs/deliveries/delivery-fixture.ts';
import { flight, message } from '../../jobs/status/messages.ts';
import { listChildProcesses, startServerProcess } from '../support/server-process.ts';
import { feedSchedule } from '../support/status-feed.ts';
import { startSteadyLoad } from '../support/steady-load.ts';

/** Rounds of messages, one for each of 33 flights a round. */
const ROUNDS = Number(process.env['SERVER_ROUNDS'] ?? 6);

const clock = (): Date => new Date('2026-06-01T12:00:00Z');

let fresh: FreshDatabase;
let folder: string;
let receiver: WebhookReceiver;
beforeEach(async () => {
  [fresh, folder, receiver] = await Promise.all([freshDatabase(), createScratchFolder(), openWebhookReceiver()]);
});
afterEach(async () => {
  await receiver.close();
  await fresh.drop();
  await rm(folder, { recursive: true });
});

/** The same flights, arriving ten minutes later. */
const laterSchedule = buildFile(
  ...Array.from({ length: 33 }, (_, index) =>
    buildLeg({ 6: String(1000 + index), 15: '01JUN26', 22: '03JUN26', 58: '1410', 62: '1410' }),
  ),
);

test(
  '5: two servers and their workers share the work of a database and do none of it twice',
  async () => {
    const { sql, url } = fresh;
    await saveTinyMasterData(sql);
    await insertKeyIfMissing(sql, {
      name: 'tests',
      products: ['flight-info', 'flight-info-alerts', 'connections'],
      key: TEST_KEY,
    });
    const accountId = await seedDemoAccount(sql, { key: TEST_KEY, now: clock() });
    const [account] = await sql<Account[]>`select id, stream from alert_account where id = ${accountId}`;
    if (!account) throw new Error('no account');
    await insertEndpoint(sql, { account, url: `${receiver.url}/0` });
    // Two of the days are expanded here; the servers extend the horizon.
    await publishText(sql, feedSchedule, { horizonDays: 2 });

    const env = { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '10', WEBHOOK_ALLOW: '127.0.0.1' };
    const servers = await Promise.all([startServerProcess([], env), startServerProcess(['--workers', '2'], env)]);
    const loads = servers.map(({ base }) =>
      startSteadyLoad({
        base,
        // Not the health of connections: it is 503 until a worker has loaded its first set, as documented.
        paths: ['/flight-instances?DepartureDateTime=2026-06-02', '/flights/health'],
        headers: { 'Subscription-Key': TEST_KEY },
        keepAliveConnections: 2,
        singleUseConnections: 0,
        pauseMs: 50,
      }),
    );
    const file = join(folder, 'later.ssim');
    await writeFile(file, laterSchedule);
    const loading = runCommand(['import', 'ssim', file], env);
    const ingester = await createStatusIngester(sql, undefined, clock);
    for (let round = 0; round < ROUNDS; round += 1)
      await ingester.ingest(
        Array.from({ length: 33 }, (_, index) =>
          message({
            id: `${round}-${index}`,
            at: new Date(clock().getTime() + round * 1000).toISOString(),
            flight: flight({ flightNumber: 1000 + index }),
            facts: { departureGate: `A${round + 1}` },
          }),
        ),
      );
    expect((await loading).code).toBe(0);

    /** Reads the pending work and the number of events of the account. */
    const progress = async () => {
      const [row] = await sql<
        { waiting: number; undistributed: number; delivered: number; sets: number; pushed: number }[]
      >`
      select (select count(*)::int from event_outbox) as waiting,
        ((select last_pos from event_log_end) - (select last_pos from event_distribution))::int as undistributed,
        coalesce((select last_number::int from account_stream where stream = ${account.stream}), 0) as delivered,
        (select count(*)::int from connection_snapshot) as sets, (select number::int from push_progress) as pushed`;
      return row;
    };
    await expect
      .poll(
        async () => {
          const { delivered = 0, ...rest } = (await progress()) ?? {};
          return { ...rest, unpushed: delivered - receiver.countDistinct() };
        },
        { timeout: 120_000, interval: 200 },
      )
      .toMatchObject({ waiting: 0, undistributed: 0, sets: 1, unpushed: 0 });
    const requests = (await Promise.all(loads.map(({ stop }) => stop()))).flat();
    const codes = (await Promise.all(servers.map(({ stop: end }) => end()))).map(({ code }) => code);
    const [flights] = await sql<{ rows: number; keys: number }[]>`
    select count(*)::int as rows, count(distinct (flight_number, departs_at::date))::int as keys from flight_instance`;
    const delivered = (await progress())?.delivered;
    const figures = {
      events: (await listAllEvents(sql)).length,
      ...findLogFaults(await listAllEvents(sql)),
      deliveries: receiver.received.length,
      repeated: receiver.received.length - receiver.countDistinct(),
      connectionSets: (await progress())?.sets,
      requests: requests.length,
      failed: requests.filter(({ status }) => status !== 200).length,
      errorsLogged: servers.flatMap(({ output }) => output().match(/^\{"level":"error".*$/gm) ?? []),
    };
    reportFault({
      fault: 5,
      part: 'servers',
      figure: figures,
      bound: 'gaps, inversions, doubled, repeated and failed 0, one set of connections',
    });
    expect(figures).toMatchObject({ gaps: 0, inversions: 0, doubled: 0, repeated: 0, connectionSets: 1, failed: 0 });
    expect([codes, flights, figures.errorsLogged]).toEqual([[0, 0], { rows: 99, keys: 99 }, []]);
    expect(receiver.received.length).toBe(delivered);
    expect(delivered).toBeGreaterThanOrEqual(33 * ROUNDS);
    expect(servers.flatMap(({ pid }) => listChildProcesses(pid))).toEqual([]);
  },
  240_000 + ROUNDS * 10_000,
);
