import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import { readScheduleMessages, type ScheduleMessageItem } from '#feeds/schedule-messages/read-messages.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { ingestScheduleMessages } from '#jobs/schedule-messages/ingest-messages.ts';
import { createStatusReader } from '#jobs/status/ingest/feed-readers.ts';
import { importStatusFile } from '#jobs/status/ingest/import-file.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { retryPendingPlans } from '#jobs/status/recompute/status-update-task.ts';
import { createDays } from '#jobs/status/ingest/limit-new-days.ts';
import { deleteDay } from '#store/flights/expanded-days.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText, TEST_KEY } from '#test/support/tiny-world.ts';
import { flight, lockTable, message, noon, plan, waitForWaiting } from './messages.ts';
import { formatOutcomes, listQuarantine } from './messages.ts';
import { db, searchPage, useStatusWorld, world } from './status-world.ts';

useStatusWorld();

const listDays = async (): Promise<readonly string[]> =>
  (await db<{ day: string }[]>`select day::text as day from expanded_day where not laid_out order by day`).map(
    ({ day }) => day,
  );
const countRelations = async (): Promise<number> => {
  const [row] = await db<{ count: bigint }[]>`select count(*) from pg_class`;
  return Number(row?.count);
};
afterEach(async () => {
  for (const day of await listDays()) await db.begin((sql) => deleteDay(sql, localDate(day)));
});

/** A line that describes WW 7 OPO-LIS of a day, observed on that day by default. */
const describeFlight = (day: string, messageId = day, observedAt = `${day}T08:00:00Z`): string =>
  `${JSON.stringify({
    messageId,
    observedAt,
    flight: { carrier: 'WW', flightNumber: 7, originDate: day, departureAirport: 'OPO' },
    plan: { flightType: 'GA', departs: { airport: 'OPO', at: `${day}T10:00:00Z` }, arrives: { airport: 'LIS' } },
  })}\n`;

const post = async (path: string, type: string, body: string) => {
  const headers = { 'subscription-key': TEST_KEY, 'content-type': type };
  const response = await world.send(`${path}?version=v1`, { method: 'POST', headers, body });
  const report: { stored: number; quarantined: number; remarks: { reason: string; value: string }[] } =
    await response.json();
  return { status: response.status, report };
};
const send = (body: string) => post('/status-messages', 'application/x-ndjson', body);
const daysFrom = (first: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => formatDate(addDays(localDate(first), index)));

test('a request with plans on 1,015 days of the past, observed then, adds no relation', async () => {
  const before = await countRelations();
  const { status, report } = await send(
    daysFrom('1951-01-01', 1015)
      .map((day) => describeFlight(day))
      .join(''),
  );
  expect([status, report.stored, report.quarantined]).toEqual([200, 0, 1015]);
  expect(report.remarks[0]).toMatchObject({ reason: 'plan-too-far', value: '1951-01-01' });
  expect([await countRelations(), await listDays()]).toEqual([before, []]);
});

test.each([
  ['the first day that plans can add', '2026-05-25', 'stored'],
  ['the day before it', '2026-05-24', 'plan-too-far: 2026-05-24'],
  ['the last day that plans can add', '2026-07-31', 'stored'],
  ['the day after it', '2026-08-01', 'plan-too-far: 2026-08-01'],
])('the clock of the service decides: %s', async (_, day, expected) => {
  const { report } = await send(describeFlight(day, day, '2026-06-01T10:00:00Z'));
  const [remark] = report.remarks;
  expect(remark ? `${remark.reason}: ${remark.value}` : 'stored').toBe(expected);
  expect(await listDays()).toEqual(expected === 'stored' ? [day] : []);
});

test('a request adds four days; the task of the server adds those of the other plans, four in a run', async () => {
  const days = daysFrom('2026-07-01', 9);
  const { report } = await send(days.map((day) => describeFlight(day, day, '2026-06-01T10:00:00Z')).join(''));
  expect([report.stored, report.quarantined]).toEqual([4, 5]);
  expect(report.remarks).toMatchObject(days.slice(4).map((value) => ({ reason: 'day-pending', value })));
  expect(await listDays()).toEqual(days.slice(0, 4));
  await retryPendingPlans(db, { clock: noon });
  expect(await listDays()).toEqual(days.slice(0, 8));
  await retryPendingPlans(db, { clock: noon });
  expect([await listDays(), await listQuarantine(db)]).toEqual([days, []]);
});

test('a plan on a day that exists is not limited', async () => {
  await send(describeFlight('2026-07-31', 'one', '2026-06-01T10:00:00Z'));
  const later = await createStatusIngester(db, undefined, () => new Date('2026-11-01T12:00:00Z'));
  const reference = flight({ carrier: 'WW', flightNumber: 8, date: '2026-07-31', departureAirport: 'OPO' });
  const described = plan({ departs: '2026-07-31T10:00Z', arrives: '2026-07-31T11:00Z' });
  const outcomes = await later.ingest([
    message({ id: 'two', flight: { ...reference, arrivalAirport: undefined }, plan: described }),
  ]);
  expect(formatOutcomes(outcomes)).toEqual(['stored']);
});

