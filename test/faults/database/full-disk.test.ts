import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isUnavailable } from '../../../src/store/pool/driver/driver.ts';
import { reportFault } from '../support/report-fault.ts';
import { message, ingest } from '../../jobs/status/messages.ts';
import { startLoad, sendRequest } from './request-load.ts';
import { startPrivatePostgres, type PrivatePostgres } from './private-postgres.ts';
import { startResendingFeed } from './resending-feed.ts';
import { headers, sampleRequests, serveWorld, type ServedWorld } from './served-world.ts';

const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0;

let folder: string;
let hasDisk = false;
let postgres: PrivatePostgres | undefined;
let world: ServedWorld | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdata-disk-'));
  hasDisk = mount('-t', 'tmpfs', '-o', 'size=200m,mode=0755', 'flightdata', folder);
  if (!hasDisk) return;
  postgres = await startPrivatePostgres({ folder: folder });
  world = await serveWorld(postgres.url);
});
afterAll(async () => {
  await world?.close();
  await postgres?.remove();
  if (hasDisk) spawnSync('umount', ['-l', folder]);
  await rm(folder, { recursive: true, force: true });
});

/** What the feed command is sent: gates of XX 101, one a second. */
const formatLine = (index: number): string =>
  JSON.stringify({
    messageId: `line ${index}`,
    observedAt: new Date(Date.UTC(2026, 5, 1, 7) + index * 1000).toISOString(),
    flight: { carrier: 'XX', flightNumber: 101, originDate: '2026-06-01', departureAirport: 'LHR' },
    departure: { gate: `F${index % 100}` },
  });

test(
  '8: a full disk loses nothing that was acknowledged, and all goes on once there is room',
  { timeout: 600_000 },
  async (context) => {
    if (!world || !postgres) return context.skip('no file system can be mounted here: this takes root');
    const { db, server } = world;
    const acknowledged: string[] = [];
    const refusals: unknown[] = [];
    const put = async (number: number): Promise<void> => {
      const id = `message ${number}`;
      const at = new Date(Date.UTC(2026, 5, 1, 6) + number * 1000).toISOString();
      try {
        await ingest(db, [message({ id, at, facts: { departureGate: `G${number % 100}` } })]);
        acknowledged.push(id);
      } catch (error) {
        refusals.push(error);
      }
    };
    await put(1);
    const { base } = server;
    const paths = Object.values(sampleRequests);
    const known = new Map<string, string>();
    for (const path of paths) known.set(path, (await sendRequest({ base, path, headers })).body);
    const load = startLoad({ base, paths, headers, callers: 2, pauseMs: 50 });
    // On the day after, so that at no time of the day the lines are of an hour that is yet to come.
    const feed = startResendingFeed({ DATABASE_URL: postgres.url, FLIGHTDATA_TODAY: '2026-06-02' }, formatLine);
    context.onTestFinished(async () => {
      await Promise.all([load.stop(), feed.stop()]);
    });
    await expect.poll(feed.taken).toBeGreaterThan(10);
    // Something else takes all the room there is, but for a little.
    const { bavail, bsize } = await statfs(folder);
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'other', 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - 512 * 1024)));
    for (let number = 2; number < 3000 && refusals.length < 5; number += 1) await put(number);
    await expect.poll(feed.failures).toBeGreaterThan(0);
    // From here on there has been no room for some time, and will not be before the filler is gone.
    const fullSince = load.count();
    await expect.poll(() => load.count() - fullSince).toBeGreaterThan(20);
    const whileFull = load.count();
    const read = await sendRequest({ base, path: sampleRequests.flightInfo, headers });
    await rm(join(folder, 'other'), { recursive: true });
    await expect
      .poll(async () => {
        await put(5000);
        return acknowledged.includes('message 5000');
      })
      .toBe(true);
    const takenWhileFull = feed.taken();
    await expect.poll(feed.taken).toBeGreaterThan(takenWhileFull + 10);
    await feed.stop();
    const answers = await load.stop();
    acknowledged.push(...Array.from({ length: feed.taken() }, (_, index) => `line ${index}`));
    const rows = await db<{ id: string }[]>`select id from status_message`;
    const kept = new Set(rows.map(({ id }) => id));
    const again = await sendRequest({ base, path: sampleRequests.flightInfo, headers });
    const full = answers.slice(fullSince, whileFull);
    const good = answers.filter(({ status }) => status === 200);
    const figure = {
      acknowledged: acknowledged.length,
      'of it lines of the feed command': feed.taken(),
      'times that ended and was started again': feed.failures(),
      lost: acknowledged.filter((id) => !kept.has(id)).length,
      refused: refusals.length,
      'refused without a known reason': refusals.filter((error) => !isUnavailable(error)).length,
      'answers under load': answers.length,
      'answered well while it is full': full.filter(({ status }) => status === 200).length,
      'refused with 503': answers.filter(({ status }) => status === 503).length,
      other: answers.filter(({ status }) => status !== 200 && status !== 503).length,
      wrong: good.filter(({ path, body }) => body !== known.get(path)).length,
      'a read while it is full': read.status,
      'a read afterwards': again.status,
    };
    reportFault({
      fault: 8,
      figure,
      bound:
        'lost 0, every refusal says that the database cannot do it now, answers 200 or 503, none wrong, some good ones while it is full, the feed command goes on, recovers',
    });
    expect(figure).toMatchObject({
      lost: 0,
      'refused without a known reason': 0,
      other: 0,
      wrong: 0,
      'a read afterwards': 200,
    });
    expect(refusals.length).toBeGreaterThan(0);
    expect(figure['answered well while it is full']).toBeGreaterThan(0);
    expect([200, 503]).toContain(read.status);
  },
);
