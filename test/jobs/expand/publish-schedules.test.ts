import { expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { migrate } from '#store/schema/migrate.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { buildCarrier, buildFile, header, buildLeg, buildSegment, buildTrailer } from '#test/feeds/ssim/build-file.ts';
import { buildSecondLeg, buildWholeFile, type RecordBytes } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData, type PublishOptions } from '#test/support/tiny-world.ts';
import { buildCarrierFile, yyFile } from './carrier-file.ts';
import { clearSchedules } from './schedule-events/stored-schedule.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({ prepare: saveTinyMasterData, reset: clearSchedules });

/** Loads a file on 1 June, with two of its days. */
const publish = (text: string, options: PublishOptions = {}) => publishText(db, text, { horizonDays: 3, ...options });
const nameDay = (day: number): string => `2026-06-${String(day).padStart(2, '0')}`;
const on = (day: number, horizonDays: number) => ({ today: localDate(nameDay(day)), horizonDays });
/** Operates on 1 June only. */
const once = { 22: '01JUN26', 29: '1      ' };
const noonLeg = { 40: '1200', 44: '1200' };

/** `XX101 2026-06-01 11:00` of every instance, in listing order. */
const flights = async (): Promise<readonly string[]> => {
  const rows = await db<{ doc: string; at: string }[]>`
    select doc, to_char(departs_at, 'YYYY-MM-DD HH24:MI') as at from flight_instance order by departs_at, key_order`;
  return rows.map(({ doc, at }) => {
    const { carrier: codes, flightNumber }: FlightInstance = JSON.parse(doc);
    return `${codes.iata}${flightNumber} ${at}`;
  });
};
const listOnDays = (days: readonly number[], ...names: readonly string[]): readonly string[] =>
  days.flatMap((day) => names.map((name) => name.replace(' ', ` ${nameDay(day)} `)));

const digest = async (): Promise<string | undefined> => {
  const [row] = await db<{ digest: string }[]>`
    select md5(string_agg(text, chr(10) order by text)) as digest from (
      select row(departs_at, key_order, arrives_at, key, status_order, carrier, departure, arrival, flight_number,
        service_type, is_marketing, doc)::text as text from flight_instance
      union all select row(day, instances, longest_days)::text from expanded_day where instances > 0) as seen`;
  return row?.digest;
};

const dayCounts = async (): Promise<Record<string, number>> => {
  const rows = await db<{ day: string; instances: number }[]>`
    select day, instances from expanded_day where instances > 0 order by day`;
  return Object.fromEntries(rows.map(({ day, instances }) => [day, instances]));
};
const onlyFlight = async (): Promise<FlightInstance> => {
  const [row] = await db<{ doc: string }[]>`select doc from flight_instance`;
  const flight: FlightInstance = JSON.parse(row?.doc ?? '{}');
  return flight;
};

test('stores the terminals of flights, those of a pair of points in place of those of the leg, and keeps those of an earlier schedule', async () => {
  const pair = buildSegment(198, '7');
  await publish(buildFile(buildLeg({ 53: '5', 71: '8' }), pair, buildLeg({ 6: '0102', 53: '0' })));
  await publish(buildFile(buildLeg({ 53: '3' })));
  const rows = await db<{ name: string }[]>`
    select concat_ws(' ', iata, code, source) as name from location_terminal t join location l on l.id = t.location order by 1`;
  expect(rows.map(({ name }) => name)).toEqual(['JFK 7 schedules', 'LHR 3 schedules', 'LHR 5 schedules']);
});

test.each([
  ['from yesterday to the end of the horizon', '2026-06-10', 3, [9, 10, 11]],
  ['from the first day of a schedule of the past', '2028-01-01', 2, [1, 2]],
])('a load expands a schedule %s', async (_, today, horizonDays, days) => {
  const report = await publish(buildFile(buildLeg()), { today: localDate(today), horizonDays });
  expect(await flights()).toEqual(listOnDays(days, 'XX101 11:00'));
  expect(report.accepted['flight instances']).toBe(days.length);
});

