import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage, Problem } from '../../../../generated/flight-info/v1/types.gen.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';
import { schedule } from '../v2/example-schedule.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld({ today: '2024-06-01' });
  await publishText(world.db, schedule);
  await world.refresh();
});
afterAll(() => world.drop());

const page = async (query: string): Promise<FlightInstancePage> => {
  const response = await world.get(`/flight-instances?version=1.0&${query}`);
  expect(response.status, query).toBe(200);
  const matches: FlightInstancePage = await response.json();
  return matches;
};

const getProblem = async (query: string): Promise<Problem> => {
  const response = await world.get(`/flight-instances?${query}`);
  expect(response.status, query).toBe(400);
  const problem: Problem = await response.json();
  return problem;
};

/** `XX101 LHR-JFK 06-01 11:00`. */
const name = ({ carrierCode, flightNumber, serviceSuffix, departure, arrival }: FlightInstance): string =>
  `${carrierCode.iata}${flightNumber}${serviceSuffix} ${departure.airport.iata}-${arrival.airport.iata} ${departure.date.slice(5)} ${departure.passengerLocalTime}`;

const june1 = 'DepartureDate=2026-06-01';

test('a complete record of v1', async () => {
  const { data, paging } = await page(`${june1}&IataCarrierCode=XX&FlightNumber=101`);
  expect(data).toEqual([
    {
      carrierCode: { iata: 'XX', icao: 'XXA' },
      serviceSuffix: '',
      flightNumber: 101,
      sequenceNumber: 1,
      flightType: 'Scheduled',
      departure: {
        airport: { iata: 'LHR', icao: 'EGLL' },
        terminal: '5',
        date: '2026-06-01',
        passengerLocalTime: '11:00',
      },
      arrival: {
        airport: { iata: 'JFK', icao: 'KJFK' },
        terminal: '8',
        date: '2026-06-01',
        passengerLocalTime: '14:00',
      },
      aircraftType: { iata: '789', icao: 'B789' },
      serviceTypeCode: { iata: 'J' },
      segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      codeshare: {
        jointOperationAirlineDesignators: [],
        comments010: [{ code: 'YY', serviceNumber: '5101', suffix: '' }],
      },
    },
  ]);
  expect(paging).toEqual({ limit: 10, totalCount: 1, totalPages: 1 });
});

describe('each parameter narrows the list', () => {
  test.each<readonly [string, string, readonly string[]]>([
    [
      'a range of days',
      'DepartureDate=2026-06-01/2026-06-02&FlightNumber=201',
      ['YY201 AKL-HNL 06-01 09:00', 'YY201 AKL-HNL 06-02 09:00'],
    ],
    ['the day of arrival', 'ArrivalDate=2026-05-31', ['YY201 AKL-HNL 06-01 09:00']],
    [
      'airports, by their IATA codes',
      `${june1}&DepartureAirport=jfk,AKL`,
      ['YY201 AKL-HNL 06-01 09:00', 'XX301 JFK-LAX 06-01 13:00'],
    ],
    ['a carrier by its ICAO code', `${june1}&IcaoCarrierCode=yyb&FlightNumber=201`, ['YY201 AKL-HNL 06-01 09:00']],
    [
      'a carrier by its ICAO code and an airport by its IATA code',
      `${june1}&IcaoCarrierCode=YYB&DepartureAirport=AKL`,
      ['YY201 AKL-HNL 06-01 09:00'],
    ],
    [
      'carriers by either code',
      `${june1}&IataCarrierCode=XX&IcaoCarrierCode=YYB&ArrivalAirport=LAX,HNL&DepartureAirport=JFK,AKL`,
      ['YY201 AKL-HNL 06-01 09:00', 'XX301 JFK-LAX 06-01 13:00'],
    ],
    ['an unknown ICAO code', `${june1}&IcaoCarrierCode=QQQ`, []],
    ['scheduled flights by default', `${june1}&FlightNumber=201`, ['YY201 AKL-HNL 06-01 09:00']],
    ['unscheduled flights', `${june1}&FlightType=unscheduled,ga`, []],
    [
      'parameters of v2 only, which are ignored',
      `${june1}&FlightNumber=201&ServiceType=Cargo&CodeType=ICAO&DepartureCountryCode=GB`,
      ['YY201 AKL-HNL 06-01 09:00'],
    ],
  ])('%s', async (_, query, expected) => {
    const { data, paging } = await page(query);
    expect(data.map(name)).toEqual(expected);
    expect(paging.totalCount).toBe(expected.length);
  });

  test('Content=Status adds observations, of which there are none yet', async () => {
    const { data } = await page(`${june1}&FlightNumber=101&content=status`);
    expect(data.map(({ statusDetails }) => statusDetails)).toEqual([[]]);
  });
});

