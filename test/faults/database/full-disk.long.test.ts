import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getErrorCode } from '#lib/error-code.ts';
import { isUnavailable } from '#store/pool/driver/driver.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { reportFault } from '../support/report-fault.ts';
import { message, ingest } from '#test/jobs/status/messages.ts';
import { sendRequest, startSteadyLoad } from '../support/steady-load.ts';
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
  postgres = await startPrivatePostgres({ folder });
  world = await serveWorld(postgres.url, { LIMIT_PER_MINUTE: '60000' });
});
afterAll(async () => {
  await world?.close();
  await postgres?.remove();
  if (hasDisk) spawnSync('umount', ['-l', folder]);
  await rm(folder, { recursive: true, force: true });
});

/** Formats a line for the feed command: gates of XX 101, one per second. */
const formatLine = (index: number): string =>
  JSON.stringify({
    messageId: `line ${index}`,
    observedAt: new Date(Date.UTC(2026, 5, 1, 7) + index * 1000).toISOString(),
    flight: { carrier: 'XX', flightNumber: 101, originDate: '2026-06-01', departureAirport: 'LHR' },
    departure: { gate: `F${index % 100}` },
  });

test(
  '8: loses no acknowledged message on a full disk and recovers when there is space',
  { timeout: 600_000 },
  async (context) => {
    if (!world || !postgres) return context.skip('mounting a file system requires root');
    const { db, server } = world;
    const acknowledged: string[] = [];
    const rejections: unknown[] = [];
    const store = async (number: number): Promise<void> => {
      const id = `message ${number}`;
      const at = new Date(Date.UTC(2026, 5, 1, 6) + number * 1000).toISOString();
      try {
        await ingest(db, [message({ id, at, facts: { departureGate: `G${number % 100}` } })]);
        acknowledged.push(id);
      } catch (error) {
        rejections.push(error);
      }
    };
    await store(1);
    const { base } = server;
    const keys: string[] = [];
    for (let number = 0; number < 400; number += 1)
      keys.push((await createKey(db, { name: `reader ${number}`, products: ['flight-info'] })).key);
    const paths = Object.values(sampleRequests);
    const known = new Map<string, string>();
    for (const path of paths) known.set(path, (await sendRequest({ base, path, headers })).body);
    const load = startSteadyLoad({
      base,
      paths,
      headers,
      keepAliveConnections: 2,
      pauseMs: 50,
      keepsBodies: true,
    });
    // The clock is a day ahead, so that no line is in the future at any time of day.
    const feed = startResendingFeed({ DATABASE_URL: postgres.url, FLIGHTDATA_TODAY: '2026-06-02' }, formatLine);
    context.onTestFinished(async () => {
      await Promise.all([load.stop(), feed.stop()]);
    });
    await expect.poll(feed.acknowledged).toBeGreaterThan(10);
    await mkdir(join(folder, 'other'));
    /** Fills the disk except for these bytes; the database can take them meanwhile. */
    const fill = async (name: string, free: number): Promise<void> => {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(join(folder, 'other', name), Buffer.alloc(Math.max(0, bavail * bsize - free))).catch(
        (error: unknown) => {
          if (getErrorCode(error) !== 'ENOSPC') throw error;
        },
      );
    };
    await fill('first', 512 * 1024);
    for (let number = 2; number < 3000 && rejections.length < 5; number += 1) await store(number);
    await expect.poll(feed.failures).toBeGreaterThan(0);
    // The disk is full from here until the filler is removed.
    const fullSince = load.results.length;
    await load.waitForMore(20);
    const full = load.results.slice(fullSince);
    const read = await sendRequest({ base, path: sampleRequests.flightInfo, headers });
    await fill('rest', 0);
    // Their first requests need new rows in the table of limits.
    const firstStatuses = [];
    for (const key of keys)
      firstStatuses.push(
        (await sendRequest({ base, path: sampleRequests.flightInfo, headers: { 'Subscription-Key': key } })).status,
      );
    await rm(join(folder, 'other'), { recursive: true });
    await expect
      .poll(async () => {
        await store(5000);
        return acknowledged.includes('message 5000');
      })
      .toBe(true);
    const acknowledgedBefore = feed.acknowledged();
    await expect.poll(feed.acknowledged).toBeGreaterThan(acknowledgedBefore + 10);
    await feed.stop();
    const responses = await load.stop();
    acknowledged.push(...Array.from({ length: feed.acknowledged() }, (_, index) => `line ${index}`));
    const rows = await db<{ id: string }[]>`select id from status_message`;
    const stored = new Set(rows.map(({ id }) => id));
    const afterwards = await sendRequest({ base, path: sampleRequests.flightInfo, headers });
    const successful = responses.filter(({ status }) => status === 200);
    const countStatus = (of: typeof responses, status: number): number =>
      of.filter((one) => one.status === status).length;
    const errors = {
      lost: acknowledged.filter((id) => !stored.has(id)).length,
      'rejected without a known reason': rejections.filter((error) => !isUnavailable(error)).length,
      other: responses.length - successful.length - countStatus(responses, 503),
      wrong: successful.filter(({ path, body }) => body !== known.get(path)).length,
    };
    const fed = { 'of the feed command': feed.acknowledged(), 'restarts of it': feed.failures() };
    const served = {
      responses: responses.length,
      '200 while full': countStatus(full, 200),
      'read while full': read.status,
      'first reads of 400 subscriptions': firstStatuses.filter((status) => status === 200).length,
    };
    reportFault(8, { acknowledged: acknowledged.length, ...fed, rejected: rejections.length, ...served, ...errors });
    expect(errors).toEqual({ lost: 0, 'rejected without a known reason': 0, other: 0, wrong: 0 });
    expect(afterwards.status).toBe(200);
    expect(rejections.length).toBeGreaterThan(0);
    expect(served['200 while full']).toBeGreaterThan(0);
    expect([read.status, firstStatuses]).toEqual([200, keys.map(() => 200)]);
  },
);