test('loading a file twice gives the same flights with the same keys', async () => {
  await publish(buildFile(buildLeg()));
  const first = await digest();
  await publish(buildFile(buildLeg()));
  expect(await digest()).toBe(first);
  expect(await dayCounts()).toEqual({ '2026-06-01': 1, '2026-06-02': 1 });
});

// docs/decisions/0020-codeshares.md: the file of a partner does not contain the other departures of the operating flight.
test('a marketing flight of a second departure alone has the status key of the first departure', async () => {
  const evening = { 40: '1800', 44: '1800', 58: '2100', 62: '2100' };
  await publish(buildFile(buildLeg(), buildLeg({ 10: '02', ...evening })));
  const yy = { 3: 'YY', 6: '5101' };
  await publish(buildCarrierFile('YY', buildLeg({ ...yy, ...evening, 149: 'L' }), buildSegment(50, 'XX 0101 ', yy)));
  const rows = await db<{ name: string; status: bigint }[]>`
    select flight_number || ' ' || to_char(departs_at, 'HH24:MI') as name, status_order as status from flight_instance
    where departs_at::date = '2026-06-01' order by departs_at, flight_number`;
  const byName = new Map(rows.map(({ name, status }) => [name, status]));
  expect([...byName.keys()]).toEqual(['101 11:00', '101 18:00', '5101 18:00']);
  expect(byName.get('5101 18:00')).toBe(byName.get('101 11:00'));
  expect(byName.get('5101 18:00')).not.toBe(byName.get('101 18:00'));
});

const yyLeg = buildLeg({ 3: 'YY', 6: '0900' });

test('a new file of a carrier replaces the schedule of that carrier only', async () => {
  await publish(buildFile(buildLeg()));
  await publish(buildCarrierFile('YY', yyLeg));
  await publish(buildFile(buildLeg({ 6: '0777', ...noonLeg })));
  expect(await flights()).toEqual(listOnDays([1, 2], 'YY900 11:00', 'XX777 12:00'));
  expect(await dayCounts()).toEqual({ '2026-06-01': 2, '2026-06-02': 2 });
});

test('a new file of a carrier keeps past flights outside its period', async () => {
  await publish(buildFile(buildLeg()), on(2, 4));
  const leg = buildLeg({ 6: '0777', 15: '03JUN26', 22: '04JUN26' });
  await publish(buildWholeFile(header, buildCarrier({ 15: '03JUN26' }), leg, buildTrailer('E')), on(3, 4));
  expect(await flights()).toEqual([...listOnDays([1, 2], 'XX101 11:00'), ...listOnDays([3, 4], 'XX777 11:00')]);
  const [stored] = await db<{ details: string }[]>`
    select details from flight_instance join segment on segment.id = segment_id where departs_at = '2026-06-01 11:00'`;
  expect(stored?.details).toContain('"bookingClasses"');
});

test('a new file of a carrier without readable legs keeps the schedule in force', async () => {
  await publish(buildFile(buildLeg()));
  const unreadable = [buildCarrier(), buildLeg({ 15: '31FEB26' }), buildTrailer('C')];
  await publish(buildWholeFile(header, ...unreadable, buildCarrier({ 3: 'YY' }), yyLeg, buildTrailer('E', 'YY')));
  expect((await flights()).toSorted()).toEqual(listOnDays([1, 2], 'XX101 11:00', 'YY900 11:00').toSorted());
});

test('a new file of a carrier keeps past flights outside the period of an older schedule that is loaded later', async () => {
  await publish(buildFile(buildLeg()), on(10, 3));
  const carrier = buildCarrier({ 15: '01JAN26', 22: '31JAN26' });
  const leg = buildLeg({ 15: '01JAN26', 22: '02JAN26', 48: '+0000', 66: '-0500' });
  await publish(buildWholeFile(header, carrier, leg, buildTrailer('E')), on(10, 60));
  expect(await flights()).toEqual(['XX101 2026-01-01 11:00', 'XX101 2026-01-02 11:00', 'XX101 2026-06-09 11:00']);
});

