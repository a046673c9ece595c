import { expect, test } from 'vitest';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { ingest, message } from '#test/jobs/status/messages.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { callCommand } from './call-command.ts';
import type { CommandResult } from './run-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
await publishText(fresh.sql, buildFile(buildLeg({ 22: '02JUN26' })));

const flightdata = (...args: readonly string[]): Promise<CommandResult> =>
  callCommand(args, { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-02' });

test('flightdata schedule explain shows the periods of a flight with their file', async () => {
  const { code, out } = await flightdata('schedule', 'explain', 'xx', '101');
  expect(code).toBe(0);
  expect(out).toMatch(
    /^XX 101  2026-06-01 to 2026-06-02, days 1234567 \(local time\)\n {2}LHR 11:00-JFK 14:00 789\n {2}file test\.ssim, loaded 20\S+Z\n$/,
  );
});

test('flightdata schedule explain fails for a date on which the flight is not scheduled', async () => {
  expect(await flightdata('schedule', 'explain', 'XX', '101', '--date', '2026-07-01')).toEqual({
    code: 1,
    out: '',
    err: 'XX 101 is not scheduled on 2026-07-01.\n',
  });
});

test('flightdata build seats predicts the seats of the flights of the last 28 days', async () => {
  const seats = {
    first: undefined,
    business: 32,
    premiumEconomy: undefined,
    economyPlus: undefined,
    economy: 200,
    total: 232,
  };
  await ingest(fresh.sql, [message({ id: 'seats', at: '2026-06-01T09:00Z', facts: { seats } })]);
  expect(await flightdata('build', 'seats')).toEqual({
    code: 0,
    out: 'Predicted seats for 1 combinations of flight number and route\n',
    err: '',
  });
});
