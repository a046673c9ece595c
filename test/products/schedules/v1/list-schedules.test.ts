import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem, Schedule, SchedulePage } from '../../../../generated/schedules/v1/types.gen.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';
import { schedule } from './example-schedule.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld();
  await publishText(world.db, schedule, { horizonDays: 1 });
  await world.refresh();
});
afterAll(() => world.drop());

const pathOf = (url: string): string => url.replace('http://service.test', '');

const page = async (query: string): Promise<SchedulePage> => {
  const response = await world.get(`/flights?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  const matches: SchedulePage = await response.json();
  return matches;
};

const getErrors = async (query: string): Promise<Problem['errors']> => {
  const response = await world.get(`/flights?${query}`);
  expect([query, response.status]).toEqual([query, 400]);
  const problem: Problem = await response.json();
  return problem.errors;
};

const dayOf = (date: string): string => date.slice(-2);

/** `XX101 LHR-JFK 01-30`. */
const name = ({ carrierCode, flightNumber, serviceSuffix, departure, arrival, effectivePeriod }: Schedule): string =>
  `${carrierCode.iata}${flightNumber}${serviceSuffix ?? ''} ${departure.airport.iata}-${arrival.airport.iata} ${dayOf(effectivePeriod.startDate)}-${dayOf(effectivePeriod.endDate)}`;

const result = async (query: string): Promise<readonly string[]> => (await page(query)).data.map(name);

const everyDay = [
  'XX101 LHR-JFK 01-30',
  'XX301 JFK-LAX 01-30',
  'XX301 LHR-JFK 01-30',
  'XX301 LHR-LAX 01-30',
  'YY5101 LHR-JFK 01-30',
];

describe('the loaded records', () => {
  test('are listed completely without a filter, by carrier, number and first day, a flight with stops before its legs', async () => {
    expect(await result('Limit=100')).toEqual([
      'XX101 LHR-JFK 01-30',
      'XX301 LHR-LAX 01-30',
      'XX301 LHR-JFK 01-30',
      'XX301 JFK-LAX 01-30',
      'XX501 LHR-CDG 01-30',
      'XX502A LHR-CDG 10-20',
      'XX502A LHR-CDG 21-30',
      'YY201 LIS-OPO 08-08',
      'YY5101 LHR-JFK 01-30',
    ]);
    expect((await page('')).paging).toEqual({ limit: 10, totalCount: 9, totalPages: 1 });
  });

  test('a list row has all members, with null for absent values', async () => {
    const { data } = await page('FlightNumber=501');
    expect(data).toEqual([
      {
        carrierCode: { iata: 'XX', icao: 'XXA' },
        serviceSuffix: null,
        flightNumber: 501,
        sequenceNumber: 1,
        departure: {
          airport: { iata: 'LHR', icao: 'EGLL', faa: null },
          country: { code: 'GB' },
          terminal: null,
          passengerLocalTime: '06:00',
          passengerUtcTime: '05:00',
          utcIntervalDays: 0,
        },
        arrival: {
          airport: { iata: 'CDG', icao: 'LFPG', faa: null },
          country: { code: 'FR' },
          terminal: null,
          passengerLocalTime: '08:15',
          passengerUtcTime: '06:15',
          utcIntervalDays: 0,
        },
        elapsedTime: 75,
        clockChanges: [],
        aircraftType: { iata: '320', icao: 'A320' },
        cargoTonnage: null,
        serviceTypeCode: { iata: 'F' },
        arrivalIntervalDays: 0,
        legArrivalIntervalDays: 0,
        effectivePeriod: { startDate: '2026-06-01', endDate: '2026-06-30' },
        legDaysOfOperation: ['monday'],
        frequencyRate: 2,
        distance: {
          accumulatedGreatCircleKilometers: 347.2,
          accumulatedGreatCircleMiles: 215.7,
          accumulatedGreatCircleNauticalMiles: 187.5,
          greatCircleKilometers: 347.2,
          greatCircleMiles: 215.7,
          greatCircleNauticalMiles: 187.5,
        },
        segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] }, segments: [] },
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        codeshare: {
          operatingAirlineDisclosure: null,
          aircraftOwner: null,
          cockpitCrewEmployer: null,
          cabinCrewEmployer: null,
          jointOperationAirlineDesignators: [],
          comments010: [],
          comment050: null,
        },
        bookingClasses: [],
        freightClasses: [],
        restrictions: [],
        planeChangeWithoutAircraftChange: false,
        onTimePerformance: { indicator: null, delaysAndCancellationsIndicator: null, observed: null },
        inFlightServices: [],
        automatedCheckIn: null,
        electronicTicketing: false,
        secureFlightIndicator: false,
        governmentApproval: false,
        premiumContent: null,
      },
    ]);
  });
});

describe('filters', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['a departure airport', 'DepartureAirport=jfk', ['XX301 JFK-LAX 01-30']],
    ['several airports', 'DepartureAirport=JFK,LIS', ['XX301 JFK-LAX 01-30', 'YY201 LIS-OPO 08-08']],
    ['an arrival airport, with any stops', 'ArrivalAirport=LAX&DepartureAirport=LHR', ['XX301 LHR-LAX 01-30']],
    ['a carrier by its IATA code', 'IataCarrierCode=yy', ['YY201 LIS-OPO 08-08', 'YY5101 LHR-JFK 01-30']],
    ['a carrier by its ICAO code', 'IcaoCarrierCode=YYB', ['YY201 LIS-OPO 08-08', 'YY5101 LHR-JFK 01-30']],
    [
      'carriers of either parameter',
      'IataCarrierCode=YY&IcaoCarrierCode=XXA&ServiceType=F,G&FlightNumber=501',
      ['XX501 LHR-CDG 01-30'],
    ],
    ['a carrier without a schedule', 'IataCarrierCode=WW', []],
    ['an unknown code', 'DepartureAirport=QQQ', []],
    ['a flight number with leading zeros', 'FlightNumber=0201', ['YY201 LIS-OPO 08-08']],
    ['cargo flights', 'ServiceType=cargo', ['XX501 LHR-CDG 01-30']],
    ['a service type', 'ServiceType=G', ['XX502A LHR-CDG 10-20', 'XX502A LHR-CDG 21-30']],
  ])('%s', async (_, query, expected) => {
    expect(await result(`${query}&Limit=100`)).toEqual(expected);
    expect((await page(query)).paging.totalCount).toBe(expected.length);
  });

  test.each<readonly [string, string, readonly string[]]>([
    ['a day returns what operates on it', '2026-06-01', [...everyDay, 'XX501 LHR-CDG 01-30']],
    ['a day of an omitted week', '2026-06-08', [...everyDay, 'YY201 LIS-OPO 08-08']],
    ['a day on which a period starts without a flight', '2026-06-10', everyDay],
    [
      'a range returns periods that start in it without a flight',
      '2026-06-10/2026-06-12',
      [...everyDay, 'XX502A LHR-CDG 10-20'],
    ],
    ['a range of one day is a range', '2026-06-10/2026-06-10', [...everyDay, 'XX502A LHR-CDG 10-20']],
    ['a range within a period and without a flight of it', '2026-06-11/2026-06-13', everyDay],
    [
      'a range with a flight of every record',
      '2020-01-01/2030-12-31',
      [...everyDay, 'XX501 LHR-CDG 01-30', 'XX502A LHR-CDG 10-20', 'XX502A LHR-CDG 21-30', 'YY201 LIS-OPO 08-08'],
    ],
    ['a time before all periods', '2026-05-01/2026-05-31', []],
    ['a time after all periods', '2026-07-01', []],
  ])('%s', async (_, dates, expected) => {
    expect((await result(`DepartureDate=${dates}&Limit=100`)).toSorted()).toEqual(expected.toSorted());
  });

  test('names of parameters and enumerated values are case-insensitive, and unknown and empty parameters are ignored', async () => {
    expect(await result('servicetype=CARGO&arrivalairport=cdg&Bogus=1&FlightNumber=')).toEqual(['XX501 LHR-CDG 01-30']);
  });
});

test('Content=Seats adds the seats, and no other property', async () => {
  const [plain] = (await page('FlightNumber=101')).data;
  const [seated] = (await page('FlightNumber=101&Content=seats')).data;
  expect(plain?.premiumContent).toBeNull();
  expect(seated).toEqual({
    ...plain,
    premiumContent: {
      seatingCapacity: {
        firstClass: 0,
        businessClass: 30,
        premiumEconomyClass: 21,
        economyPlusClass: null,
        economyClass: 178,
        totalSeats: 229,
      },
    },
  });
  expect((await page('FlightNumber=501&Content=Seats')).data[0]?.premiumContent).toBeNull();
});

test('a flight with stops has the punctuality of its last leg', async () => {
  const observed = {
    onTimePercentage: 66.67,
    latePercentage: 16.67,
    cancelledPercentage: 16.67,
    divertedPercentage: 0,
    departedOnTimePercentage: 83.33,
    flights: 6,
    departures: 6,
    period: { startDate: '2026-05-01', endDate: '2026-05-06' },
    rule: 'D15/A14',
  };
  await world.db`
    insert into on_time
    select c.id, 301, d.id, a.id, '2026-05-01', '2026-05-06', 6, 4, 1, 1, 0, 6, 5 from carrier c, location d, location a
    where c.iata = 'XX' and d.iata = 'JFK' and a.iata = 'LAX'`;
  const { data } = await page('FlightNumber=301');
  expect(Object.fromEntries(data.map((one) => [name(one), one.onTimePerformance.observed]))).toEqual({
    'XX301 JFK-LAX 01-30': observed,
    'XX301 LHR-JFK 01-30': null,
    'XX301 LHR-LAX 01-30': observed,
  });
});

describe('errors name the parameter and the value', () => {
  test.each<readonly [string, string, Record<string, string[]>]>([
    [
      'a day outside the calendar',
      'DepartureDate=2026-02-30',
      { DepartureDate: ["must be a date of the calendar, not '2026-02-30'"] },
    ],
    [
      'an end outside the calendar',
      'DepartureDate=2026-02-01/2026-02-30',
      { DepartureDate: ["must be a date of the calendar, not '2026-02-30'"] },
    ],
    [
      'a reversed range',
      'DepartureDate=2026-06-02/2026-06-01',
      { DepartureDate: ["must not end before it starts: '2026-06-02/2026-06-01'"] },
    ],
    ['an invalid cursor', 'cursor=made-up', { cursor: ['is not a cursor of this query'] }],
  ])('%s', async (_, query, errors) => {
    expect(await getErrors(query)).toEqual(errors);
  });

  test.each<readonly [string, string]>([
    ['Limit', 'Limit=0'],
    ['Limit', 'Limit=1001'],
    ['FlightNumber', 'FlightNumber=12345'],
    ['DepartureDate', 'DepartureDate=2026-06-01T10:00'],
    ['DepartureAirport', 'DepartureAirport=EGLL'],
    ['IataCarrierCode', 'IataCarrierCode=XXA'],
    ['IcaoCarrierCode', 'IcaoCarrierCode=XX'],
    ['ServiceType', 'ServiceType=Freight'],
    ['Content', 'Content=Status'],
  ])('%s is named when it is invalid: %s', async (parameter, query) => {
    expect(Object.keys((await getErrors(query)) ?? {})).toEqual([parameter]);
  });
});

describe('pages', () => {
  test('link both ways, and end on the first and the last', async () => {
    const first = await page('Limit=4');
    const second = await page(pathOf(first.paging.next ?? '').replace('/flights?', ''));
    const third = await page(pathOf(second.paging.next ?? '').replace('/flights?', ''));
    expect(
      [first, second, third].map(({ data, paging }) => [data.length, paging.totalCount, paging.totalPages]),
    ).toEqual([
      [4, 9, 3],
      [4, 9, 3],
      [1, 9, 3],
    ]);
    expect([first.paging.previous, third.paging.next]).toEqual([undefined, undefined]);
    const back = await page(pathOf(third.paging.previous ?? '').replace('/flights?', ''));
    expect(back).toEqual(second);
    expect(await page(pathOf(back.paging.previous ?? '').replace('/flights?', ''))).toEqual(first);
  });

  test('have absolute addresses that repeat the query, with limit and version', async () => {
    const { paging } = await page('departureairport=lhr&limit=2&Content=Seats&foo=bar');
    expect(paging.next).toMatch(
      /^http:\/\/service\.test\/flights\?departureairport=lhr&limit=2&Content=Seats&foo=bar&version=v1&cursor=[\w-]+$/,
    );
    const { paging: later } = await page(pathOf(paging.next ?? '').replace('/flights?', ''));
    expect(later.previous).toMatch(
      /^http:\/\/service\.test\/flights\?departureairport=lhr&limit=2&Content=Seats&foo=bar&version=v1&cursor=[\w-]+$/,
    );
  });

  test('rejects a cursor with another query but not with another limit', async () => {
    const { paging } = await page('Limit=2');
    const cursor = new URL(paging.next ?? '').searchParams.get('cursor') ?? '';
    expect(await getErrors(`IataCarrierCode=XX&cursor=${cursor}`)).toEqual({
      cursor: ['is not a cursor of this query'],
    });
    expect((await page(`Limit=3&cursor=${cursor}`)).data).toHaveLength(3);
  });
});

describe('when records are added and deleted during a walk', () => {
  let other: TinyService;
  beforeAll(async () => {
    other = await serveTinyWorld();
    await publishText(other.db, schedule, { horizonDays: 1 });
    await other.refresh();
  });
  afterAll(() => other.drop());

  const follow = async (url: string | undefined): Promise<Response> => other.get(pathOf(url ?? ''));
  const read = async (url: string | undefined): Promise<SchedulePage> => {
    const response = await follow(url);
    expect(response.status).toBe(200);
    const one: SchedulePage = await response.json();
    return one;
  };

  test('rejects a cursor whose record was removed, under the name of its parameter', async () => {
    const first = await read('/flights?IataCarrierCode=YY&Limit=1');
    await other.db`delete from schedule_record where flight_number = 201`;
    const response = await follow(first.paging.next);
    const problem: Problem = await response.json();
    expect([response.status, problem.type, problem.errors]).toEqual([
      400,
      '/docs/errors#cursor-gone',
      { cursor: ['marks an item that is no longer in the list'] },
    ]);
  });

  test('a page without remaining records still links back to the rest of the list', async () => {
    const first = await read('/flights?IataCarrierCode=XX&Limit=6');
    await other.db`delete from schedule_record where from_date = '2026-06-21'`;
    const last = await read(first.paging.next);
    expect([last.data, last.paging.next]).toEqual([[], undefined]);
    expect((await read(last.paging.previous)).data).toEqual(first.data);
    const second = await read((await read('/flights?IataCarrierCode=XX&Limit=1')).paging.next);
    await other.db`delete from schedule_record where flight_number = 101`;
    const before = await read(second.paging.previous);
    expect([before.data, before.paging.previous]).toEqual([[], undefined]);
    const again = await read(before.paging.next);
    expect([again.data, again.paging.previous, again.paging.next]).toEqual([
      second.data,
      undefined,
      second.paging.next,
    ]);
  });

  test('reloading the same file keeps cursors valid', async () => {
    await publishText(other.db, schedule, { horizonDays: 1 });
    const first = await read('/flights?Limit=3');
    const second = await read(first.paging.next);
    await publishText(other.db, schedule, { horizonDays: 1 });
    expect(await read(first.paging.next)).toEqual(second);
    expect(await read(second.paging.previous)).toEqual(first);
  });
});
