import { afterAll, beforeAll, expect, test } from 'vitest';
import { localDate } from '../../src/domain/time/dates.ts';
import { schedule } from '../products/flight-info/v2/example-schedule.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { publishText, saveTinyMasterData } from '../support/tiny-world.ts';
import { runCommand, type CommandResult } from './run-command.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await saveTinyMasterData(fresh.sql);
  await publishText(fresh.sql, schedule, { today: localDate('2026-06-01') });
});
afterAll(() => fresh.drop());

const prune = (...args: readonly string[]): Promise<CommandResult> =>
  runCommand(['prune', ...args], { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-20' });

test('flightdata prune deletes old days, prints the counts and rejects days that are not old', async () => {
  const { code, out } = await prune('--before', '2026-06-03');
  expect([code, out]).toEqual([0, '2 days deleted, 15 flight instances and 0 status messages\n']);
  const rejected = await prune('--before', '2026-06-13');
  expect([rejected.code, rejected.out, rejected.err.split('\n').at(-2)]).toEqual([
    1,
    '',
    'flightdata: the days before 2026-06-13 cannot go: events still tell of flights from 2026-06-12 on',
  ]);
  expect((await prune()).code).toBe(2);
});
