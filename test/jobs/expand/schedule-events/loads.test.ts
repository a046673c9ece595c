import { beforeEach, describe, expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { extendHorizon } from '../../../../src/jobs/expand/extend-horizon.ts';
import { buildCarrier, buildFile, header, buildLeg, buildSecondLeg } from '../../../feeds/ssim/build-file.ts';
import { buildTrailer, buildWholeFile } from '../../../feeds/ssim/build-file.ts';
import { listAllEvents, findLogFaults } from '../../../store/events/sample-events.ts';
import { publishText, saveTinyMasterData } from '../../../support/tiny-world.ts';
import { buildCarrierFile } from '../carrier-file.ts';
import { clearSchedules, createEventReader, type LoggedEvent } from './stored-schedule.ts';
import { fresh, useDatabase } from '../../job-database.ts';

let readEvents: () => Promise<readonly LoggedEvent[]>;
useDatabase({ prepare: saveTinyMasterData, reset: clearSchedules });
beforeEach(() => {
  readEvents = createEventReader(fresh.sql);
});

const options = { horizonDays: 3 };
const publish = (text: string, more: Parameters<typeof publishText>[2] = {}) =>
  publishText(fresh.sql, text, { ...options, ...more });

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
const once = { 22: '01JUN26', 29: '1      ' };
const ofDays = (...events: readonly string[]) =>
  events.flatMap((event) => ['01', '02'].map((day) => event.replace(' ', ` LHR-JFK 2026-06-${day} `)));

test('the first schedule of a designator has no events; flights that a later one adds are NEW', async () => {
  await publish(buildFile(buildLeg(days)));
  expect(await describeEvents()).toEqual([]);
  const other = [buildCarrier({ 3: 'YY' }), buildLeg({ 3: 'YY', 6: '0900', ...days }), buildTrailer('E', 'YY')];
  const own = [buildCarrier(), buildLeg(days), buildLeg({ 6: '0202', ...once }), buildTrailer('C')];
  await publish(buildWholeFile(header, ...own, ...other));
  expect(await describeEvents()).toEqual(['XX202 LHR-JFK 2026-06-01 NEW v1']);
});

test('a flight is deleted, has no events while it is absent, and is reinstated with the changes since its deletion', async () => {
  const other = buildLeg({ 6: '0999', ...days });
  await publish(buildFile(other, buildLeg({ ...days, 53: '5' })));
  await publish(buildFile(other));
  expect(await describeEvents()).toEqual(ofDays('XX101 DELETED v1'));
  await publish(buildFile(other));
  expect(await describeEvents()).toEqual([]);
  await publish(buildFile(other, buildLeg({ ...once, 53: '4' })));
  expect(await describeEvents()).toEqual(['XX101 LHR-JFK 2026-06-01 REINSTATED v2: Departure.Terminal']);
  await publish(buildFile(other, buildLeg({ ...days, 53: '4' })));
  expect(await describeEvents()).toEqual(['XX101 LHR-JFK 2026-06-02 REINSTATED v2: Departure.Terminal']);
});

test('an unchanged file and a change that no flight shows have no events', async () => {
  const text = buildFile(buildLeg({ ...days, 53: '5', 173: 'Y178' }));
  await publish(text);
  await publish(text);
  await fresh.sql`update equipment set cargo_tonnes = 99`;
  await publish(text);
  const [row] = await fresh.sql<{ doc: string }[]>`select doc from flight_instance limit 1`;
  expect([row?.doc.includes('"cargoTonnage":99'), await describeEvents()]).toEqual([true, []]);
});

describe('a flight that is retimed over midnight', () => {
  /** XX 101 on 1 to 3 June, whose second leg departs late in the evening, or early on the next day. */
  const flight = (second: Record<number, string>) =>
    buildFile(buildLeg({ 22: '03JUN26' }), buildSecondLeg({ 58: '0500', 62: '0500', ...second }));
  const late = flight({ 22: '03JUN26', 40: '2330', 44: '2330', 193: '01' });
  const early = flight({ 15: '02JUN26', 22: '04JUN26', 40: '0030', 44: '0030', 193: '11' });
  const changes =
    'Departure.Date.Local Departure.Time.Local Departure.Time.UTC ArrivalIntervalDays LegArrivalIntervalDays StatusKey';
  const updated = (day: string, version: number) => `XX101 JFK-LAX ${day} UPDATED v${version}: ${changes}`;

  test('is the same flight', async () => {
    await publish(late, { horizonDays: 5 });
    await extendHorizon(fresh.sql, { today: localDate('2026-06-01'), horizonDays: 5 });
    await publish(early, { horizonDays: 5 });
    expect(await describeEvents()).toEqual(['02', '03', '04'].map((day) => updated(`2026-06-${day}`, 1)));
  });

  test('is the same flight on a day that the load adds, and on a day that is not expanded yet', async () => {
    const window = { from: localDate('2026-06-01'), days: 1 };
    await publish(late, { window });
    await publish(early, { window: { ...window, days: 2 } });
    expect(await describeEvents()).toEqual([updated('2026-06-02', 1)]);
    await extendHorizon(fresh.sql, { today: localDate('2026-06-02'), horizonDays: 2 });
    await publish(late, { window });
    // The second one was in the schedule, but on a day that was not expanded.
    expect(await describeEvents()).toEqual([updated('2026-06-01', 2), 'XX101 JFK-LAX 2026-06-02 NEW v1']);
    await publish(early, { window });
    expect(await describeEvents()).toEqual([updated('2026-06-02', 3), updated('2026-06-03', 2)]);
  });

  test('is reinstated by the next change after it returned on a day that was not expanded', async () => {
    const window = { from: localDate('2026-06-01'), days: 1 };
    const filed = (second: string) => buildFile(buildLeg({ 22: '01JUN26' }), second);
    const shared = { 58: '0500', 62: '0500' };
    const inTime = filed(buildSecondLeg({ ...shared, 22: '01JUN26', 40: '2330', 44: '2330', 193: '01' }));
    const nextDay = { 15: '02JUN26', 22: '02JUN26', 40: '0030', 44: '0030', 193: '11' };
    const tooLate = filed(buildSecondLeg({ ...shared, ...nextDay }));
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
});

test('days that enter the horizon and past days outside the schedule have no events', async () => {
  await publish(buildFile(buildLeg()), { today: localDate('2026-06-02'), horizonDays: 2 });
  await extendHorizon(fresh.sql, { today: localDate('2026-06-03'), horizonDays: 3 });
  expect(await describeEvents()).toEqual([]);
  const leg = buildLeg({ 15: '03JUN26', 22: '05JUN26', 53: '5' });
  await publish(buildWholeFile(header, buildCarrier({ 15: '03JUN26' }), leg, buildTrailer('E')), {
    today: localDate('2026-06-03'),
    horizonDays: 4,
  });
  expect(await describeEvents()).toEqual([
    'XX101 LHR-JFK 2026-06-03 UPDATED v1: Departure.Terminal',
    'XX101 LHR-JFK 2026-06-04 UPDATED v1: Departure.Terminal',
  ]);
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
    await expect(publish(buildFile(buildLeg({ ...days, 53: '5' })))).rejects.toThrow(/planted|refused/);
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
