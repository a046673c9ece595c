import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '../../../../generated/flight-info/v2/types.gen.ts';
import {
  requestAs,
  formatFlight,
  serveStatuses,
  listPages,
  xx101,
  type FlightReference,
  type StatusService,
} from './status-service.ts';

let world: StatusService;

/** XX 9101 LIS-JFK of 1 June carries the passengers of XX 101. */
const recovery: FlightReference = {
  carrier: 'XX',
  flightNumber: 9101,
  originDate: '2026-06-01',
  departureAirport: 'LIS',
  arrivalAirport: 'JFK',
};

const plan = {
  flightType: 'Unscheduled',
  departs: { airport: 'LIS', at: '2026-06-01T16:00:00Z' },
  arrives: { airport: 'JFK', at: '2026-06-01T23:30:00Z' },
  aircraftType: { icao: 'B789' },
  recovers: xx101(),
};

beforeAll(async () => {
  world = await serveStatuses();
  await world.report(xx101(), [
    '2026-06-01T13:10:00Z',
    { diversions: [{ number: 1, airport: 'LIS', actual: { on: '2026-06-01T12:58:00Z' } }] },
  ]);
  await world.report(recovery, [
    '2026-06-01T13:30:00Z',
    { plan, departure: { estimated: { out: '2026-06-01T16:10:00Z' } } },
  ]);
});
afterAll(() => world.drop());

const june1 = 'DepartureDateTime=2026-06-01';
const of9101 = `${june1}&FlightNumber=9101`;
const matches = async (query: string): Promise<readonly string[]> =>
  (await world.getPage(query)).data.map(formatFlight);

test('a recovery flight is a complete record, with a link to the flight it recovers', async () => {
  const original = await world.getOnly(`${june1}&CarrierCode=XX&FlightNumber=101`);
  expect(await world.getOnly(`${of9101}&Content=Status`)).toEqual({
    carrier: { iata: 'XX', icao: 'XXA' },
    flightNumber: 9101,
    flightType: 'Unscheduled',
    departure: {
      airport: { iata: 'LIS', icao: 'LPPT' },
      country: { code: 'PT' },
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: '17:00', utc: '16:00' },
    },
    arrival: {
      airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
      country: { code: 'US' },
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: '19:30', utc: '23:30' },
    },
    elapsedTime: 450,
    aircraftType: { icao: 'B789' },
    serviceType: { iata: 'J' },
    segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
    distance: {
      accumulatedGreatCircleKilometers: expect.closeTo(5400, -2),
      accumulatedGreatCircleMiles: expect.closeTo(3355, -2),
      accumulatedGreatCircleNauticalMiles: expect.closeTo(2916, -2),
      greatCircleKilometers: expect.closeTo(5400, -2),
      greatCircleMiles: expect.closeTo(3355, -2),
      greatCircleNauticalMiles: expect.closeTo(2916, -2),
    },
    codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
    statusKey: expect.stringMatching(/^[0-9a-f]{64}$/),
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
          airport: { iata: 'LIS', icao: 'LPPT' },
          country: { code: 'PT' },
        },
        arrival: { airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' }, country: { code: 'US' } },
        irregularOperationType: 'Recovery',
      },
    ],
  });
});

test('the link returns the diverted flight', async () => {
  const { originalFlight = '' } = await world.getOnly(of9101);
  const response = await world.get(originalFlight.replace('http://service.test', ''));
  const original: FlightInstance = await response.json();
  expect([formatFlight(original), original.statusDetails?.[0]?.irregularOperationType]).toEqual([
    'XX101 LHR-JFK 06-01 11:00',
    'Diverted',
  ]);
});

test('the link has the public URL of the service, path included', async () => {
  const publicUrl = 'https://flights.example/api/';
  const response = await requestAs(world, { path: `/flight-instances?${of9101}`, publicUrl });
  const { data }: FlightInstancePage = await response.json();
  const original = await world.getOnly(`${june1}&CarrierCode=XX&FlightNumber=101`);
  expect(data.map(({ originalFlight }) => originalFlight)).toEqual([
    `https://flights.example/api/flight-instances/2026-06-01/${original.scheduleInstanceKey}?version=v2`,
  ]);
});

test('no other flight has such a link', async () => {
  const { data } = await world.getPage(`${june1}&Limit=100`);
  expect(data.filter(({ originalFlight }) => originalFlight !== undefined).map(formatFlight)).toEqual([
    'XX9101 LIS-JFK 06-01 17:00',
  ]);
});

test.each<readonly [string, string, readonly string[]]>([
  ['passenger flights', 'ServiceType=Passenger&DepartureAirport=LIS', ['XX9101 LIS-JFK 06-01 17:00']],
  ['unscheduled flights', 'FlightType=Unscheduled', ['XX9101 LIS-JFK 06-01 17:00']],
  ['operating flights', 'Codeshare=Operating&FlightNumber=9101', ['XX9101 LIS-JFK 06-01 17:00']],
  ['its actual arrival airport', 'ArrivalAirport=JFK&FlightType=Unscheduled', ['XX9101 LIS-JFK 06-01 17:00']],
  ['not: scheduled flights', 'FlightType=Scheduled&FlightNumber=9101', []],
  ['not: business aviation', 'FlightType=GA', []],
  ['not: cargo flights', 'ServiceType=Cargo&DepartureAirport=LIS', []],
])('a recovery flight is among %s', async (_, query, expected) => {
  expect(await matches(`${june1}&${query}`)).toEqual(expected);
});

test('a day counts its unscheduled flights, and its pages hold them in the order of departure', async () => {
  const whole = await matches(`${june1}&Limit=100`);
  expect(whole).toHaveLength(9);
  expect(whole.at(-1)).toBe('XX9101 LIS-JFK 06-01 17:00');
  for (const limit of [1, 4, 8]) {
    const pages = await listPages(world, `${june1}&Limit=${limit}`);
    expect(pages.flatMap(({ data }) => data.map(formatFlight))).toEqual(whole);
    expect(pages.map(({ paging }) => [paging.totalCount, paging.totalPages])).toEqual(
      pages.map(() => [9, Math.ceil(9 / limit)]),
    );
  }
});

test('a day without schedules contains its unscheduled flight', async () => {
  const atChristmas = {
    ...plan,
    departs: { airport: 'LIS', at: '2026-12-24T16:00:00Z' },
    arrives: { airport: 'JFK' },
    recovers: undefined,
  };
  await world.report({ ...recovery, originDate: '2026-12-24' }, ['2026-06-01T13:30:00Z', { plan: atChristmas }]);
  const { data, paging } = await world.getPage('DepartureDateTime=2026-12-24');
  expect([data.map(formatFlight), paging.totalCount]).toEqual([['XX9101 LIS-JFK 12-24 16:00'], 1]);
});
