import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upsertLocations } from '../../../../src/store/master-data/locations.ts';
import { formatFlight, serveStatuses, type StatusService } from './status-service.ts';

let world: StatusService;

const from = (departureAirport: string, at: string) => ({ departs: { airport: departureAirport, at } });

beforeAll(async () => {
  world = await serveStatuses();
  // A field with an FAA code only.
  await world.db.begin((sql) =>
    upsertLocations(sql, [
      {
        iata: '',
        icao: '',
        faa: 'NK39',
        name: 'One field',
        cityCode: '',
        countryCode: 'US',
        latitude: 42.5,
        longitude: -73.5,
        zone: 'America/New_York',
        rank: 1,
      },
    ]),
  );
  await world.refresh();
  const business = { carrier: 'LXJ', flightNumber: 342, originDate: '2026-06-01', departureAirport: 'NK39' };
  await world.report(business, [
    '2026-05-31T20:00:00Z',
    {
      proposed: true,
      aircraft: { registration: 'N342QS' },
      plan: { flightType: 'GA', ...from('NK39', '2026-06-01T14:00:00Z'), arrives: { airport: 'KJFK' } },
    },
  ]);
  const charter = { carrier: 'WW', flightNumber: 77, originDate: '2026-06-01', departureAirport: 'JFK' };
  await world.report(charter, [
    '2026-05-31T20:00:00Z',
    {
      plan: {
        flightType: 'Unscheduled',
        ...from('JFK', '2026-06-01T23:50:00Z'),
        arrives: { airport: 'NK39', at: '2026-06-02T00:40:00Z' },
        serviceType: 'C',
        aircraftType: { iata: '320', icao: 'A320' },
      },
    },
  ]);
});
afterAll(() => world.drop());

const june1 = 'DepartureDateTime=2026-06-01';
const matches = async (query: string): Promise<readonly string[]> =>
  (await world.getPage(query)).data.map(formatFlight);
const business = 'LXJ342 NK39-JFK 06-01 10:00';
const charter = 'WW77 JFK-NK39 06-01 19:50';

test('a filed business flight has its known properties only', async () => {
  expect(await world.getOnly(`${june1}&FlightNumber=342&Content=Status,Seats,Map`)).toEqual({
    carrier: { icao: 'LXJ' },
    flightNumber: 342,
    flightType: 'GA',
    departure: {
      airport: { faa: 'NK39' },
      country: { code: 'US' },
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: '10:00', utc: '14:00' },
    },
    arrival: {
      airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
      country: { code: 'US' },
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: expect.stringMatching(/^10:4\d$/), utc: expect.stringMatching(/^14:4\d$/) },
    },
    elapsedTime: 0,
    aircraftType: {},
    serviceType: {},
    segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
    distance: expect.objectContaining({ greatCircleKilometers: expect.closeTo(208, -1) }),
    codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
    statusKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    statusDetails: [
      {
        state: 'Proposed',
        updatedAt: '2026-05-31T20:00:00.000',
        equipment: { aircraftRegistrationNumber: 'N342QS' },
        departure: { airport: { faa: 'NK39' }, country: { code: 'US' } },
        arrival: { airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' }, country: { code: 'US' } },
      },
    ],
  });
});

describe('unscheduled flights are found', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['by FlightType=GA', 'FlightType=GA', [business]],
    ['by FlightType=Unscheduled', 'FlightType=Unscheduled', [charter]],
    ['by both', 'FlightType=Unscheduled,GA', [business, charter]],
    ['not by FlightType=Scheduled', 'FlightType=Scheduled&CarrierCode=WW', []],
    [
      'beside scheduled ones',
      'FlightType=scheduled,ga&DepartureCountryCode=US',
      [business, 'XX301 JFK-LAX 06-01 13:00'],
    ],
    ['without FlightType as all others', 'DepartureCountryCode=US', [business, 'XX301 JFK-LAX 06-01 13:00', charter]],
    ['by ServiceType=undefined for unknown ones', 'ServiceType=undefined', [business]],
    ['by their service type', 'ServiceType=C', [charter]],
    ['as passenger flights', 'ServiceType=Passenger&FlightType=Unscheduled,GA', [charter]],
    ['by the FAA code of their departure', 'DepartureAirport=nk39&CodeType=FAA', [business]],
    ['by the FAA code of their arrival', 'ArrivalAirport=NK39&CodeType=FAA', [charter]],
    [
      'by FAA among other code systems',
      'DepartureAirport=NK39,KJFK&CodeType=ICAO,FAA',
      [business, 'XX301 JFK-LAX 06-01 13:00', charter],
    ],
    ['not by an FAA code read as IATA', 'DepartureAirport=NK39', []],
    ['not by an FAA code read as ICAO', 'DepartureAirport=NK39&CodeType=ICAO', []],
    ['by a carrier without scheduled flights', 'CarrierCode=LXJ&CodeType=ICAO', [business]],
    ['by the registration in their status', 'AircraftRegistrationNumber=n342-qs', [business]],
  ])('%s', async (_, query, expected) => {
    const page = await world.getPage(`${june1}&${query}&Limit=100`);
    expect(page.data.map(formatFlight)).toEqual(expected);
    expect(page.paging.totalCount).toBe(expected.length);
  });

  test('by the day on which they arrive', async () => {
    expect(await matches('ArrivalDateTime=2026-06-01&FlightType=Unscheduled')).toEqual([charter]);
    expect(await matches('ArrivalDateTime=2026-06-01T20:40&ArrivalCountryCode=US')).toEqual([charter]);
  });
});

test('a charter has its type, its times and its elapsed minutes', async () => {
  const { elapsedTime, aircraftType, serviceType, arrival, flightType } = await world.getOnly(
    `${june1}&FlightNumber=77`,
  );
  expect({ elapsedTime, aircraftType, serviceType, arrival, flightType }).toEqual({
    elapsedTime: 50,
    aircraftType: { iata: '320', icao: 'A320' },
    serviceType: { iata: 'C' },
    arrival: {
      airport: { faa: 'NK39' },
      country: { code: 'US' },
      date: { local: '2026-06-01', utc: '2026-06-02' },
      time: { local: '20:40', utc: '00:40' },
    },
    flightType: 'Unscheduled',
  });
});

test('a business flight goes from Proposed to inAir to Landed, with runway times only', async () => {
  const flight = {
    carrier: 'LXJ',
    flightNumber: 342,
    originDate: '2026-06-01',
    departureAirport: 'NK39',
    arrivalAirport: 'JFK',
  };
  await world.report(
    flight,
    ['2026-06-01T14:06:30Z', { proposed: false, departure: { actual: { off: '2026-06-01T14:06:00Z' } } }],
    ['2026-06-01T14:50:00Z', { arrival: { actual: { on: '2026-06-01T14:49:00Z' } } }],
  );
  const { statusDetails = [] } = await world.getOnly(`${june1}&FlightNumber=342&Content=StatusHistory`);
  expect(statusDetails.map(({ state }) => state)).toEqual(['Landed', 'inAir', 'Proposed']);
  expect(statusDetails[0]?.departure?.actualTime).toEqual({
    offGround: { local: '2026-06-01T10:06:00-04:00', utc: '2026-06-01T14:06:00+00:00' },
  });
  expect(statusDetails[0]?.arrival?.actualTime).toEqual({
    onGround: { local: '2026-06-01T10:49:00-04:00', utc: '2026-06-01T14:49:00+00:00' },
  });
});
