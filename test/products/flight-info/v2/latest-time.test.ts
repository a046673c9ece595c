import { beforeAll, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { buildFile, buildLeg, buildSegment, times } from '#test/feeds/ssim/build-file.ts';
import { getJson } from '#test/products/responses.ts';
import { sharedService } from '#test/support/shared-service.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { formatFlight, listFlightPages, serveStatuses, xx101, xx301, xx502 } from './status-service.ts';

const world = sharedService(serveStatuses);

const out = (time: string) => ({ departure: { estimated: { out: time } } });

// London is an hour ahead of UTC, New York four behind.
beforeAll(async () => {
  // XX 101 and its marketing flight YY 5101, 11:00: three hours late, with an early arrival of 14:00.
  await world.report(
    xx101(),
    ['2026-06-01T09:00:00Z', out('2026-06-01T12:30:00Z')],
    ['2026-06-01T09:30:00Z', out('2026-06-01T13:00:40Z')],
    ['2026-06-01T09:40:00Z', { arrival: { estimated: { in: '2026-06-01T20:50:00Z' } } }],
  );
  // XX 301 to New York, 08:00: left at 07:55, landed at 10:40 instead of 11:00; the next leg is canceled.
  await world.report(
    xx301(1),
    ['2026-06-01T06:00:00Z', out('2026-06-01T08:30:00Z')],
    ['2026-06-01T06:55:00Z', { departure: { actual: { out: '2026-06-01T06:55:00Z' } } }],
    ['2026-06-01T14:40:00Z', { arrival: { actual: { on: '2026-06-01T14:40:00Z' } } }],
  );
  await world.report(xx301(2), ['2026-06-01T10:00:00Z', { cancelled: true }]);
  // XX 502A of 2 June, 11:00: diverted to Lisbon on its way to Paris, without a new arrival time.
  await world.report(
    xx502('2026-06-02'),
    ['2026-06-02T10:10:00Z', { departure: { actual: { off: '2026-06-02T10:10:00Z' } } }],
    ['2026-06-02T10:40:00Z', { diversions: [{ number: 1, airport: 'LIS', actual: { on: '2026-06-02T12:00:00Z' } }] }],
  );
  // XX 502A of 3 June, 11:00: a day and a half late, diverted to Lisbon before an earlier arrival in Paris was known.
  await world.report(
    xx502('2026-06-03'),
    ['2026-06-03T08:00:00Z', out('2026-06-04T22:00:00Z')],
    ['2026-06-03T08:10:00Z', { diversions: [{ number: 1, airport: 'LIS' }] }],
    ['2026-06-03T08:20:00Z', { arrival: { estimated: { in: '2026-06-03T10:00:00Z' } } }],
  );
});

const departs = (span: string): string => `LatestDepartureDateTime=2026-06-${span}`;
const fromLondon = (hours: string): string => `${departs(hours)}&DepartureAirport=LHR`;
const listFlights = async (query: string): Promise<readonly string[]> => {
  const { data, paging } = await world.getPage(query);
  expect(paging.totalCount).toBe(data.length);
  return data.map(formatFlight);
};

const [leg301, late101, late5101] = [
  'XX301 LHR-JFK 06-01 08:00',
  'XX101 LHR-JFK 06-01 11:00',
  'YY5101 LHR-JFK 06-01 11:00',
];
const onDay1 = ['XX501 LHR-CDG 06-01 06:00', leg301, 'XX502A LHR-CDG 06-01 11:00'];

test('LatestDepartureDateTime lists departures in the order of their latest time, legs only', async () => {
  const day = await listFlights(fromLondon('01'));
  expect(day.slice(0, 3)).toEqual(onDay1);
  expect(day.slice(3).toSorted()).toEqual([late101, late5101]);
});

test.each<readonly [query: string, expected: readonly string[]]>([
  // The minute that contains 14:00:40.
  [fromLondon('01T14:00'), [late101, late5101]],
  [fromLondon('01T13:30'), []],
  [fromLondon('01T11:00'), ['XX502A LHR-CDG 06-01 11:00']],
  [fromLondon('01T07:55'), [leg301]],
  [fromLondon('01T08:00/2026-06-01T10:59'), []],
  // Take-off, and a flight of the day before.
  [fromLondon('02T11:10'), ['XX502A LHR-CDG 06-02 11:00']],
  [fromLondon('04'), ['XX502A LHR-CDG 06-03 11:00']],
  [`${fromLondon('04')}&DepartureDateTime=2026-06-03`, ['XX502A LHR-CDG 06-03 11:00']],
  [`${fromLondon('04')}&DepartureDateTime=2026-06-04`, []],
  [`${fromLondon('01T14:00')}&CarrierCode=YY`, [late5101]],
  [`${fromLondon('01T14:00')}&Codeshare=Operating`, [late101]],
  [`${fromLondon('01')}&ArrivalAirport=CDG`, [onDay1[0] ?? '', onDay1[2] ?? '']],
  [`${departs('01T14:00')}&DepartureAirport=EGLL&CodeType=ICAO&FlightNumber=101`, [late101]],
  [`${departs('01T14:00')}&DepartureAirport=JFK`, []],
  // A canceled flight without a new time stays at its scheduled time.
  [`${departs('01T13:00')}&DepartureAirport=JFK`, ['XX301 JFK-LAX 06-01 13:00']],
  ['LatestArrivalDateTime=2026-06-01T16:50&ArrivalAirport=JFK', [late101, late5101]],
  ['LatestArrivalDateTime=2026-06-01T14:00&ArrivalAirport=JFK', []],
  ['LatestArrivalDateTime=2026-06-01T10:40&ArrivalAirport=JFK', [leg301]],
  ['LatestArrivalDateTime=2026-06-02T13:15&ArrivalAirport=CDG', ['XX502A LHR-CDG 06-02 11:00']],
  ['LatestArrivalDateTime=2026-06-02&ArrivalAirport=LIS', []],
  [
    `${fromLondon('01')}&LatestArrivalDateTime=2026-06-01T12:00/2026-06-01T17:00&ArrivalAirport=JFK`,
    [late101, late5101],
  ],
  [`${fromLondon('01')}&LatestArrivalDateTime=2026-06-01T10:40&ArrivalAirport=JFK`, [leg301]],
  [`${fromLondon('01T14:00')}&LatestArrivalDateTime=2026-06-01T10:40&ArrivalAirport=JFK`, []],
  [
    'LatestArrivalDateTime=2026-06-02T13:15&ArrivalAirport=LIS&IncludeDiverted=true&Content=Status',
    ['XX502A LHR-CDG 06-02 11:00'],
  ],
  [
    'LatestArrivalDateTime=2026-06-03T12:00&ArrivalAirport=LIS&IncludeDiverted=true&Content=Status',
    ['XX502A LHR-CDG 06-03 11:00'],
  ],
])('%s', async (query, expected) => {
  expect((await listFlights(query)).toSorted()).toEqual(expected.toSorted());
});

const day1 = 'DepartureDateTime=2026-06-01';
test.each<readonly [query: string, expected: readonly string[]]>([
  ['State=inAir', []],
  [`State=Landed&${day1}`, [leg301]],
  [`State=canceled&${day1}`, ['XX301 JFK-LAX 06-01 13:00']],
  [`State=Landed,Canceled&${day1}&DepartureAirport=LHR`, [leg301]],
  [`State=Scheduled&${day1}&DepartureAirport=LHR`, [onDay1[0] ?? '', onDay1[2] ?? '', late101, late5101]],
  [`State=Scheduled,Landed&${day1}&DepartureAirport=LHR`, [...onDay1, late101, late5101]],
  [`State=Scheduled&${fromLondon('01T12:00/2026-06-01T15:00')}`, [late101, late5101]],
  [`State=Landed&${fromLondon('01')}`, [leg301]],
  [`State=Landed&${fromLondon('01T12:00/2026-06-01T15:00')}`, []],
])('%s', async (query, expected) => {
  const search = query.includes('DateTime') ? query : `${query}&${day1}`;
  expect((await listFlights(search)).toSorted()).toEqual(expected.toSorted());
});

test('pages by latest time have every flight once', async () => {
  const pages = await listFlightPages(world, `${fromLondon('01/2026-06-03')}&Limit=1`);
  const all = await listFlights(`${fromLondon('01/2026-06-03')}&Limit=100`);
  expect(pages.map(({ data }) => data.map(formatFlight))).toEqual(all.map((flight) => [flight]));
  expect(new Set(all).size).toBe(all.length);
});

test('a cursor by latest time continues at its time after its flight has moved', async () => {
  const service = await serveStatuses();
  const query = `${departs('01')}&DepartureAirport=LHR&Codeshare=Operating&Content=Status`;
  const first = await service.getPage(`${query}&Limit=2`);
  expect(first.data.map(formatFlight)).toEqual(onDay1.slice(0, 2));
  // The last flight of the page is late now, and the first of the next page left earlier.
  await service.report(xx301(1), ['2026-06-01T06:00:00Z', out('2026-06-01T17:00:00Z')]);
  await service.report(xx502(), ['2026-06-01T06:10:00Z', out('2026-06-01T05:30:00Z')]);
  const { next = '' } = first.paging;
  const second: { readonly data: readonly FlightInstance[] } = await getJson(
    service,
    next.slice(next.indexOf('/flight')),
  );
  expect(second.data.map(formatFlight)).toEqual([late101, leg301]);
  const again = await service.getPage(query);
  expect(again.data.map(formatFlight)).toEqual([onDay1[0], onDay1[2], late101, leg301]);
  await service.drop();
});

test('a flight keeps its place by the schedule again when its estimate is withdrawn', async () => {
  const service = await serveStatuses();
  const at = async (hour: string) =>
    (await service.getPage(`${departs(`02T${hour}`)}&DepartureAirport=LHR&CarrierCode=XX&FlightNumber=101`)).data.map(
      formatFlight,
    );
  const moved = 'XX101 LHR-JFK 06-02 11:00';
  await service.report(xx101('2026-06-02'), ['2026-06-02T08:00:00Z', out('2026-06-02T15:00:00Z')]);
  expect([await at('11:00'), await at('16:00')]).toEqual([[], [moved]]);
  await service.report(xx101('2026-06-02'), ['2026-06-02T09:00:00Z', { departure: { estimated: { out: null } } }]);
  expect([await at('11:00'), await at('16:00')]).toEqual([[moved], []]);
  await service.drop();
});

test('a marketing flight that only its operating flight names has the latest time of that', async () => {
  const service = await serveStatuses({
    text: buildFile(buildLeg(), buildSegment(10, 'YD 9020 '), buildLeg({ 6: '0103' }, times('1300', '1600'))),
  });
  await service.report(xx101(), ['2026-06-01T08:00:00Z', out('2026-06-01T15:00:00Z')]);
  const search = async (span: string) =>
    (await service.getPage(`${departs(span)}&DepartureAirport=LHR&CarrierCode=YD`)).data.map(formatFlight);
  expect([await search('01T11:00'), await search('01T16:00')]).toEqual([[], ['YD9020 LHR-JFK 06-01 11:00']]);
  await service.drop();
});

test('a status outlives a schedule load with its latest time', async () => {
  const service = await serveStatuses();
  await service.report(xx101(), ['2026-06-01T08:00:00Z', out('2026-06-01T15:00:00Z')]);
  await publishText(service.db, buildFile(buildLeg({}, times('1130', '1430'))));
  await service.refresh();
  const { data } = await service.getPage(`${departs('01T16:00')}&DepartureAirport=LHR&Codeshare=Operating`);
  expect(data.map(formatFlight)).toEqual(['XX101 LHR-JFK 06-01 11:30']);
  await service.drop();
});

test.each<readonly [query: string, errors: Record<string, readonly string[]>]>([
  [departs('01'), { LatestDepartureDateTime: ['needs DepartureAirport'] }],
  ['LatestArrivalDateTime=2026-06-01&DepartureAirport=LHR', { LatestArrivalDateTime: ['needs ArrivalAirport'] }],
  [fromLondon('01/2026-06-04'), { LatestDepartureDateTime: ['must cover at most 3 calendar days, not 4'] }],
])('%s is rejected', async (query, errors) => {
  expect(await world.getErrors(query)).toEqual(errors);
});