test('a new file of a carrier expands new days with the flights of all carriers', async () => {
  await publish(yyFile, on(1, 2));
  await publish(buildFile(buildLeg()), on(2, 3));
  expect(await flights()).toEqual(listOnDays([1, 2, 3], 'XX101 11:00', 'YY900 23:00'));
});

test('a failed load changes nothing', async () => {
  await publish(buildFile(buildLeg()));
  const before = await digest();
  await db`alter table segment add constraint planted check (details not like '%bookingClasses%') not valid`;
  const failed = publish(buildFile(buildLeg({ 6: '0777' })));
  await expect(failed).rejects.toThrow('the database rejected rows of a COPY');
  await db`alter table segment drop constraint planted`;
  expect([await digest(), (await db`select from load`).length]).toEqual([before, 1]);
});

test('readers see the old schedule until the commit, then the complete new one', async () => {
  await publish(buildFile(buildLeg()));
  const loading = new AbortController();
  const seen = new Set<string>();
  const reading = (async () => {
    while (!loading.signal.aborted) {
      const rows = await db<{ number: number; count: bigint }[]>`
        select flight_number as number, count(*) from flight_instance group by 1 order by 1`;
      seen.add(rows.map(({ number, count }) => `${number}x${count}`).join(' '));
    }
  })();
  for (const number of ['0777', '0101', '0777', '0101']) await publish(buildFile(buildLeg({ 6: number })));
  loading.abort();
  await reading;
  expect([...seen].toSorted()).toEqual(['101x2', '777x2']);
});

test('an unknown station and an unknown carrier are added and reported, and keep their filed variation', async () => {
  const report = await publish(buildCarrierFile('QQ', buildLeg({ 3: 'QQ', ...once, 55: 'ZZX' })));
  expect(report.entries.map(({ severity, reason, value }) => [severity, reason, value])).toEqual([
    ['notice', 'carrier-unknown', 'QQ'],
    ['notice', 'station-unknown', 'ZZX'],
  ]);
  const { carrier, arrival, distance } = await onlyFlight();
  const date = { local: '2026-06-01', utc: '2026-06-01' };
  expect([carrier, arrival, distance]).toEqual([
    { iata: 'QQ' },
    { airport: { iata: 'ZZX' }, terminal: '', date, time: { local: '14:00', utc: '18:00' } },
    undefined,
  ]);
});

test('a filed variation that differs from the zone is reported with its line', async () => {
  const report = await publish(buildFile(buildLeg({ 48: '+0000', 22: '02JUN26' })));
  expect(report.entries).toMatchObject([
    { severity: 'corrected', line: 3, bytes: [48, 70], reason: 'variation-mismatch', value: 'LHR +0000, JFK -0400' },
  ]);
  expect(report.entries[0]?.message).toContain('(LHR +0100) on 2 days (2026-06-01 to 2026-06-02);');
});

test('a filed variation is kept if the flight would arrive before it departs by the zones', async () => {
  const report = await publish(buildFile(buildLeg({ ...once, 55: 'LIS', 58: '1050', 62: '1050', 66: '+0000' })));
  const { elapsedTime, departure, arrival } = await onlyFlight();
  expect([elapsedTime, departure.time.utc, arrival.time.utc]).toEqual([50, '10:00', '10:50']);
  expect(report.entries).toMatchObject([
    { severity: 'corrected', reason: 'variation-kept', value: 'LHR +0100, LIS +0000' },
  ]);
});

