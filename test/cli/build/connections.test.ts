import { expect, test } from 'vitest';
import { buildFile } from '#test/feeds/ssim/build-file.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { buildFlownLeg } from '#test/jobs/connections/flown-leg.ts';
import { callCommand } from '../call-command.ts';
import type { CommandResult } from '../run-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
const file = buildFile(
  buildFlownLeg('101 LHR 1100 JFK 1400'),
  buildFlownLeg('102 JFK 1600 LAX 1900'),
  buildFlownLeg('103 JFK 1500 LAX 1800'),
  buildFlownLeg('104 LHR 0900 JFK 1200', { 14: 'P' }),
);
await publishText(fresh.sql, file, { horizonDays: 1 });

const build = (...args: readonly string[]): Promise<CommandResult> =>
  callCommand(['build', 'connections', ...args], { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-02' });

test('flightdata build connections prints the flights, records and pairs of the set', async () => {
  const { code, out, err } = await build();
  expect([code, err]).toEqual([0, '']);
  const [title = '', ...lines] = out.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  ').trim());
  expect(title).toMatch(
    /^Connection set 1: departures 2026-06-01 to 2027-05-31 \(local dates\), built in \d+\.\d s, \d+\.\d MB in memory, \d+\.\d MB stored$/,
  );
  expect(lines).toEqual([
    'Default minimum connecting times (minutes): DD=30,DI=60,ID=90,II=90,inter-airport=240',
    '4 current itineraries with 4 pairs of board and off point',
    'included  3  75.00%  in 3 records',
    'service-type  1  25.00%  neither passenger nor cargo flights',
    'same-airport  0  0.00%  same departure and arrival airport',
    'incomplete-itinerary  0  0.00%  contains an unreadable leg',
    '2 candidate pairs of flights within 24 hours at one airport or city',
    'connections  1  50.00%',
    'minimum-connecting-time  1  50.00%  less than the minimum connecting time',
    '',
  ]);
});

test('flightdata build connections prints the same report as JSON for the given days and minutes', async () => {
  const args = ['--from', '2026-06-30', '--days', '2', '--mct-defaults', 'id=20,inter-airport=90', '--json'];
  const { code, out } = await build(...args);
  const counts = { itineraries: 4, flights: 3, records: 3, candidates: 2, built: 2 };
  const [seconds, bytes, storedBytes] = [expect.any(Number), expect.any(Number), expect.any(Number)];
  const rejected = expect.objectContaining({ suppressed: 0 });
  const excluded = { 'service-type': 1, 'same-airport': 0, 'incomplete-itinerary': 0 };
  const defaults = { DD: 30, DI: 60, ID: 20, II: 90, interAirport: 90 };
  const settings = { id: 2, from: '2026-06-30', days: 2, defaults };
  const report = { ...settings, ...counts, excluded, rejected, seconds, bytes, storedBytes };
  expect([code, JSON.parse(out)]).toEqual([0, report]);
});

test.each([
  [['--from', '2026-02-30'], "'2026-02-30' must be a date"],
  [['--days', '401'], "'401' must be a whole number from 1 to 400"],
  [['--mct-defaults', 'DD=30,XX=5'], "'XX=5' must be one of DD, DI, ID, II, inter-airport, with a number of minutes"],
  [['--mct-defaults', 'DD=abc'], "'DD=abc' must be one of DD, DI, ID, II, inter-airport, with a number of minutes"],
  [['--mct-defaults', 'II=2000'], "'II=2000' exceeds the limit of 1440 minutes"],
  [['--mct-defaults', 'DD=30,dd=40'], "'DD=30,dd=40' contains DD twice"],
])('flightdata build connections reports the error of %j', async (args, message) => {
  const { code, err } = await build(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('flightdata build connections reports that another process is building', async () => {
  const { code, err } = await fresh.sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${0x666c_6474}::int, 12)`;
    return build();
  });
  expect([code, err]).toEqual([1, expect.stringContaining('another process is building a connection set')]);
});
