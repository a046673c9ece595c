import { expect, test } from 'vitest';
import { streamAlerts } from '#store/alerts/alerts.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { insertSampleAccount, insertSampleAlert } from './sample-accounts.ts';

const { sql: db } = await sharedDatabase();

test('an account with more alerts than the batch size is read completely, in order', async () => {
  const account = await insertSampleAccount(db);
  await insertSampleAlert(db, account, { name: 'Nul \u0000' });
  await db`
    insert into alert (account_id, active, doc, created_at, updated_at)
    select ${account.id}, true, jsonb_build_object('name', n::text)::text, now(), now() from generate_series(1, 1234) n`;
  const names: string[] = [];
  await db.begin(async (sql) => {
    for await (const alerts of streamAlerts(sql, account.id)) names.push(...alerts.map(({ name }) => name));
  });
  expect(names).toEqual(['Nul \u0000', ...Array.from({ length: 1234 }, (_, index) => String(index + 1))]);
});
