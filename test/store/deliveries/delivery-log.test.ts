import { expect, test } from 'vitest';
import { plainSecretBox } from '#lib/secret-box.ts';
import { insertEndpoint, findEndpoint } from '#store/deliveries/endpoints.ts';
import { prunePushLog } from '#store/deliveries/delivery-log.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { insertSampleAccount } from '../alerts/sample-accounts.ts';

const { sql: db } = await sharedDatabase();
const account = await insertSampleAccount(db);
const now = new Date('2027-03-01T12:00:00Z');
const settings = {
  url: 'https://hooks.zx.example/',
  description: '',
  header: undefined,
  ordering: 'none' as const,
  active: true,
};

test('keeps attempts for 7 days and dead letters for 30, batch by batch; ended keys lose their text', async () => {
  const { id } = await db.begin((sql) =>
    insertEndpoint(sql, {
      accountId: account.id,
      settings,
      signing: 'v1',
      key: 'whsec_new',
      after: 0,
      now,
      secrets: plainSecretBox,
    }),
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
  const stored = await findEndpoint(db, { id, subscriptionId: account.subscriptionId }, plainSecretBox);
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

const ROWS = 30_000;

/** Writes the next events into the log and prunes the earlier ones, so that their space is reused. */
const turnOver = `
  delete from event_log;
  vacuum event_log;
  insert into event_log (pos, seq, sequenced_at)
  select n, n, now() from (select coalesce(max(pos), 0) as last from ends) e, generate_series(e.last + 1, e.last + ${ROWS}) n;
  insert into ends select max(pos) from event_log`;

test('finds an event by index without reading the log, also after pruning and growth', async () => {
  await db`create table ends (pos bigint)`;
  for (let n = 0; n < 3; n += 1) for (const step of turnOver.split(';')) await db.unsafe(step);
  await db`analyze event_log`;
  const [row] = await db<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }[]>`
    explain (analyze, buffers, format json) select pos from event_log where seq = ${2 * ROWS + 10}`;
  const { 'Actual Rows': rows, ...plan } = row?.['QUERY PLAN'][0]?.Plan ?? {};
  expect(rows).toBe(1);
  expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(10);
});
