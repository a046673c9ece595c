import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { writeAvinor, type AvinorRow } from '#test/feeds/live/live-inputs.ts';
import { saveLiveMasterData } from '#test/jobs/sources/live-world.ts';
import { deleteEvents, listStatusEvents } from '#test/jobs/status/emitted-events.ts';
import { deleteStatuses } from '#test/jobs/status/messages.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { startReplayServer } from '#test/support/sources/replay-server.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

// More than two batches of messages, each of which is one transaction.
const ROWS = 1200;
const LOCK = 48;

const clock = (): Date => new Date();
const replay = await startReplayServer(clock);
const { sql: db, url } = await sharedDatabase();
await saveLiveMasterData(db);

const rows = Array.from({ length: ROWS }, (_, index): AvinorRow => {
  const at = new Date(Math.floor(Date.now() / 60_000 + 120) * 60_000);
  return {
    airline: 'WF',
    flight_id: `WF${1000 + index}`,
    dom_int: 'D',
    schedule_time: at.toISOString().replace('.000', ''),
    arr_dep: 'D',
    airport: 'BGO',
    gate: 'A5',
  };
});
replay.respond = () => ({ body: writeAvinor('OSL', rows, { lastUpdate: clock().toISOString() }) });

const holder = await db.reserve();
await db.unsafe(`
  create function wait_for_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`);
const servers: ServerProcess[] = [];
afterAll(async () => {
  for (const server of servers) await server.kill();
  holder.release();
});
beforeEach(async () => {
  await deleteStatuses(db);
  await deleteEvents(db);
  await db`truncate live_request, live_row, live_count, flight_codeshare`;
  await db`update live_follower set worker = null, claimed_until = null`;
  replay.requests.length = 0;
});

const start = async (): Promise<ServerProcess> => {
  const server = await startServerProcess(['--live', 'avinor:OSL'], {
    DATABASE_URL: url,
    SOURCES_MIRROR: replay.url,
    HORIZON_DAYS: '1',
  });
  servers.push(server);
  return server;
};

const isHeld = async (): Promise<boolean> =>
  (await db`select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`).length > 0;
const countRows = async () => {
  const [counts] = await db<{ rows: bigint; messages: bigint; statuses: bigint; successes: bigint }[]>`
    select (select count(*) from live_row) as rows, (select count(*) from status_message) as messages,
      (select count(*) from flight_status) as statuses,
      (select count(*) from live_request where succeeded_at is not null) as successes`;
  return Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]));
};

test.each([
  ['while the second batch is stored', 'insert on live_row', `new.key like '% WF1700 %'`, 500],
  ['before the answer is recorded', 'update on live_request', 'new.succeeded_at is not null', ROWS],
])(
  'a server is killed %s: another one completes the answer, and nothing is there twice',
  { timeout: 240_000 },
  async (_name, event, condition, stored) => {
    await holder`select pg_advisory_lock(${LOCK})`;
    await db.unsafe(
      `create trigger wait before ${event} for each row when (${condition}) execute function wait_for_test()`,
    );
    const first = await start();
    await vi.waitUntil(isHeld, { timeout: 90_000, interval: 20 });
    await first.kill();
    await holder`select pg_advisory_unlock(${LOCK})`;
    await vi.waitUntil(async () => !(await isHeld()), { timeout: 30_000 });
    await db.unsafe(`drop trigger wait on ${event.split(' ').at(-1)}`);
    // Each message is there with its row, and the answer does not count.
    expect(await countRows()).toEqual({ rows: stored, messages: stored, statuses: stored, successes: 0 });
    // Two more servers: the lease of the first one has ended, and the time of its next request has not come.
    const others = await Promise.all([start(), start()]);
    onTestFinished(async () => {
      for (const server of others) await server.kill();
    });
    await db`update live_follower set claimed_until = clock_timestamp()`;
    await vi.waitUntil(async () => (await db`select from live_follower where claimed_until > now()`).length === 1, {
      timeout: 30_000,
    });
    const [request] = await db<{ nextAt: Date }[]>`select next_at as "nextAt" from live_request`;
    expect((request?.nextAt.getTime() ?? 0) - (replay.requests[0]?.at ?? 0)).toBeGreaterThan(175_000);
    expect(replay.requests).toHaveLength(1);
    // As if that time had come. Servers that wait for it look again after a minute, a new one at once.
    for (const server of others) await server.kill();
    await db`update live_request set next_at = now()`;
    await db`update live_follower set claimed_until = clock_timestamp()`;
    const last = await start();
    onTestFinished(() => last.kill());
    await vi.waitUntil(async () => (await countRows())['successes'] === 1, { timeout: 60_000, interval: 50 });
    expect(await countRows()).toEqual({ rows: ROWS, messages: ROWS, statuses: ROWS, successes: 1 });
    expect(new Set((await listStatusEvents(db)).map(({ flightKey }) => flightKey)).size).toBe(ROWS);
    expect(await listStatusEvents(db)).toHaveLength(ROWS);
    // Not changes only: the first answer did not count.
    expect(replay.requests.map(({ url: { searchParams } }) => searchParams.get('lastUpdate'))).toEqual([null, null]);
    const [after] = await db<{ cursor: string; fullRows: number }[]>`
      select cursor, full_rows as "fullRows" from live_request`;
    expect(after).toEqual({ cursor: expect.stringMatching(/Z$/), fullRows: ROWS });
  },
);
