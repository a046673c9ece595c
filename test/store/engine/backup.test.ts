import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { openEmbedded } from '#store/engine/embedded.ts';
import { migrate } from '#store/schema/migrate.ts';
import { dumpSchema } from '#store/schema/schema-dump.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { emptyDatabase, sharedDatabase } from '#test/support/database.ts';
import { createScratchFolder } from '#test/support/scratch-folder.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { flight, message, plan, planned, ingest } from '#test/jobs/status/messages.ts';
import { insertSampleAccount } from '../alerts/sample-accounts.ts';
import { sequence } from '../events/sample-events.ts';

const run = promisify(execFile);

/** The newest `pg_dump` there is, with its folder and its major version. */
const newestTools = async (): Promise<{ folder: string; major: number } | undefined> => {
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env['PATH'] ?? '').split(':')];
  const candidates = await Promise.all(
    folders.map(async (folder) => {
      const { stdout } = await run(join(folder, 'pg_dump'), ['--version']).catch(() => ({ stdout: '' }));
      return { folder, major: Number(/(\d+)/.exec(stdout)?.[1] ?? 0) };
    }),
  );
  return candidates.filter(({ major }) => major > 0).toSorted((a, b) => b.major - a.major)[0];
};

const tools = await newestTools();
const fresh = await sharedDatabase();
const [server] = await fresh.sql<
  { major: number }[]
>`select current_setting('server_version_num')::int / 10000 as major`;
const canDump = (tools?.major ?? 0) >= (server?.major ?? 0);
if (!canDump) console.warn('no pg_dump of the version of the test server is here: backups with it are not tested');

const fill = async (db: Database): Promise<void> => {
  await saveTinyMasterData(db);
  await insertSampleAccount(db);
  await publishText(db, schedule, { today: localDate('2026-06-01') });
  await ingest(db, [
    message({ id: 'a', facts: { departureGate: 'A1' } }),
    message({ id: 'b', flight: planned, plan: plan() }),
    message({ id: 'c', flight: flight({ flightNumber: 999 }) }),
  ]);
  await sequence(db, { now: new Date('2026-06-01T12:00:00Z') });
};

const contentOf = async (db: Database): Promise<readonly unknown[]> => {
  const tables = await db<{ name: string }[]>`
    select c.relname as name from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`;
  return Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await db`
        select count(*)::int as rows, md5(string_agg(t::text, '|' order by t::text)) as digest from ${db(name)} t`;
      return [name, row];
    }),
  );
};

await fill(fresh.sql);

const work = await createScratchFolder();
afterAll(() => rm(work, { recursive: true }));

test.skipIf(!canDump)(
  'a backup by pg_dump, restored in another database, is the same store and continues',
  async () => {
    const other = await emptyDatabase();
    onTestFinished(other.drop);
    const [file, folder] = [join(work, 'flightdata.dump'), tools?.folder ?? ''];
    await run(join(folder, 'pg_dump'), ['--format=custom', `--file=${file}`, fresh.url]);
    await run(join(folder, 'pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${other.url}`, file]);
    expect(await contentOf(other.sql)).toEqual(await contentOf(fresh.sql));
    expect(await dumpSchema(other.sql)).toEqual(await dumpSchema(fresh.sql));
    expect(await migrate(other.sql)).toEqual([]);
    // Numbers continue, so no flight or event gets a number that exists already.
    await publishText(other.sql, schedule, { today: localDate('2026-06-02') });
    await ingest(other.sql, [message({ id: 'd', facts: { departureGate: 'A2' } })]);
    const [end] = await other.sql<{ last: bigint }[]>`select last_pos as last from event_log_end`;
    const moved = await sequence(other.sql, { now: new Date('2026-06-02T12:00:00Z') });
    expect(moved).toEqual({ kind: 'sequenced', events: 2, last: Number(end?.last) + 2 });
  },
);

test('a copy of the folder of a stopped embedded store is the same store', async () => {
  const open = (dataDir: string) => openEmbedded({ dataDir, applicationName: 'tests', log: () => {} });
  const first = await open(join(work, 'store'));
  await migrate(first.sql);
  await fill(first.sql);
  const content = await contentOf(first.sql);
  await first.close();
  // By the manual: the files keep their owner.
  await run('cp', ['-a', join(work, 'store'), join(work, 'copy')]);
  const copy = await open(join(work, 'copy'));
  expect(await contentOf(copy.sql)).toEqual(content);
  await copy.close();
});
