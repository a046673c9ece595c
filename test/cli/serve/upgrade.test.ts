import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { SchedulePage } from '#generated/schedules/v1/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { lockSchedules } from '#store/schedules/schedules.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '#test/support/tiny-world.ts';
import { waitForOutput, startCommand } from '../run-command.ts';

const { sql: db, url } = await sharedDatabase();

test('a server on a store without schedule records writes them before it listens, and uses the date of --today', async () => {
  await saveTinyMasterData(db);
  await insertKeyIfMissing(db, { name: 'tests', products: ['schedules'], key: TEST_KEY });
  await publishText(db, buildFile(buildLeg()), { today: localDate('2024-06-01'), horizonDays: 1 });
  await db`truncate schedule_record, schedule_document`;
  const env = { DATABASE_URL: url, PORT: '0', FLIGHTDATA_TODAY: '2025-04-14', HORIZON_DAYS: '1' };
  let [output, errors] = ['', ''];
  // No record can be written while the schedules are locked.
  const server = await db.begin(async (sql) => {
    await lockSchedules(sql);
    const started = startCommand(['serve', '--today', '2024-06-01'], env);
    onTestFinished(() => void started.kill('SIGKILL'));
    started.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
    started.stderr?.on('data', (piece: Buffer) => (errors += piece.toString()));
    await waitForOutput(started, /creating the records/);
    return started;
  });
  expect(output).not.toContain('listening');
  const [, base = ''] = await waitForOutput(server, /listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const response = await fetch(`${base}/flights`, { headers: { 'Subscription-Key': TEST_KEY } });
  const { paging }: SchedulePage = await response.json();
  expect([response.status, paging.totalCount]).toEqual([200, 1]);

  expect(errors).toContain('warning: clock override: today is 2024-06-01.');
  expect(output).toContain('Flight Info v1, v2\n');
  const health = await fetch(`${base}/flights/health?version=1.0`);
  const shown = ['api-version', 'deprecation', 'sunset'].map((name) => health.headers.get(name));
  expect([health.status, ...shown]).toEqual([200, 'v1', 'true', 'Mon, 14 Apr 2025 00:00:00 GMT']);
  server.kill('SIGTERM');
  expect(await once(server, 'close')).toEqual([0, null]);
});
