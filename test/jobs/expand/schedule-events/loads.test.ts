import { beforeEach, expect, test } from 'vitest';
import { matchAlert } from '#domain/alerts/alert-match.ts';
import { localDate } from '#domain/time/dates.ts';
import { lockVersions } from '#store/events/flight-versions.ts';
import { createDay } from '#store/flights/expanded-days.ts';
import { lockAllStatuses, lockStatusesShared } from '#store/status/flight-statuses.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { sampleAlert } from '#test/domain/alerts/sample-alert.ts';
import { buildFile, buildLeg, buildSecondLeg } from '#test/feeds/ssim/build-file.ts';
import { listAllEvents, findLogFaults } from '#test/store/events/sample-events.ts';
import { untilBlocked } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { buildCarrierFile } from '../carrier-file.ts';
import { clearSchedules, createEventReader, readInstances, type LoggedEvent } from './stored-schedule.ts';
import { fresh, useDatabase } from '#test/jobs/job-database.ts';

let readEvents: () => Promise<readonly LoggedEvent[]>;
useDatabase({ prepare: saveTinyMasterData, reset: clearSchedules });
beforeEach(() => {
  readEvents = createEventReader(fresh.sql);
});

const publish = (text: string, more: Parameters<typeof publishText>[2] = {}) =>
  publishText(fresh.sql, text, { horizonDays: 3, ...more });

/** `UPDATED XX101 2026-06-01 v1: Departure.Terminal` of every event since the last call, by flight and day. */
const describeEvents = async (): Promise<readonly string[]> =>
  (await readEvents())
    .map(({ event: { state, carrierCode, flightNumber, departure, arrival, flightVersion, changes = [] } }) => {
      const flight = `${carrierCode.iata}${flightNumber} ${departure.airport.iata}-${arrival.airport.iata} ${departure.date.local}`;
      const names = changes.map(({ propertyName }) => propertyName).join(' ');
      return `${flight} ${state} v${flightVersion}${names && `: ${names}`}`;
    })
    .toSorted();

const days = { 22: '02JUN26' };
const ofDays = (...events: readonly string[]) =>
  events.flatMap((event) => ['01', '02'].map((day) => event.replace(' ', ` LHR-JFK 2026-06-${day} `)));

test('an unchanged file and a change that no flight shows have no events', async () => {
  const text = buildFile(buildLeg({ ...days, 53: '5', 173: 'Y178' }));
  await publish(text);
  await publish(text);
  await fresh.sql`update equipment set cargo_tonnes = 99`;
  await publish(text);
  const [row] = await fresh.sql<{ doc: string }[]>`select doc from flight_instance limit 1`;
  expect([row?.doc.includes('"cargoTonnage":99'), await describeEvents()]).toEqual([true, []]);
});

const changes =
  'Departure.Date.Local Departure.Time.Local Departure.Time.UTC ArrivalIntervalDays LegArrivalIntervalDays StatusKey';
/** The flight of two legs; the second leaves before midnight, or after it on the next day. */
const secondLegAt = (departs: 'in time' | 'next day') => {
  const shared = { 58: '0500', 62: '0500' };
  const inTime = { ...shared, 22: '01JUN26', 40: '2330', 44: '2330', 193: '01' };
  const nextDay = { ...shared, 15: '02JUN26', 22: '02JUN26', 40: '0030', 44: '0030', 193: '11' };
  return buildFile(buildLeg({ 22: '01JUN26' }), buildSecondLeg(departs === 'in time' ? inTime : nextDay));
};

const jfkAlert = { ...sampleAlert, alertType: 'Port', departureAirport: 'JFK' } as const;

test('alerts for the date that a flight leaves and for the one that it gets select the event of a retime over midnight', async () => {
  await publish(secondLegAt('in time'));
  await publish(secondLegAt('next day'));
  const [retimed] = (await readEvents()).filter(({ event }) => event.departure.airport.iata === 'JFK');
  const verdicts = ['2026-06-01', '2026-06-02', '2026-06-03'].map(
    (date) => retimed && matchAlert({ ...jfkAlert, departureDate: localDate(date) }, retimed.facts),
  );
  expect(verdicts).toEqual(['matched', 'matched', 'departureDate']);
});

test('a flight that is retimed over midnight is reinstated by the next change after it returned on a day that was not expanded', async () => {
  const window = { from: localDate('2026-06-01'), days: 1 };
  const [inTime, tooLate] = [secondLegAt('in time'), secondLegAt('next day')];
  const ended = buildFile(buildLeg({ 22: '01JUN26' }));
  const ofSecondLeg = async () => (await describeEvents()).filter((event) => event.includes('JFK-LAX'));
  for (const text of [inTime, ended, tooLate]) await publish(text, { window });
  await extendHorizon(fresh.sql, { today: localDate('2026-06-02'), horizonDays: 2 });
  expect(await ofSecondLeg()).toEqual(['XX101 JFK-LAX 2026-06-01 DELETED v1']);
  await publish(ended, { window });
  expect(await ofSecondLeg()).toEqual([]);
  await publish(tooLate, { window });
  expect(await ofSecondLeg()).toEqual([`XX101 JFK-LAX 2026-06-02 REINSTATED v2: ${changes}`]);
});

