import { hash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#store/pool/database.ts';
import { runCommand, startCommand } from '#test/cli/run-command.ts';
import { buildCarrier, buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { cloneDatabase, freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { saveTinyMasterData } from '#test/support/tiny-world.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { reportFault } from '../support/report-fault.ts';
import { createDraw } from '../support/random-draw.ts';

const KILLS = Number(process.env['SSIM_KILLS'] ?? 2);
const SEED = Number(process.env['SSIM_SEED'] ?? randomInt(2 ** 31));
const FLIGHTS = 60;

let first: FreshDatabase;
const clones = new Set<FreshDatabase>();
const { folder, write } = createTemporaryFolder();
beforeAll(async () => {
  first = await freshDatabase();
  await saveTinyMasterData(first.sql);
  // Every other flight leaves an hour later in the second file, and some are new: all tables change.
  write('one.ssim', buildSeason(0));
  write('two.ssim', buildSeason(1));
  const { code, err } = await load(first, 'one.ssim');
  if (code !== 0) throw new Error(`the first file was not loaded: ${err}`);
  // A database that is cloned must have no connections.
  await first.sql.end();
});
afterAll(async () => {
  for (const clone of clones) await clone.drop();
  await first?.drop();
});

const later: Readonly<Record<number, string>> = { 40: '1200', 44: '1200' };

const buildSeason = (variant: number): string => {
  const legs = Array.from({ length: FLIGHTS + 10 * variant }, (_, index) =>
    buildLeg({ 6: String(1000 + index), ...(variant > 0 && index % 2 === 0 ? later : {}) }),
  );
  return buildFile(buildCarrier(), ...legs);
};

const buildEnvironment = ({ url }: Pick<FreshDatabase, 'url'>) => ({
  DATABASE_URL: url,
  FLIGHTDATA_TODAY: '2026-06-01',
  HORIZON_DAYS: '30',
});

const load = ({ url }: FreshDatabase, file: string) =>
  runCommand(['import', 'ssim', join(folder, file)], buildEnvironment({ url }));

const cloneFirst = async (): Promise<FreshDatabase> => {
  const clone = await cloneDatabase(new URL(first.url).pathname.slice(1));
  clones.add(clone);
  return clone;
};

/** Computes a digest of what a load determines; generated numbers and times are excluded. */
const computeDigest = async (sql: Database): Promise<string> => {
  const [instances, records, events] = [
    await sql`
      select departs_at::text as departs, arrives_at::text as arrives, flight_number, doc
      from flight_instance order by departs_at, flight_number`,
    await sql`select doc from schedule_document order by doc collate "C"`,
    await sql`
      select encode(flight_key, 'hex') as key, version, kind, facts, o.seq is not null as waits,
        regexp_replace(body, '"updatedAt":"[^"]*"', '') as body
      from flight_event e left join event_outbox o on o.seq = e.seq order by flight_key, version`,
  ];
  return hash('sha256', JSON.stringify([[...instances], [...records], [...events]]));
};

/** Starts a reader that counts inconsistent reads: a day has either all flights of the first file or all of the second. */
const startReader = (sql: Database) => {
  let [partialReads, isOver] = [0, false];
  const read = async (): Promise<number> => {
    while (!isOver) {
      const [row] = await sql<{ flights: bigint; later: bigint }[]>`
        select count(*) as flights, count(*) filter (where to_char(departs_at, 'HH24') = '12') as later
        from flight_instance where departs_at >= '2026-06-20' and departs_at < '2026-06-21'`;
      if (!['60 0', '70 35'].includes(`${row?.flights} ${row?.later}`)) partialReads += 1;
      await delay(20);
    }
    return partialReads;
  };
  const reading = read();
  return (): Promise<number> => {
    isOver = true;
    return reading;
  };
};

/** Starts loading the second file and kills the process after a delay; returns false when it had already exited. */
const killAfter = async (store: FreshDatabase, ms: number): Promise<boolean> => {
  const child = startCommand(['import', 'ssim', join(folder, 'two.ssim')], buildEnvironment(store));
  const ended = once(child, 'close');
  await delay(ms);
  const wasKilled = child.kill('SIGKILL');
  await ended;
  // The server may still finish the last statement of the killed process.
  const listConnections = () =>
    store.sql`select from pg_stat_activity where datname = current_database() and application_name = 'flightdata import ssim'`;
  await expect.poll(listConnections).toHaveLength(0);
  return wasKilled;
};

test(
  '1: a killed schedule import has no effect or is complete, and a second import completes it',
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    const uninterrupted = await cloneFirst();
    const before = await computeDigest(uninterrupted.sql);
    const startedAt = performance.now();
    expect((await load(uninterrupted, 'two.ssim')).code).toBe(0);
    const durationMs = performance.now() - startedAt;
    const after = await computeDigest(uninterrupted.sql);

    let killed = await cloneFirst();
    const draw = createDraw(SEED);
    const outcomes = { kills: 0, 'before the commit': 0, 'after it': 0, 'not killed in time': 0, partial: 0 };
    let partialReads = 0;
    for (let round = 0; outcomes.kills < KILLS && round < 3 * KILLS; round += 1) {
      const stopReading = startReader(killed.sql);
      // Once in each of KILLS equal parts of the time from the start of the process to shortly after its end.
      const fraction = 0.2 + (1.0 * ((round % KILLS) + draw(1000) / 1000)) / KILLS;
      const wasKilled = await killAfter(killed, Math.round(durationMs * fraction));
      partialReads += await stopReading();
      outcomes[wasKilled ? 'kills' : 'not killed in time'] += 1;
      const current = await computeDigest(killed.sql);
      if (current === before) {
        outcomes['before the commit'] += 1;
        continue;
      }
      if (current !== after) outcomes.partial += 1;
      else if (wasKilled) outcomes['after it'] += 1;
      if (outcomes.kills === KILLS) continue;
      // The load was complete: continue with a new clone.
      clones.delete(killed);
      await killed.drop();
      killed = await cloneFirst();
    }
    const { code } = await load(killed, 'two.ssim');
    const final = await computeDigest(killed.sql);
    reportFault(1, { seed: SEED, ...outcomes, 'partial reads': partialReads, 'final state equal': final === after });
    expect([outcomes.kills, outcomes.partial, partialReads, final === after, code]).toEqual([KILLS, 0, 0, true, 0]);
    expect(outcomes['before the commit']).toBeGreaterThan(0);
  },
);
