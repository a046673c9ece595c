import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection, ConnectionPage, Problem } from '../../../../generated/connections/v1/types.gen.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '../../../support/tiny-world.ts';
import { connectionSchedule, serveConnections, summer } from './connections-service.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveConnections();
});
afterAll(() => world.drop());

const pathOf = (url: string): string => url.replace('http://service.test', '');

const page = async (query: string): Promise<ConnectionPage> => {
  const response = await world.get(`/flight-connections?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  const matches: ConnectionPage = await response.json();
  return matches;
};

const getErrors = async (query: string): Promise<Problem['errors']> => {
  const response = await world.get(`/flight-connections?${query}`);
  expect([query, response.status]).toEqual([query, 400]);
  const problem: Problem = await response.json();
  return problem.errors;
};

const flightName = ({ carrierCode, flightNumber }: Connection['leg2']): string => `${carrierCode.iata}${flightNumber}`;

/** `GLA ZX1302 LHR ZX101 JFK`. */
const name = ({ DepartureAirport, leg1, leg2, ArrivalAirport }: Connection): string => {
  const [arrival, departure] = [leg1.arrival.airport.iata, leg2.departure.airport.iata];
  const via = arrival === departure ? arrival : `${arrival}/${departure}`;
  return `${DepartureAirport} ${flightName(leg1)} ${via} ${flightName(leg2)} ${ArrivalAirport}`;
};

const result = async (query: string): Promise<readonly string[]> => (await page(`${query}&Limit=1000`)).data.map(name);

describe('a connection', () => {
  test('has all known properties, and no others', async () => {
    const { data } = await page('DepartureAirport=GLA&ArrivalAirport=JFK&Limit=1');
    expect(data).toEqual([
      {
        connectionId: expect.stringMatching(/^[0-9a-f]{32}$/),
        DepartureAirport: 'GLA',
        DepartureCity: 'GLA',
        ArrivalAirport: 'JFK',
        ArrivalCity: 'NYC',
        Circuity: 118.1,
        ConnectionType: 'o',
        effectivePeriod: { startDate: '2026-06-01', endDate: '2026-09-30' },
        daysOfOperation: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        exceptDates: [],
        arrivalIntervalDays: 0,
        isSelfConnection: false,
        interAirport: false,
        services: ['passenger'],
        totalElapsedTime: 720,
        minimumConnectingTime: {
          minutes: 65,
          status: 'DI',
          source: 'Exception',
          record: {
            line: 3,
            submittedBy: 'ZX',
            arrivalStation: 'LHR',
            departureStation: 'LHR',
            arrival: { carrier: 'ZX', codeshare: false, aircraftBody: 'N' },
          },
        },
        leg1: {
          departure: { airport: { iata: 'GLA' }, passengerLocalTime: '07:00' },
          arrival: { airport: { iata: 'LHR' }, passengerLocalTime: '08:25' },
          DepartureTerminal: '',
          ArrivalTerminal: '5',
          IntermediateAirportsIata: [],
          carrierCode: { iata: 'ZX', icao: 'ZXA' },
          flightNumber: 1302,
          serviceType: { iata: 'J' },
          aircraftType: { iata: '320' },
          departureIntervalDays: 0,
          arrivalIntervalDays: 0,
          elapsedTime: 85,
          distance: {
            accumulatedGreatCircleKilometers: 554.9,
            accumulatedGreatCircleMiles: 344.8,
            accumulatedGreatCircleNauticalMiles: 299.6,
            greatCircleKilometers: 554.9,
            greatCircleMiles: 344.8,
            greatCircleNauticalMiles: 299.6,
          },
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          restrictions: [],
          connectionTime: 155,
          mctStatus: 'DI',
        },
        leg2: {
          departure: { airport: { iata: 'LHR' }, passengerLocalTime: '11:00' },
          arrival: { airport: { iata: 'JFK' }, passengerLocalTime: '14:00' },
          DepartureTerminal: '5',
          ArrivalTerminal: '8',
          IntermediateAirportsIata: [],
          carrierCode: { iata: 'ZX', icao: 'ZXA' },
          flightNumber: 101,
          serviceType: { iata: 'J' },
          aircraftType: { iata: '789' },
          departureIntervalDays: 0,
          arrivalIntervalDays: 0,
          elapsedTime: 480,
          distance: {
            accumulatedGreatCircleKilometers: 5539.7,
            accumulatedGreatCircleMiles: 3442.2,
            accumulatedGreatCircleNauticalMiles: 2991.2,
            greatCircleKilometers: 5539.7,
            greatCircleMiles: 3442.2,
            greatCircleNauticalMiles: 2991.2,
          },
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          restrictions: [],
        },
      },
    ]);
  });

  test('links to the records of its flights in Schedules', async () => {
    const { data } = await page('DepartureAirport=GLA&ArrivalAirport=JFK&Limit=1');
    const [{ leg1, leg2 }] = data as [Connection];
    const numbers = await Promise.all(
      [leg1, leg2].map(async ({ fingerprint }) => {
        const record: { flightNumber: number } = await (await world.get(`/flights/${fingerprint}`)).json();
        return record.flightNumber;
      }),
    );
    expect(numbers).toEqual([leg1.flightNumber, leg2.flightNumber]);
  });

  test('on a flight with a stop contains the stop and the interval days', async () => {
    const { data } = await page('DepartureAirport=SYD&ArrivalAirport=GLA');
    const [{ leg1, leg2, arrivalIntervalDays, effectivePeriod, daysOfOperation }] = data as [Connection];
    expect(data.length).toBe(1);
    expect([leg1.IntermediateAirportsIata, leg2.IntermediateAirportsIata]).toEqual([['SIN'], []]);
    expect([leg1, leg2].map((leg) => [leg.departureIntervalDays, leg.arrivalIntervalDays])).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(arrivalIntervalDays).toBe(1);
    // ZX 15 leaves until Wednesday, 30 September; ZX 205 does not go on Saturdays, and not in October.
    expect({ effectivePeriod, daysOfOperation }).toEqual({
      effectivePeriod: { startDate: '2026-06-01', endDate: '2026-09-28' },
      daysOfOperation: ['monday', 'wednesday', 'sunday'],
    });
  });

  test('every other week lists the weeks between as exceptions', async () => {
    const { data } = await page('DepartureAirport=GLA&ArrivalAirport=JFK&Service=c&Limit=1');
    const [{ effectivePeriod, daysOfOperation, exceptDates }] = data as [Connection];
    expect({ effectivePeriod, daysOfOperation, exceptDates }).toEqual({
      effectivePeriod: { startDate: '2026-06-06', endDate: '2026-09-26' },
      daysOfOperation: ['saturday'],
      exceptDates: [
        '2026-06-13',
        '2026-06-27',
        '2026-07-11',
        '2026-07-25',
        '2026-08-08',
        '2026-08-22',
        '2026-09-05',
        '2026-09-19',
      ],
    });
  });

  test('of marketing flights names the operating flights', async () => {
    const { data } = await page('Leg1CarrierCode=9Q&Leg2CarrierCode=9Q&ViaPoint=LHR&ArrivalAirport=JFK');
    expect(data.map(({ leg1, leg2 }) => [leg1.operatingFlight, leg2.operatingFlight])).toEqual([
      [
        { code: 'ZX', serviceNumber: '15', suffix: '' },
        { code: 'ZX', serviceNumber: '101', suffix: '' },
      ],
    ]);
  });

  test('offline, with a change of airports, is a self connection', async () => {
    const { data } = await page('DepartureAirport=GLA&Leg1CarrierCode=ZX&Leg2CarrierCode=0Z&Limit=1');
    expect(data).toMatchObject([
      {
        ConnectionType: 'n',
        isSelfConnection: true,
        interAirport: true,
        minimumConnectingTime: { minutes: 240, status: 'DI', source: 'Default' },
        leg1: { arrival: { airport: { iata: 'LHR' } }, connectionTime: 305 },
        leg2: { departure: { airport: { iata: 'LGW' } } },
      },
    ]);
  });

  test('of flights with both services has both, whichever is requested', async () => {
    for (const service of ['p', 'c', 'Passenger', 'cargo']) {
      const { data } = await page(`DepartureAirport=EDI&ArrivalAirport=CDG&Service=${service}`);
      expect(data).toMatchObject([
        { services: ['passenger', 'cargo'], leg2: { serviceSuffix: 'A', flightNumber: 302 } },
      ]);
    }
  });

  test('has an identity that is the same in the next set', async () => {
    const idsOf = async (): Promise<readonly string[]> =>
      (await page('ViaPoint=LHR,LGW,JFK,CDG&MaxConnectingTime=1440&Limit=1000')).data.map(
        ({ connectionId }) => connectionId,
      );
    const before = await idsOf();
    await world.buildConnections();
    expect(await idsOf()).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
    expect(before.length).toBeGreaterThan(25);
  });
});

describe('a search', () => {
  const fromGlasgow = [
    'GLA ZX1302 LHR ZX101 JFK',
    'GLA ZX1302 LHR ZX908 JFK',
    'GLA ZX903 LHR ZX101 JFK',
    'GLA ZX903 LHR ZX908 JFK',
    'GLA ZX906 LHR ZX101 JFK',
    'GLA ZX7010 LHR ZX7001 JFK',
  ];

  test.each<readonly [string, string, readonly string[]]>([
    ['airports', 'DepartureAirport=GLA&ArrivalAirport=JFK', fromGlasgow],
    ['cities, in any letter case', 'departurecity=gla&arrivalcity=nyc', fromGlasgow],
    [
      'several airports',
      'DepartureAirport=EDI,SIN&ArrivalAirport=JFK,GLA',
      ['EDI ZX300 LHR ZX101 JFK', 'EDI ZX300 LHR ZX908 JFK', 'SIN 9Q5015 LHR 9Q5101 JFK', 'SIN ZX15 LHR ZX205 GLA'],
    ],
    ['an airport and another city', 'DepartureAirport=GLA&DepartureCity=LON', []],
    ['the airport of the change', 'ViaPoint=JFK', ['LHR 9Q5101 JFK 9Q88 BOS', 'LHR ZX101 JFK 9Q88 BOS']],
    [
      'an airport that leg 2 departs from',
      'ViaPoint=LGW&ConnectionType=n',
      ['EDI ZX300 LHR/LGW 0Z440 OPO', 'GLA ZX1302 LHR/LGW 0Z440 OPO', 'GLA ZX903 LHR/LGW 0Z440 OPO'],
    ],
    ['online flights of a carrier', 'ViaPoint=JFK&ConnectionType=o', ['LHR 9Q5101 JFK 9Q88 BOS']],
    ['flights of cooperating carriers', 'ViaPoint=JFK,LHR&ConnectionType=i', ['LHR ZX101 JFK 9Q88 BOS']],
    ['the first carrier', 'ViaPoint=JFK&Leg1CarrierCode=zx', ['LHR ZX101 JFK 9Q88 BOS']],
    ['the second carrier', 'DepartureAirport=EDI&Leg2CarrierCode=0Z,9Q', ['EDI ZX300 LHR/LGW 0Z440 OPO']],
    [
      'a day',
      'DepartureAirport=GLA&ArrivalAirport=SIN&DepartureDate=2026-06-04&Leg2CarrierCode=ZX&MaxConnectingTime=270',
      ['GLA ZX903 LHR ZX411 SIN', 'GLA ZX906 LHR ZX411 SIN'],
    ],
    ['a day without flights', 'DepartureAirport=GLA&ArrivalAirport=SIN&DepartureDate=2026-06-03', []],
    [
      'a week',
      'DepartureAirport=GLA&ArrivalAirport=SIN&DepartureDate=2026-06-03/2026-06-09&MinConnectingTime=271',
      ['GLA ZX1302 LHR ZX411 SIN'],
    ],
    ['a day outside the set', 'DepartureAirport=GLA&DepartureDate=2028-06-03', []],
    [
      'the way flown',
      'DepartureAirport=GLA&Circuity=101',
      ['GLA ZX1302 LHR ZX302 CDG', 'GLA ZX903 LHR ZX302 CDG', 'GLA ZX906 LHR ZX302 CDG'],
    ],
    [
      'the time of the whole way',
      'DepartureAirport=SYD&TotalMaxElapsedTime=1550',
      ['SYD ZX15 LHR ZX205 GLA', 'SYD ZX15 LHR ZX302 CDG'],
    ],
    ['cargo', 'DepartureAirport=GLA&Service=Cargo', ['GLA ZX7010 LHR ZX7001 JFK']],
    [
      'no changes of airports',
      'ArrivalAirport=OPO&InterAirport=false&MaxConnectingTime=1440',
      ['LHR ZX302 CDG 0Z471 OPO'],
    ],
  ])('finds by %s', async (_, query, names) => {
    expect(await result(query)).toEqual(names);
  });

  test('searches up to six hours by default', async () => {
    expect(await result('DepartureAirport=EDI&ArrivalAirport=JFK&Service=cargo')).toEqual([]);
    expect(await result('DepartureAirport=EDI&ArrivalAirport=JFK&Service=cargo&MaxConnectingTime=810')).toEqual([
      'EDI ZX300 LHR ZX7001 JFK',
    ]);
  });

  test.each<readonly [string, string, Problem['errors']]>([
    [
      'without a location',
      'DepartureDate=2026-06-01',
      {
        '': ['At least one of DepartureAirport, DepartureCity, ArrivalAirport, ArrivalCity and ViaPoint is required.'],
      },
    ],
    [
      'over more than a week',
      'ViaPoint=LHR&DepartureDate=2026-06-01/2026-06-08',
      { DepartureDate: ['must cover at most 7 days, not 8'] },
    ],
    [
      'on an invalid day',
      'ViaPoint=LHR&DepartureDate=2026-06-31',
      { DepartureDate: ["must be a date of the calendar, not '2026-06-31'"] },
    ],
    [
      'backwards',
      'ViaPoint=LHR&DepartureDate=2026-06-02/2026-06-01',
      { DepartureDate: ["must not end before it starts: '2026-06-02/2026-06-01'"] },
    ],
    [
      'between times that cross',
      'ViaPoint=LHR&MinConnectingTime=361',
      { MinConnectingTime: ['must not be greater than MaxConnectingTime: 361 is, than 360'] },
    ],
    [
      'with several errors',
      'MinConnectingTime=90&MaxConnectingTime=60&DepartureDate=2026-06-01/2026-06-31',
      {
        '': ['At least one of DepartureAirport, DepartureCity, ArrivalAirport, ArrivalCity and ViaPoint is required.'],
        DepartureDate: ["must be a date of the calendar, not '2026-06-31'"],
        MinConnectingTime: ['must not be greater than MaxConnectingTime: 90 is, than 60'],
      },
    ],
    ['with a foreign cursor', 'ViaPoint=LHR&Cursor=AAAA', { Cursor: ['is not a cursor of this query'] }],
    ['with one in small letters', 'viapoint=LHR&cursor=AAAA', { Cursor: ['is not a cursor of this query'] }],
  ])('%s is rejected with a description', async (_, query, errors) => {
    expect(await getErrors(query)).toEqual(errors);
  });
});

const everything = 'ViaPoint=LHR,LGW,JFK,CDG&MaxConnectingTime=1440';

/** The pages of a walk from one on. */
const listPages = async (query: string): Promise<readonly ConnectionPage[]> => {
  const pages: ConnectionPage[] = [];
  for (let to: string | undefined = query; to !== undefined;) {
    const one: ConnectionPage = await page(to);
    pages.push(one);
    to = one.paging.next && pathOf(one.paging.next).replace('/flight-connections?', '');
  }
  return pages;
};

describe('a walk', () => {
  test.each([1, 3, 7, 100])('in pages of %i returns the same as one page', async (limit) => {
    const [whole] = await listPages(`${everything}&Limit=1000`);
    const pages = await listPages(`${everything}&Limit=${limit}`);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole?.data);
    expect(pages.map(({ paging: { next: _, ...paging } }) => paging)).toEqual(
      pages.map(() => ({
        limit,
        totalCount: whole?.data.length,
        totalPages: Math.ceil((whole?.data.length ?? 0) / limit),
      })),
    );
  });

  test('stays in its set while another is published, and is rejected once its set is deleted', async () => {
    const setOf = async (query: string): Promise<string | null> =>
      (await world.get(`/flight-connections?${query}`)).headers.get('connections-set');
    const begun = await page(`${everything}&Limit=2`);
    const next = pathOf(begun.paging.next ?? '').replace('/flight-connections?', '');
    const before = await setOf(everything);
    await world.buildConnections();
    expect(await setOf(next)).toBe(before);
    expect(await setOf(everything)).toBe(String(Number(before) + 1));
    const expected = (await page(`${everything}&Limit=4`)).data.slice(2);
    expect((await page(next)).data).toEqual(expected);
    await world.buildConnections();
    expect(await getErrors(next)).toEqual({ Cursor: ['marks an item that is no longer in the list'] });
  });

  test('is consistent while the schedules change, and the next one sees the change', async () => {
    const other = await serveConnections();
    const request = async (query: string): Promise<ConnectionPage> => {
      const one: ConnectionPage = await (await other.get(`/flight-connections?${query}`)).json();
      return one;
    };
    const before = await request('DepartureAirport=GLA&Limit=1000');
    const begun = await request('DepartureAirport=GLA&Limit=1');
    await publishText(other.db, connectionSchedule(summer).replaceAll('1302', '1303'));
    await other.buildConnections();
    const rest: Connection[] = [];
    for (let next = begun.paging.next; next !== undefined;) {
      const one: ConnectionPage = await (await other.get(pathOf(next))).json();
      rest.push(...one.data);
      next = one.paging.next;
    }
    const after = await request('DepartureAirport=GLA&Limit=1000');
    await other.drop();
    expect([...begun.data, ...rest]).toEqual(before.data);
    expect(after.data.map(name)).toEqual(before.data.map((one) => name(one).replace('ZX1302', 'ZX1303')));
  });
});

describe('a response', () => {
  test('identifies its set, and supports conditional requests', async () => {
    const path = `/flight-connections?${everything}`;
    const first = await world.get(path);
    const conditionalRequest = (header: string, value: string | null): Promise<Response> =>
      world.get(path, { 'subscription-key': TEST_KEY, [header]: value ?? '' });
    expect(first.headers.get('connections-set-dates')).toBe('2026-05-31/2027-05-30');
    expect(first.headers.get('last-modified')).toBe('Mon, 01 Jun 2026 12:00:00 GMT');
    const statuses = await Promise.all([
      conditionalRequest('If-None-Match', first.headers.get('etag')),
      conditionalRequest('If-Modified-Since', first.headers.get('last-modified')),
      conditionalRequest('If-None-Match', '"another"'),
      conditionalRequest('If-Modified-Since', 'Mon, 01 Jun 2026 11:59:59 GMT'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([304, 304, 200, 200]);
  });

  test('is 503 with Retry-After until a set is published', async () => {
    const empty = await serveTinyWorld();
    const responses = await Promise.all(
      [
        '/flight-connections?ViaPoint=LHR',
        '/flight-connections/explain?Leg1CarrierCode=ZX&Leg1FlightNumber=1&Leg2CarrierCode=ZX&Leg2FlightNumber=2&DepartureDate=2026-06-01',
      ].map((path) => empty.get(path)),
    );
    const health = await empty.get('/flight-connections/health', {});
    const bodies: Problem[] = await Promise.all(responses.map((response) => response.json()));
    await empty.drop();
    expect(bodies.map(({ status, detail }) => [status, detail])).toEqual(
      responses.map(() => [503, 'The connections are being built. Try again in 30 seconds.']),
    );
    expect(responses.map(({ headers }) => headers.get('retry-after'))).toEqual(['30', '30']);
    expect([health.status, await health.json()]).toEqual([503, { connections: 'unhealthy' }]);
  });
});