test('two departures on one day have different status keys, whatever their origin dates', async () => {
  const early = { 15: '02JUN26', 22: '11JUN26', 40: '0100', 44: '0100', 58: '0400', 62: '0400', 193: '11' };
  const late = { 10: '02', 15: '11JUN26', 40: '2300', 44: '2300', 58: '0200', 62: '0200', 193: '01' };
  const first = [buildLeg({ 22: '10JUN26' }), buildSecondLeg(early)];
  await publish(buildFile(...first, buildLeg({ 10: '02', 15: '11JUN26' }), buildSecondLeg(late)), on(11, 3));
  const rows = await db<{ status: bigint }[]>`
    select status_order as status from flight_instance join location on location.id = departure
    where location.iata = 'JFK' and departs_at >= '2026-06-11' and departs_at < '2026-06-12'`;
  expect([rows.length, new Set(rows.map(({ status }) => status)).size]).toEqual([2, 2]);
});

test('loading one carrier keeps the history of another', async () => {
  const later = (from: string) =>
    buildWholeFile(header, buildCarrier({ 15: '10JUN26' }), buildLeg({ 15: from }), buildTrailer('E'));
  await publish(later('09JUN26'), on(10, 5));
  await publish(later('12JUN26'), on(12, 5));
  await publish(yyFile, on(12, 5));
  const [row] = await db<{ flights: bigint; known: bigint }[]>`
    select count(*) as flights, count(segment.id) as known from flight_instance left join segment on segment.id = segment_id`;
  expect(row?.known).toBe(row?.flights);
});

const fileUnder = (designator: string, number: string, bytes: RecordBytes = {}): string =>
  buildCarrierFile(designator, buildLeg({ 3: designator, 6: number, 22: '02JUN26', ...bytes }));
const inForce = async (): Promise<readonly string[]> =>
  (await db<{ name: string }[]>`select designator || flight_number as name from schedule_record order by 1`)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('XX'));

test.each([
  ['a day that is rewritten', 0],
  ['a day with few changes', 20],
])(
  'a carrier that files under two designators can have one schedule replaced without the other: %s',
  async (_, many) => {
    const others = Array.from({ length: many }, (__, index) => buildLeg({ 3: 'YY', 6: String(1000 + index) }));
    if (many > 0) await publish(buildCarrierFile('YY', ...others));
    const ofXX = async () => (await flights()).filter((name) => name.startsWith('XX'));
    await publish(fileUnder('XXA', '0900'));
    await publish(fileUnder('XX ', '0101', noonLeg));
    expect(await ofXX()).toEqual(listOnDays([1, 2], 'XX900 11:00', 'XX101 12:00'));
    expect(await inForce()).toEqual(['XX101', 'XXA900']);
    await publish(fileUnder('XX ', '0202', { 40: '1300', 44: '1300' }));
    expect(await ofXX()).toEqual(listOnDays([1, 2], 'XX900 11:00', 'XX202 13:00'));
    expect(await inForce()).toEqual(['XX202', 'XXA900']);
    expect(await dayCounts()).toEqual({ '2026-06-01': many + 2, '2026-06-02': many + 2 });
  },
);

test('a carrier that files under two designators keeps the history of one designator when the other is loaded', async () => {
  await publish(fileUnder('XXA', '0900'));
  await publish(fileUnder('XX ', '0101', noonLeg));
  const later = [buildCarrier({ 15: '03JUN26' }), buildLeg({ 15: '03JUN26' }), buildTrailer('E')];
  await publish(buildWholeFile(header, ...later), on(3, 2));
  await publish(fileUnder('XXA', '0901'), on(3, 2));
  expect(await flights()).toEqual([...listOnDays([1, 2], 'XX901 11:00', 'XX101 12:00'), 'XX101 2026-06-03 11:00']);
});

