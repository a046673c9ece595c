import { expect, test } from 'vitest';
import { CONNECTION_SET_FORMAT } from '#domain/connections/set/connection-set-data.ts';
import { listNewestSnapshots } from '#store/connections/connection-snapshots.ts';
import { startConnectionsTask } from '#jobs/connections/connections-task.ts';
import { buildFile } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { buildFlownLeg } from './flown-leg.ts';
import { fresh, stops, useDatabase } from '../job-database.ts';

let errors: unknown[];
useDatabase({
  prepare: async (sql) => {
    await saveTinyMasterData(sql);
    const legs = ['101 LHR 1100 JFK 1400', '102 JFK 1600 LAX 1900'].map((text) => buildFlownLeg(text));
    await publishText(sql, buildFile(...legs), { horizonDays: 1 });
  },
  reset: async (sql) => {
    errors = [];
    await sql`truncate connection_snapshot cascade`;
  },
});

const noon = new Date('2026-06-02T12:00:00Z');

const start = async (worker?: string): Promise<() => Promise<void>> => {
  const stop = await startConnectionsTask({
    db: fresh.sql,
    url: fresh.url,
    clock: () => noon,
    onError: (error) => errors.push(error),
    worker: worker === undefined ? undefined : new URL(`data:text/javascript,${encodeURIComponent(worker)}`),
  });
  stops.push(stop);
  return stop;
};
const sets = async () => (await listNewestSnapshots(fresh.sql, CONNECTION_SET_FORMAT)).map(({ builtAt }) => builtAt);

test('servers of one database build one missing set together', { timeout: 240_000 }, async () => {
  await start();
  await start();
  await expect.poll(sets, { timeout: 60_000 }).toEqual([noon]);
  const [report] = await fresh.sql<{ built: number }[]>`
    select (report ->> 'built')::int as built from connection_snapshot`;
  expect([report, errors]).toEqual([{ built: 1 }, []]);
});

test('reports a thread that dies, and the server keeps running', async () => {
  await start('throw new RangeError("out of luck")');
  await expect.poll(() => errors.map(String)).toEqual(['RangeError: out of luck']);
  await start('process.exit(7)');
  await expect
    .poll(() => errors.map(String))
    .toEqual(['RangeError: out of luck', 'Error: the thread that builds connections ended with exit code 7']);
  expect(await sets()).toEqual([]);
});

test('a server that stops terminates the build without reporting an error', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const channel = new BroadcastChannel('building');
  channel.addEventListener('message', () => resolve());
  const stop = await start('new BroadcastChannel("building").postMessage(""); setInterval(() => {}, 1000);');
  await promise;
  channel.close();
  await stop();
  expect([errors, await sets()]).toEqual([[], []]);
});
