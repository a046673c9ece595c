import { beforeEach, expect, test } from 'vitest';
import { createActiveAlertIndex } from '#jobs/events/active-alert-index.ts';
import { sampleAlert } from '#test/domain/alerts/sample-alert.ts';
import { statusEvent } from '#test/domain/alerts/sample-events.ts';
import { updateSampleAlert, deleteSampleAlert, insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { insertSampleAlert, type SampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { deleteAllEvents, noon } from '#test/store/events/sample-events.ts';
import { db, useDatabase } from '../job-database.ts';

let account: SampleAccount;
useDatabase({ reset: deleteAllEvents });
beforeEach(async () => {
  account = await insertSampleAccount(db);
});

const MANY = 10_001;

test('reads all active alerts in any number of batches', async () => {
  await db`
    insert into alert (account_id, active, doc, created_at, updated_at)
    select ${account.id}, n % 10 <> 0, ${JSON.stringify(sampleAlert)}, ${noon}, ${noon} from generate_series(1, ${MANY}) n`;
  const alerts = createActiveAlertIndex(db);
  expect(await alerts.update(db)).toBe(false);
  await alerts.load();
  const matches = alerts.match(statusEvent);
  expect([matches.length, new Set(matches.map(({ id }) => id)).size]).toEqual([MANY - 1000, MANY - 1000]);
});

test('applies created, changed, paused and deleted alerts; too many changes require a reload', async () => {
  const alerts = createActiveAlertIndex(db, 3);
  await alerts.load();
  const matching = async (): Promise<unknown> => {
    const isFollowed = await alerts.update(db);
    return [isFollowed, ...alerts.match(statusEvent).map(({ id }) => id)];
  };
  const id = await insertSampleAlert(db, account);
  expect(await matching()).toEqual([true, id]);
  await updateSampleAlert(db, { account, id }, { active: false });
  expect(await matching()).toEqual([true]);
  await updateSampleAlert(db, { account, id }, { active: true });
  await deleteSampleAlert(db, id);
  const other = await insertSampleAlert(db, account);
  expect(await matching()).toEqual([true, other]);
  for (const name of ['a', 'b', 'c', 'd']) await updateSampleAlert(db, { account, id: other }, { name });
  expect(await matching()).toEqual([false, other]);
  await alerts.load();
  expect(await matching()).toEqual([true, other]);
});
