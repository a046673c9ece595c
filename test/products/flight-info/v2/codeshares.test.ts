import { beforeEach, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { buildCarrierFile, buildFile, buildLeg, buildSegment, times } from '#test/feeds/ssim/build-file.ts';
import { deleteEvents, listEventChanges } from '#test/jobs/status/emitted-events.ts';
import { localDate } from '#domain/time/dates.ts';
import { deleteDay } from '#store/flights/expanded-days.ts';
import { sharedService } from '#test/support/shared-service.ts';
import { publishText } from '#test/support/tiny-world.ts';
import {
  formatFlight,
  listFlightPages,
  serveStatuses,
  type FlightReference,
  type StatusService,
} from './status-service.ts';

// XX 101 LHR-JFK, sold as YD 9020 and YY 5101, and XX 103, sold as YD 9022. YD is not in the master data and files nothing.
const operating = [
  buildLeg(),
  buildSegment(10, 'YD 9020 /YY 5101 '),
  buildLeg({ 6: '0103' }, times('1300', '1600')),
  buildSegment(10, 'YD 9022A', { 6: '0103' }),
];
const serve = () => serveStatuses({ text: buildFile(...operating) });
const world = sharedService(serve);
beforeEach(() => deleteEvents(world.db));

const june1 = 'DepartureDateTime=2026-06-01';
const ofYd9020 = `${june1}&CarrierCode=YD&FlightNumber=9020`;
const ofXx101 = `${june1}&CarrierCode=XX&FlightNumber=101`;

const listFlights = async (query: string): Promise<readonly string[]> => {
  const { data, paging } = await world.getPage(query);
  expect(paging.totalCount).toBe(data.length);
  return data.map(formatFlight);
};

/** Lists the flights of the events, sorted. */
const listEventFlights = async ({ db }: Pick<StatusService, 'db'>): Promise<readonly string[]> =>
  (await listEventChanges(db)).map(([name = '']) => name).toSorted((a, b) => a.localeCompare(b));

const [xx101, yd9020, yd9022] = [
  'XX101 LHR-JFK 06-01 11:00',
  'YD9020 LHR-JFK 06-01 11:00',
  'YD9022A LHR-JFK 06-01 13:00',
];

test('a marketing flight that only the operating flight names is found as its codeshare', async () => {
  const flight = await world.getOnly(ofXx101);
  const codeshare: FlightInstance = {
    ...flight,
    carrier: { iata: 'YD' },
    flightNumber: 9020,
    codeshare: {
      operatingAirlineDisclosure: { code: 'XX', name: 'Example Airways', number: '' },
      ...flight.codeshare,
      marketingFlights: [],
      operatingFlight: { code: 'XX', serviceNumber: '101', suffix: '' },
    },
    scheduleInstanceKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    isOperating: false,
  };
  const found = await world.getOnly(ofYd9020);
  expect(found).toEqual(codeshare);
  expect(Object.keys(found)).toEqual(Object.keys(flight));
  expect(found.scheduleInstanceKey).not.toBe(flight.scheduleInstanceKey);
});

test.each([
  ['its carrier and number', ofYd9020, [yd9020]],
  ['its carrier', `${june1}&CarrierCode=YD`, [yd9020, yd9022]],
  ['its number', `${june1}&FlightNumber=9022`, [yd9022]],
  ['its carrier as a marketing flight', `${june1}&CarrierCode=YD&Codeshare=Marketing`, [yd9020, yd9022]],
  ['its carrier and both airports', `${ofYd9020}&DepartureAirport=LHR&ArrivalAirport=JFK`, [yd9020]],
  ['another carrier with the number', `${june1}&CarrierCode=YY&FlightNumber=9020`, []],
  ['its carrier as an operating flight', `${june1}&CarrierCode=YD&Codeshare=Operating`, []],
  ['a day without the flight', 'DepartureDateTime=2026-07-01&CarrierCode=YD', []],
  ['another airport', `${ofYd9020}&ArrivalAirport=LAX`, []],
])('codeshares are found by their designator: %s', async (_, query, flights) => {
  expect(await listFlights(query)).toEqual(flights);
});

test('a list without carrier and number contains the flights of the schedules only', async () => {
  expect(await listFlights(`${june1}&DepartureAirport=LHR`)).toEqual([xx101, 'XX103 LHR-JFK 06-01 13:00']);
});

test('pages of codeshares and flights follow one another', async () => {
  const query = 'DepartureDateTime=2026-06-01/2026-06-02&CarrierCode=YD,XX,YY&Limit=2';
  const pages = await listFlightPages(world, query);
  const names = pages.map(({ data }) => data.map((flight) => formatFlight(flight)));
  const ofDay = [xx101, yd9020, 'YY5101 LHR-JFK 06-01 11:00', 'XX103 LHR-JFK 06-01 13:00', yd9022];
  const expected = [...ofDay, ...ofDay.map((name) => name.replace('06-01', '06-02'))];
  expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 2, 2, 2]);
  expect(names.flat().toSorted()).toEqual(expected.toSorted());
  expect(pages.map(({ paging }) => paging.totalCount)).toEqual([10, 10, 10, 10, 10]);
});

test('the single codeshare has the data of its operating flight', async () => {
  const [flight, codeshare] = [await world.getOnly(ofXx101), await world.getOnly(ofYd9020)];
  const { bookingClasses } = await world.getSingle(flight);
  expect(await world.getSingle(codeshare)).toMatchObject({ ...codeshare, bookingClasses, statusDetails: [] });
});

