import { beforeAll, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { createTestApp } from '#test/support/test-app.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { distances, getJson } from '#test/products/responses.ts';
import { lisbon, newYork } from './example-schedule.ts';
import { formatFlight, listFlightPages, serveStatuses, xx101, type FlightReference } from './status-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveStatuses);

const reference = (carrier: string, flightNumber: number, departureAirport: string): FlightReference => ({
  carrier,
  flightNumber,
  originDate: '2026-06-01',
  departureAirport,
});
const end = (airport: string, at?: string) => ({ airport, ...(at !== undefined && { at: `${at}:00Z` }) });
/** XX 9101 LIS-JFK of 1 June carries the passengers of XX 101. */
const recovery = reference('XX', 9101, 'LIS');
const recoveryPlan = {
  flightType: 'Unscheduled',
  departs: end('LIS', '2026-06-01T16:00'),
  arrives: end('JFK', '2026-06-01T23:30'),
  aircraftType: { icao: 'B789' },
  recovers: xx101(),
};

beforeAll(async () => {
  // A field with an FAA code only.
  const codes = { iata: '', icao: '', faa: 'NK39', cityCode: '', countryCode: 'US' };
  const place = { name: 'One field', latitude: 42.5, longitude: -73.5, zone: 'America/New_York', rank: 1 };
  await world.db.begin((sql) => upsertLocations(sql, [{ ...codes, ...place }]));
  await world.refresh();
  const businessPlan = { flightType: 'GA', departs: end('NK39', '2026-06-01T14:00'), arrives: end('KJFK') };
  await world.report(reference('LXJ', 342, 'NK39'), [
    '2026-05-31T20:00:00Z',
    { proposed: true, aircraft: { registration: 'N342QS' }, plan: businessPlan },
  ]);
  const charterPlan = {
    flightType: 'Unscheduled',
    departs: end('JFK', '2026-06-01T23:50'),
    arrives: end('NK39', '2026-06-02T00:40'),
    serviceType: 'C',
    aircraftType: { iata: '320', icao: 'A320' },
  };
  await world.report(reference('WW', 77, 'JFK'), ['2026-05-31T20:00:00Z', { plan: charterPlan }]);
  const landing = { number: 1, airport: 'LIS', actual: { on: '2026-06-01T12:58:00Z' } };
  await world.report(xx101(), ['2026-06-01T13:10:00Z', { diversions: [landing] }]);
  const departure = { estimated: { out: '2026-06-01T16:10:00Z' } };
  await world.report(recovery, ['2026-06-01T13:30:00Z', { plan: recoveryPlan, departure }]);
});

const june1 = 'DepartureDateTime=2026-06-01';
const of9101 = `${june1}&FlightNumber=9101`;
const business = 'LXJ342 NK39-JFK 06-01 10:00';
const charter = 'WW77 JFK-NK39 06-01 19:50';
const xx9101 = 'XX9101 LIS-JFK 06-01 17:00';
const jfk301 = 'XX301 JFK-LAX 06-01 13:00';

const field = { airport: { faa: 'NK39' }, country: { code: 'US' } };
const june = { local: '2026-06-01', utc: '2026-06-01' };
const at = (local: unknown, utc: unknown) => ({ date: june, time: { local, utc } });
const unscheduled = {
  segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
  codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
  isOperating: true,
  statusKey: expect.stringMatching(/^[0-9a-f]{64}$/),
};

test('a filed business flight has its known properties only', async () => {
  const equipment = { aircraftRegistrationNumber: 'N342QS' };
  expect(await world.getOnly(`${june1}&FlightNumber=342&Content=Status,Seats,Map`)).toEqual({
    ...unscheduled,
    carrier: { icao: 'LXJ' },
    flightNumber: 342,
    flightType: 'GA',
    departure: { ...field, ...at('10:00', '14:00') },
    arrival: {
      ...newYork,
      ...at(expect.stringMatching(/^10:4\d$/), expect.stringMatching(/^14:4\d$/)),
      isEstimated: true,
    },
    elapsedTime: 0,
    aircraftType: {},
    serviceType: {},
    distance: expect.objectContaining({ greatCircleKilometers: expect.closeTo(208, -1) }),
    statusDetails: [
      { state: 'Proposed', updatedAt: '2026-05-31T20:00:00.000', equipment, departure: field, arrival: newYork },
    ],
  });
});

test('a charter has its type, its times and its elapsed minutes', async () => {
  const flight = await world.getOnly(`${june1}&FlightNumber=77`);
  expect(flight).toMatchObject({
    flightType: 'Unscheduled',
    elapsedTime: 50,
    aircraftType: { iata: '320', icao: 'A320' },
    serviceType: { iata: 'C' },
    arrival: { ...field, date: { local: '2026-06-01', utc: '2026-06-02' }, time: { local: '20:40', utc: '00:40' } },
  });
});

test('a recovery flight is a complete record, with a link to the flight it recovers', async () => {
  const original = await world.getOnly(`${june1}&CarrierCode=XX&FlightNumber=101`);
  expect(await world.getOnly(`${of9101}&Content=Status`)).toEqual({
    ...unscheduled,
    carrier: { iata: 'XX', icao: 'XXA' },
    flightNumber: 9101,
    flightType: 'Unscheduled',
    departure: { ...lisbon, ...at('17:00', '16:00') },
    arrival: { ...newYork, ...at('19:30', '23:30') },
    elapsedTime: 450,
    aircraftType: { icao: 'B789' },
    serviceType: { iata: 'J' },
    distance: distances([expect.closeTo(5400, -2), expect.closeTo(3355, -2), expect.closeTo(2916, -2)]),
    originalFlight: `http://service.test/flight-instances/2026-06-01/${original.scheduleInstanceKey}?version=v2`,
    statusDetails: [
      {
        state: 'Scheduled',
        updatedAt: '2026-06-01T13:30:00.000',
        departure: {
          estimatedTime: {
            outGateTimeliness: 'Delayed',
            outGateVariation: '00:10:00',
            outGate: { local: '2026-06-01T17:10:00+01:00', utc: '2026-06-01T16:10:00+00:00' },
          },
          ...lisbon,
        },
        arrival: newYork,
        irregularOperationType: 'Recovery',
      },
    ],
  });
});

test('the link of a recovery flight returns the diverted flight', async () => {
  const { originalFlight } = await world.getOnly(of9101);
  const original = await getJson<FlightInstance>(world, originalFlight);
  const seen = [formatFlight(original), original.statusDetails?.[0]?.irregularOperationType];
  expect(seen).toEqual(['XX101 LHR-JFK 06-01 11:00', 'Diverted']);
});

test('the link of a recovery flight has the public URL of the service, path included', async () => {
  const app = await createTestApp(world.db, { publicUrl: 'https://flights.example/api/' });
  const get = (path: string): Promise<Response> =>
    app.request(`http://service.test${path}`, { headers: { 'subscription-key': TEST_KEY } });
  const { data } = await getJson<FlightInstancePage>({ get }, `/flight-instances?${of9101}`);
  const original = await world.getOnly(`${june1}&CarrierCode=XX&FlightNumber=101`);
  const url = `https://flights.example/api/flight-instances/2026-06-01/${original.scheduleInstanceKey}?version=v2`;
  expect(data.map(({ originalFlight }) => originalFlight)).toEqual([url]);
});

test('only recovery flights have the link', async () => {
  const { data } = await world.getPage(`${june1}&Limit=100`);
  const linked = data.filter(({ originalFlight }) => originalFlight !== undefined);
  expect(linked.map(formatFlight)).toEqual([xx9101]);
});

test.each<readonly [query: string, expected: readonly string[]]>([
  ['FlightType=GA', [business]],
  ['FlightType=Unscheduled', [xx9101, charter]],
  ['FlightType=Unscheduled,GA', [business, xx9101, charter]],
  ['FlightType=Scheduled&CarrierCode=WW', []],
  ['FlightType=scheduled,ga&DepartureCountryCode=US', [business, jfk301]],
  ['DepartureCountryCode=US', [business, jfk301, charter]],
  ['ServiceType=undefined', [business]],
  ['ServiceType=C', [charter]],
  ['ServiceType=Passenger&FlightType=Unscheduled,GA', [xx9101, charter]],
  ['ServiceType=Cargo&DepartureAirport=LIS', []],
  ['Codeshare=Operating&FlightNumber=9101', [xx9101]],
  ['ArrivalAirport=JFK&FlightType=Unscheduled', [xx9101]],
  ['DepartureAirport=nk39&CodeType=FAA', [business]],
  ['ArrivalAirport=NK39&CodeType=FAA', [charter]],
  ['DepartureAirport=NK39,KJFK&CodeType=ICAO,FAA', [business, jfk301, charter]],
  ['DepartureAirport=NK39', []],
  ['DepartureAirport=NK39&CodeType=ICAO', []],
  ['CarrierCode=LXJ&CodeType=ICAO', [business]],
  ['AircraftRegistrationNumber=n342-qs', [business]],
  ['ArrivalDateTime=2026-06-01&FlightType=Unscheduled', [xx9101, charter]],
  ['ArrivalDateTime=2026-06-01T20:40&ArrivalCountryCode=US', [charter]],
])('finds unscheduled flights by %s', async (query, expected) => {
  const { data, paging } = await world.getPage(`${june1}&${query}&Limit=100`);
  expect([data.map(formatFlight), paging.totalCount]).toEqual([expected, expected.length]);
});

test('unscheduled flights are found in the count and the pages of their day, in the order of departure', async () => {
  const { data } = await world.getPage(`${june1}&Limit=100`);
  expect(data.map(formatFlight)).toHaveLength(11);
  expect(data.slice(-2).map(formatFlight)).toEqual([xx9101, charter]);
  for (const limit of [1, 4]) {
    const pages = await listFlightPages(world, `${june1}&Limit=${limit}`);
    expect(pages.flatMap((page) => page.data)).toEqual(data);
    for (const { paging } of pages) expect(paging).toMatchObject({ totalCount: 11, totalPages: Math.ceil(11 / limit) });
  }
});

test('unscheduled flights are found on a day without schedules', async () => {
  const departs = end('LIS', '2026-07-24T16:00');
  const plan = { ...recoveryPlan, departs, arrives: end('JFK'), recovers: undefined };
  await world.report({ ...recovery, originDate: '2026-07-24' }, ['2026-06-01T13:30:00Z', { plan }]);
  const { data, paging } = await world.getPage('DepartureDateTime=2026-07-24');
  expect([data.map(formatFlight), paging.totalCount]).toEqual([['XX9101 LIS-JFK 07-24 17:00'], 1]);
});

test('a business flight goes from Proposed to inAir to Landed, with runway times only', async () => {
  await world.report(
    { ...reference('LXJ', 342, 'NK39'), arrivalAirport: 'JFK' },
    ['2026-06-01T14:06:30Z', { proposed: false, departure: { actual: { off: '2026-06-01T14:06:00Z' } } }],
    ['2026-06-01T14:50:00Z', { arrival: { actual: { on: '2026-06-01T14:49:00Z' } } }],
  );
  const { statusDetails = [] } = await world.getOnly(`${june1}&FlightNumber=342&Content=StatusHistory`);
  expect(statusDetails.map(({ state }) => state)).toEqual(['Landed', 'inAir', 'Proposed']);
  const offGround = { local: '2026-06-01T10:06:00-04:00', utc: '2026-06-01T14:06:00+00:00' };
  const onGround = { local: '2026-06-01T10:49:00-04:00', utc: '2026-06-01T14:49:00+00:00' };
  const [latest] = statusDetails;
  expect([latest?.departure?.actualTime, latest?.arrival?.actualTime]).toEqual([{ offGround }, { onGround }]);
});
