import { afterAll, expect, test } from 'vitest';
import { readTerminals } from '#store/master-data/terminals.ts';
import { demoDatabase } from '#test/support/demo-database.ts';

const { sql, drop } = await demoDatabase();
afterAll(drop);

test('the airports of the demo world have the terminals of its schedules and minimum connecting times', async () => {
  const [heathrow] = await sql<{ id: number }[]>`select id from location where iata = 'LHR'`;
  expect((await readTerminals(sql)).get(heathrow?.id ?? 0)).toEqual({
    codes: ['2', '3', '4', '5'],
    sources: ['schedules', 'connecting-times'],
  });
});
