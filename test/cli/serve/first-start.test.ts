import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { prepareStore } from '#cli/serve/prepare-store.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { lockSchedules } from '#store/schedules/schedules.ts';
import { observeQueries } from '#store/pool/driver/driver.ts';
import { sharedDatabase, untilBlocked, type FreshDatabase } from '#test/support/database.ts';
import { callCommand } from '../call-command.ts';
import { startCommand } from '../run-command.ts';

const [{ sql, url }, other, clean] = [await sharedDatabase(), await sharedDatabase(), await sharedDatabase()] as const;

/** A first start has about 150 statements. One in 3 of them is interrupted with LONG_TESTS=1, one in 17 otherwise. */
const STRIDE = process.env['LONG_TESTS'] === '1' ? 3 : 17;

const readState = async ({ sql }: Pick<FreshDatabase, 'sql'>): Promise<unknown> => {
  const [row] = await sql`
    select (select count(*)::int from subscription_key) as keys, (select count(*)::int from load) as loads,
      (select count(*)::int from location) as locations, (select count(*)::int from mct_record) as times,
      (select count(*)::int from flight_instance) as flights, (select count(*)::int from schedule_record) as records,
      (select count(*)::int from alert) as alerts, (select count(*)::int from connection_snapshot) as sets`;
  return row;
};

const start = async (db: Database): Promise<readonly string[]> => {
  const lines: string[] = [];
  const store = { db, url, applicationName: 'flightdata-test', claimServerRole: async () => {}, close: async () => {} };
  const clock = () => new Date('2026-06-01T12:00:00Z');
  await prepareStore(store, { demo: true, horizonDays: 1, clock, printLine: (line) => void lines.push(line) });
  return lines;
};

/** Starts, and loses all connections at statement `fatal`; returns whether the start was complete by then. */
const startInterrupted = async (fatal: number): Promise<boolean> => {
  const db = openDatabase({ url, applicationName: 'interrupted', max: 4 });
  let statements = 0;
  let ended: Promise<void> | undefined;
  const stop = observeQueries(db, (query) => {
    // A query of the driver itself, at the start of a connection; no caller awaits it.
    if (query.startsWith('select b.oid')) return undefined;
    statements += 1;
    if (statements === fatal) ended = db.end({ timeout: 0 });
    return undefined;
  });
  try {
    await start(db);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^CONNECTION_/) });
    return false;
  } finally {
    stop();
    await (ended ?? db.end());
    // The server can still execute a COMMIT whose client is gone.
    await expect
      .poll(
        () =>
          sql`select pid from pg_stat_activity where application_name = 'interrupted' and datname = current_database()`,
      )
      .toEqual([]);
  }
};

const empty = { keys: 0, loads: 0, locations: 0, times: 0, flights: 0, records: 0, alerts: 0, sets: 0 };
const world = { keys: 1, loads: 1, locations: 73, times: 154, flights: 2330, records: 7416, alerts: 0, sets: 0 };
const whole = { ...world, alerts: 2, sets: 1 };

test(
  'a first start that is interrupted at any statement leaves no key without its demo world, and the next start continues',
  { timeout: 600_000 },
  async () => {
    const states: unknown[] = [];
    for (let [fatal, isComplete] = [1, false]; !isComplete; fatal += STRIDE) {
      isComplete = await startInterrupted(fatal);
      const state = await readState({ sql });
      if (JSON.stringify(state) === JSON.stringify(states.at(-1))) continue;
      states.push(state);
      fatal = 1 - STRIDE;
    }
    expect(states).toEqual([empty, world, { ...world, alerts: 2 }, whole]);
    expect(await start(sql)).toEqual([]);
  },
);

test('SIGTERM before the server listens stops it at once and rolls the transaction back', async () => {
  await clean.sql.begin(async (lock) => {
    await lockSchedules(lock);
    const server = startCommand(['serve', '--demo', '--port', '0'], {
      DATABASE_URL: clean.url,
      npm_lifecycle_event: 'flightdata',
    });
    await untilBlocked(clean.sql);
    // npm forwards a signal that the terminal has sent to both.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) server.kill(signal);
    const [err, [code]] = await Promise.all([text(server.stderr ?? Readable.from([])), once(server, 'close')]);
    expect([code, err]).toEqual([0, 'stopped before the server was listening\n']);
  });
  expect(await readState(clean)).toEqual(empty);
});

const warn = (reason: string, id: unknown): string =>
  `the public key demo-key is valid, but ${reason}: revoke it with 'flightdata keys revoke ${String(id)}'`;

test('warns about a demo key in a store without the demo world or with other data', async () => {
  const left = { name: 'demo', products: ['flight-info'], key: 'demo-key' };
  await insertKeyIfMissing(other.sql, left);
  const [key] = await other.sql`select id from subscription_key`;
  await other.sql`insert into load (kind, source, sha256, carriers, report) values ('ssim', 'a.ssim', '', '{}', '{}')`;
  expect(await start(other.sql)).toEqual([`warning: ${warn('the store has no demo world', key?.['id'])}`]);
  expect(await readState(other)).toEqual({ ...empty, keys: 1, loads: 1 });
  await other.sql`delete from load`;
  await other.sql`truncate subscription cascade`;
  expect(await start(other.sql)).toEqual([]);
  expect(await readState(other)).toEqual(whole);
  const [demoKey] = await other.sql`select id from subscription_key`;
  await other.sql`insert into load (kind, source, sha256, carriers, report) values ('mct', 'a.mct', '', '{}', '{}')`;
  const { out } = await callCommand(['doctor'], { DATABASE_URL: other.url });
  expect(out).toContain(
    `warn demo key     ${warn('the store contains data other than the demo world', demoKey?.['id'])}\n`,
  );
});
