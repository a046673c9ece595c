import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { SchedulePage } from '../../../generated/schedules/v1/types.gen.ts';
import { lockSchedules } from '../../../src/store/schedules/schedules.ts';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { freshDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { waitForOutput, startCommand } from '../run-command.ts';

test(
  'a server on a store without schedule records does not listen until they are written',
  { timeout: 240_000 },
  async () => {
    const { sql: db, url, drop } = await freshDatabase();
    try {
      await saveTinyMasterData(db);
      await insertKeyIfMissing(db, { name: 'tests', products: ['schedules'], key: TEST_KEY });
      await publishText(db, buildFile(buildLeg()), { horizonDays: 1 });
      await db`truncate schedule_record, schedule_document`;
      const env = { DATABASE_URL: url, PORT: '0', FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '1' };

      let output = '';
      // No record can be written while the schedules are locked.
      const server = await db.begin(async (sql) => {
        await lockSchedules(sql);
        const started = startCommand(['serve'], env);
        started.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
        await waitForOutput(started, /writing the schedule records/);
        return started;
      });
      expect(output).not.toContain('listening');
      const [, base = ''] = await waitForOutput(server, /listening on (http:\/\/127\.0\.0\.1:\d+)/);
      const response = await fetch(`${base}/flights`, { headers: { 'Subscription-Key': TEST_KEY } });
      const { paging }: SchedulePage = await response.json();
      expect([response.status, paging.totalCount]).toEqual([200, 1]);
      server.kill('SIGTERM');
      await once(server, 'close');
    } finally {
      await drop();
    }
  },
);