describe('errors name the parameters of v1', () => {
  test.each<readonly [string, string, Readonly<Record<string, readonly string[]>>]>([
    [
      'no date at all',
      'IataCarrierCode=XX',
      {
        DepartureDate: ['must not be empty: one of DepartureDate and ArrivalDate is required'],
        ArrivalDate: ['must not be empty: one of DepartureDate and ArrivalDate is required'],
      },
    ],
    [
      'a reversed range',
      'ArrivalDate=2026-06-02/2026-06-01',
      { ArrivalDate: ["must not end before it starts: '2026-06-02/2026-06-01'"] },
    ],
    [
      '32 days',
      'DepartureDate=2026-06-01/2026-07-02',
      { DepartureDate: ['must cover at most 31 calendar days, not 32'] },
    ],
    [
      'a day outside the calendar',
      'DepartureDate=2026-02-30',
      { DepartureDate: [expect.stringContaining("2026-02-30'")] },
    ],
    [
      'a time of day, which v1 does not support',
      'DepartureDate=2026-06-01T07:30',
      {
        DepartureDate: ["must be a date like 2027-03-01, or two of them with a slash between, not '2026-06-01T07:30'"],
      },
    ],
    [
      'an airport by its ICAO code',
      `${june1}&DepartureAirport=KJFK`,
      { DepartureAirport: ["must be a code of three letters, not 'KJFK'"] },
    ],
    [
      'a carrier in the wrong code',
      `${june1}&IataCarrierCode=XXA&IcaoCarrierCode=XX`,
      {
        IataCarrierCode: ["must be a code of two letters or digits, not 'XXA'"],
        IcaoCarrierCode: ["must be a code of three letters, not 'XX'"],
      },
    ],
    ['a dataset of v2', `${june1}&Content=Seats`, { Content: ["must be Status, not 'Seats'"] }],
  ])('%s', async (_, query, errors) => {
    expect((await getProblem(`version=v1&${query}`)).errors).toEqual(errors);
  });

  test('in its detail as well', async () => {
    expect(await getProblem('version=v1&FlightNumber=1')).toMatchObject({
      type: '/docs/errors#invalid-parameter',
      detail:
        'DepartureDate must not be empty: one of DepartureDate and ArrivalDate is required. There is 1 more fault; see errors.',
    });
  });
});

describe('walking the pages', () => {
  const followed = async (first: string): Promise<readonly string[]> => {
    const names: string[] = [];
    for (let next: string | undefined = first; next !== undefined;) {
      const response = await world.get(next.replace('http://service.test', ''));
      const { data, paging }: FlightInstancePage = await response.json();
      names.push(...data.map(name));
      next = paging.next;
    }
    return names;
  };

  test('returns every record once, under either name of the version', async () => {
    const whole = (await page(`${june1}&Limit=100`)).data.map(name);
    expect(whole).toHaveLength(8);
    expect(await followed(`/flight-instances?version=1.0&${june1}&Limit=3`)).toEqual(whole);
    expect(await followed(`/flight-instances?Version=V1&${june1}&limit=5`)).toEqual(whole);
  });

  test('next repeats the query of v1 as it was sent', async () => {
    const { paging } = await page(`departuredate=2026-06-01&IcaoCarrierCode=XXA&Content=Status&Limit=2`);
    expect(paging.next).toMatch(
      /^http:\/\/service\.test\/flight-instances\?version=1\.0&departuredate=2026-06-01&IcaoCarrierCode=XXA&Content=Status&Limit=2&After=[\w-]+$/,
    );
  });

  test('a cursor of one version is invalid in the other', async () => {
    const cursorOf = ({ paging }: FlightInstancePage): string =>
      new URL(paging.next ?? '').searchParams.get('After') ?? '';
    const inV1 = `version=v1&${june1}&Limit=2`;
    const inV2 = 'version=v2&DepartureDateTime=2026-06-01&FlightType=Scheduled&Limit=2';
    const v1: FlightInstancePage = await (await world.get(`/flight-instances?${inV1}`)).json();
    const v2: FlightInstancePage = await (await world.get(`/flight-instances?${inV2}`)).json();
    const wrong = { type: '/docs/errors#cursor-invalid', errors: { After: ['is not a cursor of this query'] } };
    expect(await getProblem(`${inV1}&After=${cursorOf(v2)}`)).toMatchObject(wrong);
    expect(await getProblem(`${inV2}&After=${cursorOf(v1)}`)).toMatchObject(wrong);
    expect((await world.get(`/flight-instances?${inV1}&After=${cursorOf(v1)}`)).status).toBe(200);
  });
});
