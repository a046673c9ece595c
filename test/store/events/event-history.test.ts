import { expect, test } from 'vitest';
import { checkHistory, LOST_POSITIONS, readHistory } from '#store/events/event-history.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql } = await sharedDatabase();
const { history } = await readHistory(sql);
const [{ subscription } = { subscription: 0 }] = await sql<{ subscription: number }[]>`
  insert into subscription (name) values ('history') returning id as subscription`;
/** An account with seven events, and one without. */
const streams = (
  await sql<{ stream: number }[]>`
    insert into alert_account (subscription_id, profile, created_at)
    select ${subscription}::int, '{}', now() from generate_series(1, 2) returning stream`
).map(({ stream }) => stream);

type Known = { readonly history: string | null; readonly isSynchronous: boolean };

/** Checks the history of a database whose fan-out is at 100; returns the loss, and the positions of both accounts. */
const check = async (known: Known, lastKnown: number) => {
  await sql`delete from account_stream`;
  await sql`insert into account_stream (stream, last_number) values (${streams[0] ?? 0}, 7)`;
  await sql`
    update event_distribution set history = ${known.history}, is_synchronous = ${known.isSynchronous}, last_pos = 100`;
  const lost = await sql.begin((transaction) => checkHistory(transaction, lastKnown));
  const rows = await sql<{ last: bigint }[]>`select last_number as last from account_stream order by stream`;
  const [row] = await sql<Known[]>`select history, is_synchronous as "isSynchronous" from event_distribution`;
  expect(row).toEqual({ history, isSynchronous: false });
  return { lost, positions: rows.map(({ last }) => Number(last)) };
};

const skipped = [LOST_POSITIONS + 7, LOST_POSITIONS];

test.each<[string, Known, number, Awaited<ReturnType<typeof check>>]>([
  ['the first check', { history: null, isSynchronous: false }, 0, { lost: undefined, positions: [7] }],
  ['the same timeline', { history, isSynchronous: false }, 100, { lost: undefined, positions: [7] }],
  [
    'another timeline after synchronous commits',
    { history: '1/1', isSynchronous: true },
    100,
    { lost: undefined, positions: [7] },
  ],
  [
    'another timeline',
    { history: '1/1', isSynchronous: false },
    0,
    { lost: { from: '1/1', to: history }, positions: skipped },
  ],
  [
    'another timeline without events that this process fanned out',
    { history: '1/1', isSynchronous: true },
    101,
    { lost: { from: '1/1', to: history }, positions: skipped },
  ],
  [
    'the same timeline after a crash that lost commits',
    { history, isSynchronous: false },
    101,
    { lost: { from: history, to: history }, positions: skipped },
  ],
])('%s: positions are skipped where they may have been given out', async (_, known, lastKnown, expected) => {
  expect(await check(known, lastKnown)).toEqual(expected);
});
