import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../src/store/pool/database.ts';
import { insertEndpoint, findEndpoint } from '../../../src/store/deliveries/endpoints.ts';
import { prunePushLog } from '../../../src/store/deliveries/delivery-log.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { insertSampleAccount, type SampleAccount } from '../alerts/sample-accounts.ts';

let fresh: FreshDatabase;
let db: Database;
let account: SampleAccount;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.sql;
  account = await insertSampleAccount(db);
});
afterAll(() => fresh.drop());

const now = new Date('2027-03-01T12:00:00Z');
const settings = { url: 'https://hooks.zx.example/', description: '', header: undefined, active: true };

test('keeps attempts for 7 days and dead letters for 30, batch by batch; ended keys lose their text', async () => {
  const { id } = await db.begin((sql) =>
    insertEndpoint(sql, { accountId: account.id, settings, signing: 'v1', key: 'whsec_new', after: 0, now }),
  );
  await db`
    insert into push_attempt (endpoint_id, number, event_id, attempt, made_at, outcome, duration_ms, answer)
    select ${id}, n, gen_random_uuid(), 1, ${now}::timestamptz - interval '8 days' + n * interval '1 hour', 'delivered', 1, ''
    from generate_series(1, 48) n`;
  await db`
    insert into push_dead_letter (endpoint_id, number, last_number, event_id, attempts, reason, given_up_at)
    select ${id}, n, n, gen_random_uuid(), 17, 'exhausted', ${now}::timestamptz - interval '32 days' + n * interval '1 day'
    from generate_series(1, 10) n`;
  await db`
    insert into push_key (endpoint_id, key, made_at, ends_at) values
      (${id}, 'whsec_ended', ${now}, ${now}), (${id}, 'whsec_ending', ${now}, ${new Date(now.getTime() + 1)})`;
  expect(await prunePushLog(db, now, { batchSize: 5 })).toEqual({ attempts: 23, deadLetters: 1 });
  expect(await prunePushLog(db, now, { batchSize: 5 })).toEqual({ attempts: 0, deadLetters: 0 });
  const remaining = await db`
    select (select min(number)::int from push_attempt) as attempt, (select min(number)::int from push_dead_letter) as letter`;
  expect(remaining).toEqual([{ attempt: 24, letter: 2 }]);
  const endpoint = await findEndpoint(db, account);
  expect(endpoint).toBeUndefined();
  const stored = await findEndpoint(db, { id, subscriptionId: account.subscriptionId });
  expect(stored?.keys.map(({ key }) => key)).toEqual(['whsec_ending', '', 'whsec_new']);
});

test('several processes can run prunePush concurrently', async () => {
  const [row] = await db<{ id: string }[]>`select id from push_endpoint limit 1`;
  await db`
    insert into push_attempt (endpoint_id, number, event_id, attempt, made_at, outcome, duration_ms, answer)
    select ${row?.id ?? ''}, n, gen_random_uuid(), 1, '2027-01-01', 'delivered', 1, '' from generate_series(1, 500) n`;
  await db`delete from push_attempt where made_at > '2027-01-02'`;
  const pruned = await Promise.all([1, 2, 3].map(() => prunePushLog(db, now, { batchSize: 50 })));
  expect(pruned.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(500);
  expect(await db`select count(*)::int from push_attempt`).toEqual([{ count: 0 }]);
});
