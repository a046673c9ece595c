import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage, Problem } from '../../../../generated/flight-info/v2/types.gen.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';
import { schedule } from './example-schedule.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld();
  await publishText(world.db, schedule);
  await world.refresh();
});
afterAll(() => world.drop());

const page = async (query: string): Promise<FlightInstancePage> => {
  const response = await world.get(`/flight-instances?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  const matches: FlightInstancePage = await response.json();
  return matches;
};

const getErrors = async (query: string): Promise<Problem['errors']> => {
  const response = await world.get(`/flight-instances?${query}`);
  expect([query, response.status]).toEqual([query, 400]);
  const problem: Problem = await response.json();
  return problem.errors;
};

/** `XX101 LHR-JFK 06-01 11:00`. */
const name = ({ carrier, flightNumber, serviceSuffix, departure, arrival }: FlightInstance): string =>
  `${carrier.iata}${flightNumber}${serviceSuffix} ${departure.airport.iata}-${arrival.airport.iata} ${departure.date.local.slice(5)} ${departure.time.local}`;

const result = async (query: string): Promise<readonly string[]> => (await page(query)).data.map(name);

const june1 = 'DepartureDateTime=2026-06-01';

describe('the order and the format of a page', () => {
  test('flights of a day are ordered by local departure', async () => {
    const all = await page(`${june1}&Limit=100`);
    expect(all.data.map((flight) => flight.departure.time.local)).toEqual([
      '06:00',
      '08:00',
      '08:00',
      '09:00',
      '11:00',
      '11:00',
      '11:00',
      '13:00',
    ]);
    expect(all.data.map(name).toSorted()).toEqual([
      'XX101 LHR-JFK 06-01 11:00',
      'XX301 JFK-LAX 06-01 13:00',
      'XX301 LHR-JFK 06-01 08:00',
      'XX301 LHR-LAX 06-01 08:00',
      'XX501 LHR-CDG 06-01 06:00',
      'XX502A LHR-CDG 06-01 11:00',
      'YY201 AKL-HNL 06-01 09:00',
      'YY5101 LHR-JFK 06-01 11:00',
    ]);
    expect(all.paging).toEqual({ limit: 100, totalCount: 8, totalPages: 1 });
  });

  test('a list row is the complete record of its flight', async () => {
    const { data } = await page(`${june1}&CarrierCode=XX&FlightNumber=101`);
    expect(data).toEqual([
      {
        carrier: { iata: 'XX', icao: 'XXA' },
        serviceSuffix: '',
        flightNumber: 101,
        sequenceNumber: 1,
        flightType: 'Scheduled',
        departure: {
          airport: { iata: 'LHR', icao: 'EGLL' },
          terminal: '5',
          country: { code: 'GB' },
          date: { local: '2026-06-01', utc: '2026-06-01' },
          time: { local: '11:00', utc: '10:00' },
        },
        arrival: {
          airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
          terminal: '8',
          country: { code: 'US' },
          date: { local: '2026-06-01', utc: '2026-06-01' },
          time: { local: '14:00', utc: '18:00' },
        },
        elapsedTime: 480,
        cargoTonnage: 15,
        aircraftType: { iata: '789', icao: 'B789' },
        serviceType: { iata: 'J' },
        segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
        distance: {
          accumulatedGreatCircleKilometers: 5539.7,
          accumulatedGreatCircleMiles: 3442.2,
          accumulatedGreatCircleNauticalMiles: 2991.2,
          greatCircleKilometers: 5539.7,
          greatCircleMiles: 3442.2,
          greatCircleNauticalMiles: 2991.2,
        },
        codeshare: {
          jointOperationAirlineDesignators: [],
          marketingFlights: [{ code: 'YY', serviceNumber: '5101', suffix: '' }],
        },
        scheduleInstanceKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        statusKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test('a marketing flight names its operating flight and shares its status key', async () => {
    const [operating] = (await page(`${june1}&CarrierCode=XX&FlightNumber=101`)).data;
    const [marketing] = (await page(`${june1}&CarrierCode=YY&FlightNumber=5101`)).data;
    expect(marketing?.codeshare).toEqual({
      operatingAirlineDisclosure: { code: 'XX', name: 'Example Airways', number: '' },
      aircraftOwner: { code: 'XX', name: 'Example Airways' },
      jointOperationAirlineDesignators: [],
      marketingFlights: [],
      operatingFlight: { code: 'XX', serviceNumber: '101', suffix: '' },
    });
    expect(marketing?.statusKey).toBe(operating?.statusKey);
    expect(marketing?.scheduleInstanceKey).not.toBe(operating?.scheduleInstanceKey);
  });

  test('the whole flight of two legs has its stop, its distance and its time', async () => {
    const { data } = await page(`${june1}&FlightNumber=301&DepartureAirport=LHR&ArrivalAirport=LAX`);
    expect(
      data.map(({ segmentInfo, sequenceNumber, elapsedTime, distance }) => ({
        segmentInfo,
        sequenceNumber,
        elapsedTime,
        distance,
      })),
    ).toEqual([
      {
        segmentInfo: { numberOfStops: 1, intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'JFK' }] } },
        sequenceNumber: 1,
        elapsedTime: 960,
        distance: {
          accumulatedGreatCircleKilometers: 9513.9,
          accumulatedGreatCircleMiles: 5911.6,
          accumulatedGreatCircleNauticalMiles: 5137.1,
          greatCircleKilometers: 8759.7,
          greatCircleMiles: 5443,
          greatCircleNauticalMiles: 4729.8,
        },
      },
    ]);
  });
});

describe('each parameter narrows the list', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['a minute of departure', 'DepartureDateTime=2026-06-01T13:00', ['XX301 JFK-LAX 06-01 13:00']],
    [
      'a range of minutes, both included',
      'DepartureDateTime=2026-06-01T06:00/2026-06-01T08:00&DepartureCountryCode=GB&ArrivalAirport=CDG,LAX',
      ['XX501 LHR-CDG 06-01 06:00', 'XX301 LHR-LAX 06-01 08:00'],
    ],
    [
      'a range of days',
      'DepartureDateTime=2026-06-01/2026-06-03&FlightNumber=201',
      ['YY201 AKL-HNL 06-01 09:00', 'YY201 AKL-HNL 06-02 09:00', 'YY201 AKL-HNL 06-03 09:00'],
    ],
    ['the day of arrival, here the day before departure', 'ArrivalDateTime=2026-05-31', ['YY201 AKL-HNL 06-01 09:00']],
    [
      'departure and arrival together',
      'DepartureDateTime=2026-06-02&ArrivalDateTime=2026-06-02T16:00&DepartureAirport=JFK',
      ['XX301 JFK-LAX 06-02 13:00'],
    ],
    [
      'several airports',
      `${june1}&DepartureAirport=JFK,AKL`,
      ['YY201 AKL-HNL 06-01 09:00', 'XX301 JFK-LAX 06-01 13:00'],
    ],
    ['an airport and a country that exclude each other', `${june1}&DepartureAirport=JFK&DepartureCountryCode=GB`, []],
    ['the country of arrival', `${june1}&ArrivalCountryCode=FR&ServiceType=F`, ['XX501 LHR-CDG 06-01 06:00']],
    [
      'a carrier by its ICAO code',
      `${june1}&CarrierCode=YYB&CodeType=ICAO&FlightNumber=201`,
      ['YY201 AKL-HNL 06-01 09:00'],
    ],
    ['an airport by its FAA code', `${june1}&DepartureAirport=JFK&CodeType=FAA`, ['XX301 JFK-LAX 06-01 13:00']],
    [
      'carriers as IATA where CodeType is FAA',
      `${june1}&DepartureAirport=JFK&CarrierCode=XX&CodeType=FAA`,
      ['XX301 JFK-LAX 06-01 13:00'],
    ],
    [
      'two code systems together',
      `${june1}&DepartureAirport=KJFK,AKL&CodeType=IATA,ICAO`,
      ['YY201 AKL-HNL 06-01 09:00', 'XX301 JFK-LAX 06-01 13:00'],
    ],
    ['an ICAO code queried as IATA', `${june1}&DepartureAirport=KJFK`, []],
    ['an unknown code', `${june1}&DepartureAirport=QQQ`, []],
    ['a flight number with leading zeros', `${june1}&FlightNumber=0201`, ['YY201 AKL-HNL 06-01 09:00']],
    ['passenger flights', `${june1}&ServiceType=Passenger&ArrivalAirport=CDG`, ['XX502A LHR-CDG 06-01 11:00']],
    ['cargo flights', `${june1}&ServiceType=Cargo`, ['XX501 LHR-CDG 06-01 06:00']],
    ['one service type', `${june1}&ServiceType=G`, ['XX502A LHR-CDG 06-01 11:00']],
    ['flights without a service type', `${june1}&ServiceType=undefined`, []],
    ['operating flights', `${june1}&Codeshare=Operating&CarrierCode=YY`, ['YY201 AKL-HNL 06-01 09:00']],
    ['marketing flights', `${june1}&Codeshare=Marketing`, ['YY5101 LHR-JFK 06-01 11:00']],
    [
      'both codeshare roles, which select all',
      `${june1}&Codeshare=Operating,Marketing&FlightNumber=5101`,
      ['YY5101 LHR-JFK 06-01 11:00'],
    ],
    ['unscheduled flights', `${june1}&FlightType=Unscheduled,GA`, []],
    ['scheduled flights', `${june1}&FlightType=Scheduled&FlightNumber=201`, ['YY201 AKL-HNL 06-01 09:00']],
    ['an unknown registration', `${june1}&AircraftRegistrationNumber=N342UP`, []],
  ])('%s', async (_, query, expected) => {
    expect(await result(`${query}&Limit=100`)).toEqual(expected);
    expect((await page(query)).paging.totalCount).toBe(expected.length);
  });

  test('names of parameters and enumerated values are case-insensitive, and unknown and empty parameters are ignored', async () => {
    expect(
      await result('departuredatetime=2026-06-01&SERVICETYPE=cargo&codetype=&carrierCODE=xx&Bogus=1&VERSION=V2'),
    ).toEqual(['XX501 LHR-CDG 06-01 06:00']);
  });

  test('Content=Seats adds the seats, and no other property', async () => {
    const [plain] = (await page(`${june1}&CarrierCode=XX&FlightNumber=101`)).data;
    const [seated] = (await page(`${june1}&CarrierCode=XX&FlightNumber=101&Content=Seats`)).data;
    expect(seated).toEqual({
      ...plain,
      seatingCapacity: {
        actual: { firstClass: 0, businessClass: 30, premiumEconomyClass: 21, economyClass: 178, totalSeats: 229 },
      },
    });
  });

  test('Content=Status adds observations, of which there are none yet', async () => {
    const { data } = await page(`${june1}&CarrierCode=XX&FlightNumber=101&Content=status,seats`);
    expect(data.map((flight) => flight.statusDetails)).toEqual([[]]);
  });
});

describe('errors name the parameter and the value', () => {
  test.each<readonly [string, string, Record<string, string[]>]>([
    [
      'no date at all',
      'CarrierCode=XX',
      {
        DepartureDateTime: ['must not be empty: one of DepartureDateTime and ArrivalDateTime is required'],
        ArrivalDateTime: ['must not be empty: one of DepartureDateTime and ArrivalDateTime is required'],
      },
    ],
    [
      'a day outside the calendar',
      'DepartureDateTime=2026-02-30',
      { DepartureDateTime: ["must be a date of the calendar, not '2026-02-30'"] },
    ],
    [
      'an hour outside the day',
      'DepartureDateTime=2026-06-01T24:00',
      { DepartureDateTime: ["must be a date of the calendar and a time of the day, not '2026-06-01T24:00'"] },
    ],
    [
      'a reversed range',
      'DepartureDateTime=2026-06-02/2026-06-01',
      { DepartureDateTime: ["must not end before it starts: '2026-06-02/2026-06-01'"] },
    ],
    [
      '32 days',
      'DepartureDateTime=2026-06-01/2026-07-02',
      { DepartureDateTime: ['must cover at most 31 calendar days, not 32'] },
    ],
    [
      'CodeType without a code',
      `${june1}&CodeType=ICAO`,
      { '': ['CodeType needs CarrierCode, DepartureAirport or ArrivalAirport.'] },
    ],
    [
      'IncludeDiverted without Status',
      `${june1}&ArrivalAirport=JFK&IncludeDiverted=true`,
      { IncludeDiverted: ['needs Status or StatusHistory in Content'] },
    ],
    [
      'IncludeDiverted with two airports',
      `${june1}&ArrivalAirport=JFK,LAX&IncludeDiverted=true&Content=Status`,
      { IncludeDiverted: ['needs exactly one ArrivalAirport, not 2'] },
    ],
  ])('%s', async (_, query, errors) => {
    expect(await getErrors(query)).toEqual(errors);
  });

  test('describes a format in words', async () => {
    expect(await getErrors('DepartureDateTime=21-11-2026')).toEqual({
      DepartureDateTime: [
        "must be a date like 2027-03-01, with a time like 2027-03-01T07:30, or two of them with a slash between, not '21-11-2026'",
      ],
    });
    expect(await getErrors(`${june1}&DepartureAirport=L`)).toEqual({
      DepartureAirport: ["must be a code of three or four letters and digits, not 'L'"],
    });
  });

  test.each<readonly [string, string]>([
    ['Limit', `${june1}&Limit=0`],
    ['Limit', `${june1}&Limit=1001`],
    ['Limit', `${june1}&Limit=ten`],
    ['FlightNumber', `${june1}&FlightNumber=12345`],
    ['DepartureDateTime', 'DepartureDateTime=yesterday'],
    ['DepartureAirport', `${june1}&DepartureAirport=LO'--`],
    ['ServiceType', `${june1}&ServiceType=Freight`],
    ['Codeshare', `${june1}&Codeshare=Both`],
    ['IncludeDiverted', `${june1}&IncludeDiverted=maybe`],
    ['Content', `${june1}&Content=Weather`],
    ['After', `${june1}&After=made-up`],
  ])('%s is named when it is invalid: %s', async (parameter, query) => {
    expect(Object.keys((await getErrors(query)) ?? {})).toEqual([parameter]);
  });
});