test('a carrier that files under two designators may have both in one file', async () => {
  const inOne = (first: string, second: string) => {
    const [xx, xxa] = [buildLeg({ 6: first, ...once }), buildLeg({ 3: 'XXA', 6: second, ...once })];
    const ofXxa = [buildCarrier({ 3: 'XXA' }), xxa, buildTrailer('E', 'XXA')];
    return buildWholeFile(header, buildCarrier(), xx, buildTrailer('C'), ...ofXxa);
  };
  await publish(inOne('0101', '0900'));
  await publish(inOne('0102', '0901'));
  expect((await flights()).toSorted()).toEqual(['XX102 2026-06-01 11:00', 'XX901 2026-06-01 11:00']);
  expect(await inForce()).toEqual(['XX102', 'XXA901']);
});

test('extending the horizon adds the missing days once', async () => {
  await publish(buildFile(buildLeg()), on(2, 2));
  expect(await extendHorizon(db, on(4, 2))).toEqual({ days: 2, instances: 2 });
  expect(await extendHorizon(db, on(4, 2))).toEqual({ days: 0, instances: 0 });
  expect(await flights()).toEqual(listOnDays([1, 2, 3, 4], 'XX101 11:00'));
});

test('extending the horizon gives the same flights as a load', async () => {
  await publish(buildFile(buildLeg()), on(2, 9));
  const whole = await digest();
  await clearSchedules(db);
  await publish(buildFile(buildLeg()), on(2, 4));
  await extendHorizon(db, on(2, 9));
  expect(await digest()).toBe(whole);
});

test('in a store of an older version, the designators come from its schedules, and loads without them are rejected', async () => {
  await publish(buildFile(buildLeg()));
  await publish(yyFile);
  await db`alter table itinerary drop column designator`;
  await db`drop table schedule_records_due`;
  await db`create index itinerary_carrier on itinerary (carrier_id) where retired_by is null`;
  await db`delete from schema_migration where version = 6`;
  expect(await migrate(db)).toEqual(['0006-designators.sql']);
  const asBefore = db`
    insert into itinerary (id, carrier_id, flight_number, suffix, variation, from_date, to_date, doc, load_id)
    select id + 1000, carrier_id, flight_number, suffix, variation, from_date, to_date, doc, load_id from itinerary`;
  await expect(asBefore).rejects.toThrow('"designator"');
  await publish(buildFile(buildLeg({ 6: '0777' })));
  expect(await flights()).toEqual(listOnDays([1, 2], 'XX777 11:00', 'YY900 23:00'));
});

test('a load whose rows cannot be built fails with that error and releases the store', async () => {
  const codes = { iata: 'NUL', icao: '', faa: '', name: '', cityCode: '', countryCode: '', rank: 1 };
  await db.begin((sql) => upsertLocations(sql, [{ ...codes, latitude: 0, longitude: 0, zone: 'Nowhere/Never' }]));
  await expect(publish(buildFile(buildLeg({ 55: 'NUL' })))).rejects.toThrow("unknown time zone: 'Nowhere/Never'");
  await publish(buildFile(buildLeg()));
  expect(await flights()).toEqual(listOnDays([1, 2], 'XX101 11:00'));
});

// This one is last, because it changes master data.
test('a carrier can be loaded again after its code has a new first owner, and after another one took it over', async () => {
  await publish(buildFile(buildLeg()));
  await db`update carrier set rank = 5 where iata = 'XX'`;
  await db`insert into carrier (iata, icao, name, rank) values ('XX', 'XXB', 'Second Example', 1)`;
  await publish(buildFile(buildLeg()));
  expect(await flights()).toEqual(listOnDays([1, 2], 'XX101 11:00'));
  await db`update carrier set iata = 'ZZ' where rank = 1 and iata = 'XX'`;
  await db`update carrier set rank = 1 where iata = 'XX'`;
  await publish(buildFile(buildLeg({ 6: '0777' })));
  expect(await flights()).toEqual(listOnDays([1, 2], 'XX777 11:00'));
  expect(await db`select count(*)::int as left from itinerary where retired_by is null`).toEqual([{ left: 1 }]);
});
