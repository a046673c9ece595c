import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { flight, message, second, ingest } from '#test/jobs/status/messages.ts';
import { callCommand } from '../call-command.ts';
import type { CommandResult } from '../run-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
await publishText(fresh.sql, schedule, { today: localDate('2026-06-01') });
const facts = { actualOut: second('2026-06-01T10:14Z'), actualIn: second('2026-06-01T18:15Z') };
await ingest(fresh.sql, [
  message({ id: 'a', at: '2026-06-01T19:00Z', facts }),
  message({ id: 'b', flight: flight({ date: '2026-06-02' }), facts: { cancelled: true } }),
]);

const build = (...args: readonly string[]): Promise<CommandResult> =>
  callCommand(['build', 'on-time', ...args], { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-03' });

test('flightdata build on-time prints counts and rates of each operating carrier and of all carriers', async () => {
  const { code, out } = await build();
  expect(code).toBe(0);
  const counts = '2  1  50.00%  0  0.00%  1  50.00%  1  50.00%  0  0.00%';
  const period = '2 flights departing 2026-03-05 to 2026-06-02, local dates';
  expect(out.split('\n').map((line) => line.trim().replaceAll(/\s{2,}|(?<=%|\d)\s(?=\d)/g, '  '))).toEqual([
    `On-time performance (D15/A14): ${period}; statistics for 2 combinations of flight number and route`,
    'carrier  flights  departed on time  arrived on time  arrived late  cancelled  diverted',
    `XX  ${counts}`,
    `all  ${counts}`,
    '',
  ]);
});

test('flightdata build on-time prints the same report as JSON for the given days', async () => {
  const { code, out } = await build('--until', '2026-06-01', '--days', '1', '--json');
  const counts = { flights: 1, departures: 1, departedOnTime: 1, arrivedOnTime: 0, arrivedLate: 1 };
  const shares = { onTimePercentage: 0, latePercentage: 100, cancelledPercentage: 0, divertedPercentage: 0 };
  const total = { ...counts, ...shares, cancelled: 0, diverted: 0, departedOnTimePercentage: 100 };
  const period = { startDate: '2026-06-01', endDate: '2026-06-01' };
  const carriers = [{ iata: 'XX', icao: 'XXA', ...total }];
  expect([code, JSON.parse(out)]).toEqual([0, { rule: 'D15/A14', period, numbers: 2, carriers, total }]);
});

test('flightdata build on-time reports that there is nothing to count', async () => {
  const out =
    'No completed operating flights departing 2026-05-19 to 2026-05-20, local dates; statistics for 0 combinations of flight number and route\n';
  expect(await build('--until', '2026-05-20', '--days', '2')).toEqual({ code: 0, out, err: '' });
});

test('flightdata build on-time rejects a day that is not over', async () => {
  const message = '--until 2026-06-03 must be before today, 2026-06-03: only completed days are counted';
  expect(await build('--until', '2026-06-03')).toEqual({ code: 1, out: '', err: expect.stringContaining(message) });
});