test('a small schedule among many flights has the same events, and the other flights have none', async () => {
  const many = Array.from({ length: 20 }, (_, index) => buildLeg({ 3: 'YY', 6: String(1000 + index), ...days }));
  await publish(buildCarrierFile('YY', ...many));
  await publish(buildFile(buildLeg(days), buildLeg({ ...days, 6: '0102' })));
  const oids = () => fresh.sql`select oid from pg_class where relname like 'flight\\_instance\\_2026____' order by 1`;
  const before = await oids();
  await publish(buildFile(buildLeg({ ...days, 53: '5' }), buildLeg({ ...days, 6: '0103' })));
  expect(await describeEvents()).toEqual(
    ofDays('XX101 UPDATED v1: Departure.Terminal', 'XX102 DELETED v1', 'XX103 NEW v1'),
  );
  expect(await oids()).toEqual(before);
});

test('only the loaded designator of a carrier with two designators has events', async () => {
  const under = (designator: string, number: string) =>
    buildCarrierFile(designator, buildLeg({ 3: designator, 6: number, ...days }));
  await publish(under('XX', '0101'));
  await publish(under('XXA', '0201'));
  await publish(under('XXA', '0202'));
  expect(await describeEvents()).toEqual(ofDays('XX201 DELETED v1', 'XX202 NEW v1'));
});

test('a failed load has no events, wherever it fails', async () => {
  await publish(buildFile(buildLeg(days)));
  const counted = async () => {
    const [row] = await fresh.sql<{ events: number; versions: number; waiting: number }[]>`
      select (select count(*)::int from flight_event) as events, (select count(*)::int from flight_version) as versions,
        (select count(*)::int from event_outbox) as waiting`;
    return row;
  };
  for (const table of ['flight_event', 'flight_version', 'event_outbox', 'expanded_day']) {
    await fresh.sql`alter table ${fresh.sql(table)} add constraint planted check (false) not valid`;
    await expect(publish(buildFile(buildLeg({ ...days, 53: '5' })))).rejects.toThrow(/planted|rejected/);
    await fresh.sql`alter table ${fresh.sql(table)} drop constraint planted`;
    expect(await counted()).toEqual({ events: 0, versions: 0, waiting: 0 });
  }
  await publish(buildFile(buildLeg({ ...days, 53: '5' })));
  expect(await counted()).toEqual({ events: 2, versions: 2, waiting: 2 });
});

test('a schedule with one key for two departures on different days is loaded', async () => {
  const second = (bytes: Record<number, string>) => buildSecondLeg({ 22: '03JUN26', 58: '0500', 62: '0500', ...bytes });
  const twice = (terminal: string) =>
    buildFile(
      buildLeg({ 22: '03JUN26' }),
      second({ 40: '2330', 44: '2330', 53: terminal, 193: '01' }),
      buildLeg({ 10: '02', 22: '03JUN26' }),
      second({ 10: '02', 40: '0030', 44: '0030', 53: terminal, 193: '11' }),
    );
  await publish(twice('4'));
  await publish(twice('5'));
  await publish(buildFile(buildLeg({ 22: '03JUN26' })));
  await publish(twice('5'));
  const events = await readEvents();
  expect(findLogFaults(await listAllEvents(fresh.sql))).toEqual({ gaps: 0, inversions: 0, doubled: 0 });
  expect(new Set(events.map(({ event }) => event.state))).toEqual(new Set(['UPDATED', 'DELETED', 'REINSTATED']));
});

test('a load waits for status writers before it locks rows that they may need', async () => {
  await publish(buildFile(buildLeg(days)));
  let loading: Promise<unknown> = Promise.resolve();
  await fresh.sql.begin(async (sql) => {
    await lockStatusesShared(sql);
    loading = publish(buildFile(buildLeg({ ...days, 53: '5' })));
    await untilBlocked(sql);
    const keys = [...(await readInstances(fresh.sql)).keys()];
    await sql`set local lock_timeout = '1ms'`;
    await sql`insert into in_use (noun, id) select 'location', id from location on conflict do nothing`;
    await sql`update expanded_day set longest_days = longest_days`;
    await sql`select count(*) from flight_instance`;
    expect((await lockVersions(sql, keys)).size).toBe(2);
  });
  await loading;
  await fresh.sql.begin((sql) => lockAllStatuses(sql));
  expect(await createEventReader(fresh.sql)()).toHaveLength(2);
});

test('extending the horizon to days with unscheduled flights waits for their writers, and locks none of the days', async () => {
  await publishText(fresh.sql, buildFile(buildLeg({ 22: '04JUN26' })), { horizonDays: 2 });
  const opened = ['2026-06-02', '2026-06-03'].map(localDate);
  await fresh.sql.begin(async (sql) => {
    for (const day of opened) await createDay(sql, day);
  });
  let rolling: Promise<unknown> = Promise.resolve();
  await fresh.sql.begin(async (sql) => {
    await lockStatusesShared(sql);
    await sql`update expanded_day set longest_days = 1 where day = '2026-06-03'`;
    rolling = extendHorizon(fresh.sql, { today: localDate('2026-06-01'), horizonDays: 5 });
    await untilBlocked(sql);
    await sql`set local lock_timeout = '1ms'`;
    await sql`update expanded_day set longest_days = 1 where day = '2026-06-02'`;
  });
  expect(await rolling).toEqual({ days: 3, instances: 3 });
});
