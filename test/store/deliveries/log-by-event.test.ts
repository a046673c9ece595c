import { expect, test } from 'vitest';
import { freshDatabase } from '../../support/database.ts';

const ROWS = 30_000;

/** Writes the next events into the log and prunes the earlier ones, so that their space is reused. */
const turnOver = `
  delete from event_log;
  vacuum event_log;
  insert into event_log (pos, seq, sequenced_at)
  select n, n, now() from (select coalesce(max(pos), 0) as last from ends) e, generate_series(e.last + 1, e.last + ${ROWS}) n;
  insert into ends select max(pos) from event_log`;

test('finds an event by index without reading the log, also after pruning and growth', async () => {
  const { sql, drop } = await freshDatabase();
  try {
    await sql`create table ends (pos bigint)`;
    for (let n = 0; n < 3; n += 1) for (const step of turnOver.split(';')) await sql.unsafe(step);
    await sql`analyze event_log`;
    const [row] = await sql<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }[]>`
      explain (analyze, buffers, format json) select pos from event_log where seq = ${2 * ROWS + 10}`;
    const { 'Actual Rows': rows, ...plan } = row?.['QUERY PLAN'][0]?.Plan ?? {};
    expect(rows).toBe(1);
    expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(10);
  } finally {
    await drop();
  }
});