describe('walking the pages', () => {
  const listPages = async (
    query: string,
  ): Promise<{ readonly names: readonly string[]; readonly pages: readonly FlightInstancePage[] }> => {
    const pages: FlightInstancePage[] = [];
    let next: string | undefined = `/flight-instances?${query}`;
    while (next !== undefined) {
      const response = await world.get(next.replace('http://service.test', ''));
      const one: FlightInstancePage = await response.json();
      pages.push(one);
      next = one.paging.next;
    }
    return { names: pages.flatMap(({ data }) => data.map(name)), pages };
  };

  test.each([1, 3, 7, 100])(
    'with Limit=%i every record is returned once, in order, and every page has the same count',
    async (limit) => {
      const query = `DepartureDateTime=2026-06-01/2026-06-03&Limit=${limit}`;
      const { names, pages } = await listPages(query);
      const whole = await result('DepartureDateTime=2026-06-01/2026-06-03&Limit=1000');
      expect(names).toEqual(whole);
      expect(whole).toHaveLength(22);
      expect(pages.map(({ paging }) => [paging.limit, paging.totalCount, paging.totalPages])).toEqual(
        pages.map(() => [limit, 22, Math.ceil(22 / limit)]),
      );
    },
  );

  test('next is absolute, repeats the query, and always contains limit and version', async () => {
    const { paging } = await page(`departureDateTime=2026-06-01&limit=2&Content=Seats&foo=bar`);
    expect(paging.next).toMatch(
      /^http:\/\/service\.test\/flight-instances\?departureDateTime=2026-06-01&limit=2&Content=Seats&foo=bar&version=v2&After=[\w-]+$/,
    );
  });

  test('rejects a cursor with another query', async () => {
    const { paging } = await page(`${june1}&Limit=2`);
    const cursor = new URL(paging.next ?? '').searchParams.get('After') ?? '';
    expect(await getErrors(`${june1}&CarrierCode=XX&After=${cursor}`)).toEqual({
      After: ['is not a cursor of this query'],
    });
    expect((await page(`${june1}&Limit=5&After=${cursor}`)).data).toHaveLength(5);
  });

  test('rejects a cursor whose item was removed; a first page works again', async () => {
    const missing = await serveTinyWorld();
    try {
      await publishText(missing.db, schedule);
      await missing.refresh();
      const first: FlightInstancePage = await (await missing.get(`/flight-instances?${june1}&Limit=1`)).json();
      await missing.db`delete from flight_instance where departs_at = '2026-06-01 06:00'`;
      const response = await missing.get(first.paging.next?.replace('http://service.test', '') ?? '');
      const problem: Problem = await response.json();
      expect([response.status, problem.type, problem.errors]).toEqual([
        400,
        '/docs/errors#cursor-gone',
        { After: ['marks an item that is no longer in the list'] },
      ]);
    } finally {
      await missing.drop();
    }
  });
});
