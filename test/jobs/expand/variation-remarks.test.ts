import { expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { buildCarrier, buildFile, buildLeg, buildTrailer, header, times } from '#test/feeds/ssim/build-file.ts';
import { buildWholeFile, type RecordBytes } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData, type PublishOptions } from '#test/support/tiny-world.ts';
import { clearSchedules } from './schedule-events/stored-schedule.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({ prepare: saveTinyMasterData, reset: clearSchedules });

const from = (day: string, days: number): PublishOptions => ({
  today: localDate(day),
  window: { from: localDate(day), days },
});

/** Publishes records, by default in local time from 1 to 10 June, and returns the remarks about times. */
const listRemarks = async (records: readonly string[], options = from('2026-06-01', 10), mode = 'L') => {
  const text = buildWholeFile(header, buildCarrier({ 2: mode }), ...records, buildTrailer('E'));
  const { entries } = await publishText(db, text, options);
  return entries.map(({ line, reason, value, message }) => [line, reason, value, message]);
};
const readFlights = async (): Promise<readonly FlightInstance[]> => {
  const rows = await db<{ doc: string }[]>`select doc from flight_instance order by departs_at, key_order`;
  return rows.map(({ doc }) => JSON.parse(doc));
};
const readTimes = async () =>
  (await readFlights()).map(({ departure, arrival, elapsedTime }) => [departure.time, arrival.time, elapsedTime]);

/** Numbered records, with JFK in the time of Chicago. */
const inChicagoTime = (number: string, ...layers: readonly RecordBytes[]): string =>
  buildLeg({ 6: number, 66: '-0500' }, ...layers);

test('a variation that one of the records of a station has is reported with the record, its days and the offset of the zone', async () => {
  const wrong = inChicagoTime('0102', { 29: '1 3    ' });
  expect(await listRemarks([buildLeg(), wrong])).toEqual([
    [
      4,
      'variation-mismatch',
      'LHR +0100, JFK -0500',
      'A UTC variation differs from its time zone (JFK -0400) on 4 days (2026-06-01 to 2026-06-10); local times were kept, and UTC times follow the time zone.',
    ],
  ]);
});

test('a variation that all records of a station share is reported once, for the station, with what it would change', async () => {
  const records = [inChicagoTime('0101'), inChicagoTime('0102', { 29: '1234   ' })];
  const message =
    'On 10 days (2026-06-01 to 2026-06-10), all 2 records of JFK have another UTC variation than its time zone America/New_York (-0400); local times were kept. ' +
    'By the filed variations, the UTC times of 17 departures and arrivals would be 60 minutes later: check the time zone of the station.';
  expect(await listRemarks(records)).toEqual([[undefined, 'station-variation', 'JFK -0500', message]]);
});

test('in a file in UTC, the UTC times are kept, and the remarks say so', async () => {
  const utc = { 48: '+0100', ...times('1000', '1800') };
  const shared = await listRemarks(
    [inChicagoTime('0101', utc), inChicagoTime('0102', utc)],
    from('2026-06-01', 10),
    'U',
  );
  expect(shared).toEqual([
    [
      undefined,
      'station-variation',
      'JFK -0500',
      'On 10 days (2026-06-01 to 2026-06-10), all 2 records of JFK have another UTC variation than its time zone America/New_York (-0400); UTC times were kept. ' +
        'By the filed variations, the local times of 20 departures and arrivals would be 60 minutes earlier: check the time zone of the station.',
    ],
  ]);
  const [[departure, arrival] = []] = await readTimes();
  expect([departure, arrival]).toEqual([
    { local: '11:00', utc: '10:00' },
    { local: '14:00', utc: '18:00' },
  ]);
  const single = await listRemarks([buildLeg(utc), inChicagoTime('0102', utc)], from('2026-06-01', 10), 'U');
  expect(single.map(([line, reason, , message]) => [line, reason, String(message).split('; ')[1]])).toEqual([
    [4, 'variation-mismatch', 'UTC times were kept, and local times follow the time zone.'],
  ]);
});

test('a leg that would arrive before it departs is reported with its days, also at a station that all records file otherwise', async () => {
  const toLisbon = { 55: 'LIS', 58: '1050', 62: '1050', 66: '+0000' };
  const remarks = await listRemarks([buildLeg(toLisbon), buildLeg({ 6: '0102' }, toLisbon)], from('2026-06-01', 2));
  const kept =
    'A UTC variation differs from its time zone (LIS +0100) on 2 days (2026-06-01 to 2026-06-02); the variation was kept, because with the time zone the flight would arrive before it departs.';
  expect(remarks.map(([line, reason, , message]) => [line, reason, message]).slice(1)).toEqual([
    [3, 'variation-kept', kept],
    [4, 'variation-kept', kept],
  ]);
});

test.each([
  ['the offset before the change', '-0500'],
  ['the offset after the change', '-0400'],
])(
  'a local time that the clock skips becomes the time that the clock shows, and the filed one stays visible, filed with %s',
  async (_, variation) => {
    const record = buildLeg(
      { 15: '07MAR26', 22: '09MAR26', 37: 'JFK', 48: variation, 55: 'LHR', 66: '+0000' },
      times('0230', '1430'),
    );
    const remarks = await listRemarks([record], from('2026-03-08', 1));
    expect(remarks).toEqual([
      [
        3,
        'skipped-local-time',
        'JFK 02:30',
        'The clock of JFK skips this local time on 1 day (2026-03-08); the flight has the time that the clock shows at that moment, 03:30.',
      ],
    ]);
    expect(await readTimes()).toEqual([
      [{ local: '03:30', utc: '07:30', filed: '02:30' }, { local: '14:30', utc: '14:30' }, 420],
    ]);
    const [{ departure } = {}] = await readFlights();
    expect(departure?.date).toEqual({ local: '2026-03-08', utc: '2026-03-08' });
  },
);

test('an arrival at a skipped local time has the time that the clock shows', async () => {
  const record = buildLeg(
    { 15: '28MAR26', 22: '28MAR26', 37: 'JFK', 48: '-0400', 55: 'LHR', 66: '+0000', 194: '1' },
    times('1330', '0130'),
  );
  const remarks = await listRemarks([record], from('2026-03-28', 1));
  expect(remarks.map(([line, reason, value]) => [line, reason, value])).toEqual([
    [3, 'skipped-local-time', 'LHR 01:30'],
  ]);
  expect(await readTimes()).toEqual([
    [{ local: '13:30', utc: '17:30' }, { local: '02:30', utc: '01:30', filed: '01:30' }, 480],
  ]);
});

test('the schedule record of a flight keeps the filed local time on all its dates', async () => {
  const record = buildLeg(
    { 15: '08MAR26', 22: '10MAR26', 37: 'JFK', 48: '-0400', 55: 'LHR', 66: '+0000' },
    times('0230', '1430'),
  );
  await publishText(db, buildFile(record), from('2026-03-08', 3));
  const rows = await db<{ document: string }[]>`select doc as document from schedule_document`;
  const documents = rows.map(({ document }) => JSON.parse(`${document}null}}`));
  expect(
    documents.map(({ departure, clockChanges }) => [
      departure.passengerLocalTime,
      departure.passengerUtcTime,
      clockChanges,
    ]),
  ).toMatchObject([['02:30', '07:30', [{ startDate: '2026-03-09', departureUtcTime: '06:30' }]]]);
});