test('a request that fails leaves no day', async () => {
  await db`alter table status_message add constraint planted check (id <> 'bad')`;
  const before = await countRelations();
  const failed = await send(describeFlight('2026-07-20', 'bad', '2026-06-01T10:00:00Z'));
  await db`alter table status_message drop constraint planted`;
  expect([failed.status, await countRelations(), await listDays()]).toEqual([500, before, []]);
});

test('while a schedule load adds days, a plan on a new day waits in quarantine, and the other messages are stored', async () => {
  const lock = await lockTable(db, 'only flight_instance', 'share update exclusive');
  const gate = { messageId: 'gate', observedAt: '2026-06-01T10:00:00Z', departure: { gate: '7' } };
  const reference = { carrier: 'XX', flightNumber: 101, originDate: '2026-06-01', departureAirport: 'LHR' };
  const { report } = await send(
    describeFlight('2026-07-20', 'new', '2026-06-01T10:00:00Z') + JSON.stringify({ ...gate, flight: reference }),
  );
  expect([report.stored, report.quarantined]).toEqual([1, 1]);
  const ingester = await createStatusIngester(db, undefined, noon);
  const described = plan({ departs: '2026-07-21T10:00Z', arrives: '2026-07-21T11:00Z' });
  const other = flight({ carrier: 'WW', date: '2026-07-21', departureAirport: 'OPO', arrivalAirport: 'LIS' });
  expect(formatOutcomes(await ingester.ingest([message({ id: 'stream', flight: other, plan: described })]))).toEqual([
    'day-pending: 2026-07-21',
  ]);
  await lock.release();
  await retryPendingPlans(db, { clock: noon });
  expect([await listDays(), await listQuarantine(db)]).toEqual([['2026-07-20', '2026-07-21'], []]);
});

test('a schedule load waits for a request that adds a day, and expands the schedules on it', async () => {
  const day = localDate('2026-06-03');
  const names = () =>
    searchPage('DepartureDateTime=2026-06-03').then(({ data }) => data.map(({ flightNumber }) => flightNumber));
  const before = await names();
  await db.begin((sql) => deleteDay(sql, day));
  const watcher = await db.reserve();
  const [created, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const request = db.begin(async (sql) => {
    await createDays(sql, [day]);
    created.resolve();
    await stored.promise;
  });
  await created.promise;
  const load = publishText(db, schedule);
  await waitForWaiting(watcher, 1);
  watcher.release();
  stored.resolve();
  await request;
  await load;
  expect(await names()).toEqual(before);
});

test('a file adds all days that plans can add, and no other', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'flightdata-test-')), 'plans.ndjson');
  const days = daysFrom('2026-07-20', 20);
  writeFileSync(file, days.map((day) => describeFlight(day)).join(''));
  const feed = () => createStatusReader(() => new Date('2026-09-01T12:00:00Z'));
  const report = await importStatusFile({ db, kind: 'status', file, feed, clock: noon });
  expect(report.accepted).toMatchObject({ messages: 12 });
  expect(await listDays()).toEqual(days.slice(0, 12));
});

const aidx = `<IATA_AIDX_FlightLegNotifRQ xmlns="http://www.iata.org/IATA/2007/00" Version="22.1" TimeStamp="1951-06-01T11:50:00Z">
<FlightLeg><LegIdentifier><Airline>XX</Airline><FlightNumber>101</FlightNumber><DepartureAirport>LHR</DepartureAirport><ArrivalAirport>JFK</ArrivalAirport>
<OriginDate>1951-06-01</OriginDate></LegIdentifier><LegData/></FlightLeg></IATA_AIDX_FlightLegNotifRQ>`;
const facts = { messageId: 'facts', observedAt: '1951-06-01T10:00:00Z', departure: { gate: '7' } };
const old = { carrier: 'XX', flightNumber: 101, originDate: '1951-06-01', departureAirport: 'LHR' };
const telegram = '.LHROOXX 011004\nMVT\nXX0101/20.GXXAB.LHR\nAD1002/1015\n';

test.each([
  [
    'a status message without a plan',
    '/status-messages',
    'application/x-ndjson',
    JSON.stringify({ ...facts, flight: old }),
  ],
  ['a movement telegram', '/movement-telegrams', 'text/plain', telegram],
  ['an AIDX document', '/aidx', 'application/xml', aidx],
])('%s with a date far away adds no relation', async (_, path, type, body) => {
  const before = await countRelations();
  const { status, report } = await post(path, type, body);
  expect([status, report.stored, await countRelations()]).toEqual([200, 0, before]);
});

test.each([
  ['the past', '01JAN90 31DEC90'],
  ['the future', '01JAN40 31DEC40'],
])('a schedule message for a year in %s adds no relation', async (_, period) => {
  const text = `SSM\nUTC\n01JUN00001E001\nNEW\nXX777\n${period} 1234567\nJ 320 .Y180\nLHR1000 CDG1115\n`;
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  };
  const items: ScheduleMessageItem[] = [];
  for await (const item of readScheduleMessages(pieces(), noon)) items.push(item);
  const before = await countRelations();
  const { outcomes } = await ingestScheduleMessages(db, items, {
    masterDataIndex: await readMasterDataIndex(db),
    clock: noon,
    source: 'test',
    sha256: '',
  });
  expect([outcomes.length, await countRelations(), await listDays()]).toEqual([1, before, []]);
});