const yd = (more: Partial<FlightReference> = {}): FlightReference => ({
  carrier: 'YD',
  flightNumber: 9020,
  originDate: '2026-06-01',
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
  ...more,
});

test.each([
  ['by both airports', yd(), 'B1', [xx101, yd9020, 'YY5101 LHR-JFK 06-01 11:00']],
  ['by its departure', yd({ arrivalAirport: undefined }), 'B2', [xx101, yd9020, 'YY5101 LHR-JFK 06-01 11:00']],
  ['with a suffix', yd({ flightNumber: 9022, suffix: 'A' }), 'B3', ['XX103 LHR-JFK 06-01 13:00', yd9022]],
])('a status of a codeshare is that of its operating flight: %s', async (_, reference, departureGate, flights) => {
  await world.report(reference, ['2026-06-01T09:00Z', { departure: { gate: departureGate } }]);
  const gates = await Promise.all(
    flights.map(async (name) => {
      const [, carrier = '', number = ''] = /^(..)(\d+)/.exec(name) ?? [];
      const flight = await world.getOnly(`${june1}&CarrierCode=${carrier}&FlightNumber=${number}&Content=Status`);
      return [formatFlight(flight), flight.statusDetails?.[0]?.departure?.gate];
    }),
  );
  expect(gates).toEqual(flights.map((name) => [name, departureGate]));
});

test('a change of the operating flight emits an event for each codeshare', async () => {
  await world.report(yd({ carrier: 'XX', flightNumber: 101 }), ['2026-06-01T09:30Z', { departure: { gate: 'C9' } }]);
  expect(await listEventFlights(world)).toEqual(['XX101', 'YD9020', 'YY5101']);
});

test('the record of the partner replaces the codeshare, until the partner files it no more', async () => {
  const own = await serve();
  const before = await own.getOnly(ofYd9020);
  const filed = buildLeg({ 3: 'YD', 6: '9020', 73: '320' }, times('1105', '1400'));
  await publishText(own.db, buildCarrierFile({ 3: 'YD' }, filed, buildSegment(50, 'XX 0101 ', { 3: 'YD', 6: '9020' })));
  await own.refresh();
  const partner = await own.getOnly(ofYd9020);
  expect([formatFlight(partner), partner.aircraftType.iata, partner.scheduleInstanceKey]).toEqual([
    'YD9020 LHR-JFK 06-01 11:05',
    '320',
    before.scheduleInstanceKey,
  ]);
  expect(await own.getSingle(partner)).toMatchObject({ ...partner, statusDetails: [] });
  // XX 103 names YD 9022, which YD does not file.
  const listYd = async () => (await own.getPage(`${june1}&CarrierCode=YD`)).data.map(formatFlight);
  expect(await listYd()).toEqual(['YD9020 LHR-JFK 06-01 11:05', yd9022]);
  await deleteEvents(own.db);
  await own.report(yd(), ['2026-06-01T09:30Z', { departure: { gate: 'C9' } }]);
  expect(await listEventFlights(own)).toEqual(['XX101', 'YD9020', 'YY5101']);
  const other = buildLeg({ 3: 'YD', 6: '0001' }, times('1105', '1400'));
  await publishText(own.db, buildCarrierFile({ 3: 'YD' }, other));
  await own.refresh();
  expect(formatFlight(await own.getOnly(ofYd9020))).toBe(yd9020);
  expect(await listYd()).toEqual([yd9020, 'YD1 LHR-JFK 06-01 11:05', yd9022]);
  await own.drop();
});

test('all codeshares of a carrier over many days are those that a search by airport finds too', async () => {
  const query = 'DepartureDateTime=2026-06-01/2026-06-30&CarrierCode=YD,XX&Content=Status&Limit=7';
  const [byCarrier, byType, byAirport] = [
    await listFlightPages(world, query),
    await listFlightPages(world, `${query}&FlightType=GA,Scheduled`),
    await listFlightPages(world, `${query}&DepartureAirport=LHR`),
  ];
  for (const pages of [byType, byAirport]) {
    expect(pages.map(({ data }) => data)).toEqual(byCarrier.map(({ data }) => data));
    expect(pages[0]?.paging.totalCount).toBe(byCarrier[0]?.paging.totalCount);
  }
  expect(await listFlights(`${june1}&CarrierCode=YD&FlightType=Unscheduled`)).toEqual([]);
  expect(byCarrier.flatMap(({ data }) => data).filter(({ carrier }) => carrier.iata === 'YD').length).toBe(60);
});

test('a new schedule and a deleted day remove the codeshares that they contained', async () => {
  const own = await serve();
  await publishText(own.db, buildFile(buildLeg(), buildSegment(10, 'YD 9024 ')));
  await own.refresh();
  const listYd = async () => (await own.getPage(`${june1}&CarrierCode=YD`)).data.map(formatFlight);
  expect(await listYd()).toEqual(['YD9024 LHR-JFK 06-01 11:00']);
  await own.db.begin((sql) => deleteDay(sql, localDate('2026-06-01')));
  expect(await own.db`select from flight_codeshare where departs_at::date <= '2026-06-01'`).toHaveLength(0);
  await own.drop();
});
