import { expect, test } from 'vitest';
import { startPageChangePruning } from '../../../src/jobs/retention/prune-page-changes.ts';
import { fail, fresh, useDatabase } from '../job-database.ts';

useDatabase();

const changes = async (): Promise<number> => (await fresh.sql`select from page_change`).length;

test('prunes page changes that no process has read', { timeout: 120_000 }, async () => {
  await fresh.sql`insert into page_change (day) values ('2026-06-01')`;
  const failed: unknown[] = [];
  const stop = await startPageChangePruning(fresh.sql, { retentionMs: 20, onError: (error) => failed.push(error) });
  // Concurrent transactions, in any database of the server, delay the pruning.
  await expect.poll(changes, { timeout: 110_000 }).toBe(0);
  await stop();
  expect(failed).toEqual([]);
});

test('keeps changes that were committed since the last run', async () => {
  const stop = await startPageChangePruning(fresh.sql, { onError: fail });
  await fresh.sql`insert into page_change (day) values ('2026-06-01')`;
  await stop();
  expect(await changes()).toBe(1);
});
