import { expect, test } from 'vitest';
import type { Connection, ConnectionPage } from '#generated/connections/v1/types.gen.ts';
import { distances, getErrors, getJson, listPages, pathOf } from '#test/products/responses.ts';
import { serveTinyWorld } from '#test/support/tiny-world.ts';
import { serveConnections } from './connections-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveConnections);

const read = (url: string | undefined): Promise<ConnectionPage> => getJson(world, url);
const page = (query: string): Promise<ConnectionPage> => read(`/flight-connections?${query}`);
const first = async (query: string): Promise<Connection> => {
  const [connection] = (await page(`${query}&Limit=1`)).data;
  if (!connection) throw new Error(`no connection: ${query}`);
  return connection;
};

const everything = 'ViaPoint=LHR,LGW,JFK,CDG&MaxConnectingTime=1440';

const flightName = ({ carrierCode, flightNumber }: Connection['leg2']): string => `${carrierCode.iata}${flightNumber}`;

/** `GLA ZX1302 LHR ZX101 JFK`. */
const name = ({ DepartureAirport, leg1, leg2, ArrivalAirport }: Connection): string => {
  const [arrival, departure] = [leg1.arrival.airport.iata, leg2.departure.airport.iata];
  const via = arrival === departure ? arrival : `${arrival}/${departure}`;
  return `${DepartureAirport} ${flightName(leg1)} ${via} ${flightName(leg2)} ${ArrivalAirport}`;
};

const leg = {
  IntermediateAirportsIata: [],
  carrierCode: { iata: 'ZX', icao: 'ZXA' },
  serviceType: { iata: 'J' },
  departureIntervalDays: 0,
  arrivalIntervalDays: 0,
  fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  restrictions: [],
};
const end = (iata: string, passengerLocalTime: string) => ({ airport: { iata }, passengerLocalTime });

test('a connection has all known properties, and no others', async () => {
  expect(await first('DepartureAirport=GLA&ArrivalAirport=JFK')).toEqual({
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
      ...leg,
      departure: end('GLA', '07:00'),
      arrival: end('LHR', '08:25'),
      DepartureTerminal: '',
      ArrivalTerminal: '5',
      flightNumber: 1302,
      aircraftType: { iata: '320' },
      elapsedTime: 85,
      distance: distances([554.9, 344.8, 299.6]),
      connectionTime: 155,
      mctStatus: 'DI',
    },
    leg2: {
      ...leg,
      departure: end('LHR', '11:00'),
      arrival: end('JFK', '14:00'),
      DepartureTerminal: '5',
      ArrivalTerminal: '8',
      flightNumber: 101,
      aircraftType: { iata: '789' },
      elapsedTime: 480,
      distance: distances([5539.7, 3442.2, 2991.2]),
    },
  });
});

test('a connection on a flight with a stop contains the stop and the interval days', async () => {
  const { data } = await page('DepartureAirport=SYD&ArrivalAirport=GLA');
  expect(data).toMatchObject([
    {
      leg1: { IntermediateAirportsIata: ['SIN'], departureIntervalDays: 0, arrivalIntervalDays: 1 },
      leg2: { IntermediateAirportsIata: [], departureIntervalDays: 1, arrivalIntervalDays: 1 },
      arrivalIntervalDays: 1,
      // ZX 15 leaves until Wednesday, 30 September; ZX 205 does not go on Saturdays, and not in October.
      effectivePeriod: { startDate: '2026-06-01', endDate: '2026-09-28' },
      daysOfOperation: ['monday', 'wednesday', 'sunday'],
    },
  ]);
});

test('a connection every other week lists the weeks between as exceptions', async () => {
  const between = ['06-13', '06-27', '07-11', '07-25', '08-08', '08-22', '09-05', '09-19'];
  expect(await first('DepartureAirport=GLA&ArrivalAirport=JFK&Service=c')).toMatchObject({
    effectivePeriod: { startDate: '2026-06-06', endDate: '2026-09-26' },
    daysOfOperation: ['saturday'],
    exceptDates: between.map((day) => `2026-${day}`),
  });
});

test('a connection of marketing flights names the operating flights', async () => {
  const { data } = await page('Leg1CarrierCode=9Q&Leg2CarrierCode=9Q&ViaPoint=LHR&ArrivalAirport=JFK');
  const operating = (serviceNumber: string) => ({ operatingFlight: { code: 'ZX', serviceNumber, suffix: '' } });
  expect(data).toMatchObject([{ leg1: operating('15'), leg2: operating('101') }]);
});

test('an offline connection with a change of airports is a self connection', async () => {
  expect(await first('DepartureAirport=GLA&Leg1CarrierCode=ZX&Leg2CarrierCode=0Z')).toMatchObject({
    ConnectionType: 'n',
    isSelfConnection: true,
    interAirport: true,
    minimumConnectingTime: { minutes: 240, status: 'DI', source: 'Default' },
    leg1: { arrival: { airport: { iata: 'LHR' } }, connectionTime: 305 },
    leg2: { departure: { airport: { iata: 'LGW' } } },
  });
});

test('a connection of flights with both services has both, whichever is requested', async () => {
  for (const service of ['p', 'c', 'Passenger', 'cargo']) {
    const { data } = await page(`DepartureAirport=EDI&ArrivalAirport=CDG&Service=${service}`);
    expect(data).toMatchObject([{ services: ['passenger', 'cargo'], leg2: { serviceSuffix: 'A', flightNumber: 302 } }]);
  }
});

test('a connection has the same ID in the next set', async () => {
  const idsOf = async (): Promise<readonly string[]> =>
    (await page(`${everything}&Limit=1000`)).data.map(({ connectionId }) => connectionId);
  const before = await idsOf();
  await world.buildConnections();
  expect(await idsOf()).toEqual(before);
  expect(new Set(before).size).toBe(before.length);
  expect(before.length).toBeGreaterThan(25);
});

const fromGlasgow = [
  'GLA ZX1302 LHR ZX101 JFK',
  'GLA ZX1302 LHR ZX908 JFK',
  'GLA ZX903 LHR ZX101 JFK',
  'GLA ZX903 LHR ZX908 JFK',
  'GLA ZX906 LHR ZX101 JFK',
  'GLA ZX7010 LHR ZX7001 JFK',
];

const toJfkAndBoston = ['LHR 9Q5101 JFK 9Q88 BOS', 'LHR ZX101 JFK 9Q88 BOS'];
const toOporto = ['EDI ZX300 LHR/LGW 0Z440 OPO', 'GLA ZX1302 LHR/LGW 0Z440 OPO', 'GLA ZX903 LHR/LGW 0Z440 OPO'];
const toParis = ['GLA ZX1302 LHR ZX302 CDG', 'GLA ZX903 LHR ZX302 CDG', 'GLA ZX906 LHR ZX302 CDG'];
const severalAirports = ['EDI ZX300 LHR ZX101 JFK', 'EDI ZX300 LHR ZX908 JFK', 'SIN 9Q5015 LHR 9Q5101 JFK'];
const toSingapore = 'DepartureAirport=GLA&ArrivalAirport=SIN&DepartureDate=2026-06';
const toSingaporeOnThursday = ['GLA ZX903 LHR ZX411 SIN', 'GLA ZX906 LHR ZX411 SIN'];
const fromSydney = ['SYD ZX15 LHR ZX205 GLA', 'SYD ZX15 LHR ZX302 CDG'];
test.each<readonly [query: string, names: readonly string[]]>([
  ['DepartureAirport=GLA&ArrivalAirport=JFK', fromGlasgow],
  ['departurecity=gla&arrivalcity=nyc', fromGlasgow],
  ['DepartureAirport=EDI,SIN&ArrivalAirport=JFK,GLA', [...severalAirports, 'SIN ZX15 LHR ZX205 GLA']],
  ['DepartureAirport=GLA&DepartureCity=LON', []],
  ['ViaPoint=JFK', toJfkAndBoston],
  // An airport that leg 2 departs from.
  ['ViaPoint=LGW&ConnectionType=n', toOporto],
  ['ViaPoint=JFK&ConnectionType=o', toJfkAndBoston.slice(0, 1)],
  ['ViaPoint=JFK,LHR&ConnectionType=i', toJfkAndBoston.slice(1)],
  ['ViaPoint=JFK&Leg1CarrierCode=zx', toJfkAndBoston.slice(1)],
  ['DepartureAirport=EDI&Leg2CarrierCode=0Z,9Q', toOporto.slice(0, 1)],
  [`${toSingapore}-04&Leg2CarrierCode=ZX&MaxConnectingTime=270`, toSingaporeOnThursday],
  [`${toSingapore}-03`, []],
  [`${toSingapore}-03/2026-06-09&MinConnectingTime=271`, ['GLA ZX1302 LHR ZX411 SIN']],
  ['DepartureAirport=GLA&DepartureDate=2028-06-03', []],
  ['DepartureAirport=SYD&TotalMaxElapsedTime=1550&DepartureTime=21:00/21:00', fromSydney],
  ['DepartureAirport=SYD&TotalMaxElapsedTime=1550&DepartureTime=22:00/21:00', fromSydney],
  ['DepartureAirport=SYD&TotalMaxElapsedTime=1550&DepartureTime=21:01/20:59', []],
  ['DepartureAirport=GLA&Circuity=101', toParis],
  ['DepartureAirport=SYD&TotalMaxElapsedTime=1550', fromSydney],
  ['DepartureAirport=GLA&Service=Cargo', ['GLA ZX7010 LHR ZX7001 JFK']],
  ['ArrivalAirport=OPO&InterAirport=false&MaxConnectingTime=1440', ['LHR ZX302 CDG 0Z471 OPO']],
  // Up to six hours by default.
  ['DepartureAirport=EDI&ArrivalAirport=JFK&Service=cargo', []],
  ['DepartureAirport=EDI&ArrivalAirport=JFK&Service=cargo&MaxConnectingTime=810', ['EDI ZX300 LHR ZX7001 JFK']],
])('a search %s', async (query, names) => {
  expect((await page(`${query}&Limit=1000`)).data.map(name)).toEqual(names);
});

const shortest = 'MinConnectingTime=90&MaxConnectingTime=60';
const required =
  'At least one of DepartureAirport, DepartureCity, ArrivalAirport, ArrivalCity and ViaPoint is required.';
const dates = (message: string) => ({ DepartureDate: [message] });
const crossed = (min: number, max: number) => ({
  MinConnectingTime: [`must not be greater than MaxConnectingTime: ${min} is, than ${max}`],
});
const noDate = dates("must be a date of the calendar, not '2026-06-31'");
const reversed = "must not end before it starts: '2026-06-02/2026-06-01'";
test.each<readonly [query: string, errors: object]>([
  ['DepartureDate=2026-06-01', { '': [required] }],
  ['ViaPoint=LHR&DepartureDate=2026-06-01/2026-06-08', dates('must cover at most 7 days, not 8')],
  ['ViaPoint=LHR&DepartureDate=2026-06-31', noDate],
  ['ViaPoint=LHR&DepartureDate=2026-06-30/2026-06-31', noDate],
  ['ViaPoint=LHR&DepartureDate=2026-06-02/2026-06-01', dates(reversed)],
  ['ViaPoint=LHR&MinConnectingTime=361', crossed(361, 360)],
  [`${shortest}&DepartureDate=2026-06-31`, { '': [required], ...noDate, ...crossed(90, 60) }],
  ['viapoint=LHR&cursor=AAAA', { Cursor: ['is not a cursor of this query'] }],
])('a search %s is rejected', async (query, errors) => {
  expect(await getErrors(world, `/flight-connections?${query}`)).toEqual(errors);
});

test.each(['DepartureCity=GLA', 'ArrivalAirport=JFK', 'ArrivalCity=NYC', 'DepartureAirport=GLA'])(
  'a search %s alone is enough, with equal limits of the connecting time',
  async (query) => {
    expect((await page(`${query}&MinConnectingTime=155&MaxConnectingTime=155`)).data.length).toBeGreaterThan(0);
  },
);

test('connections by elapsed time are the same on pages of any size, the shortest first, then in the order of leg 1', async () => {
  const inOrder = (await page(`${everything}&Limit=1000`)).data;
  const expected = inOrder.toSorted((one, other) => one.totalElapsedTime - other.totalElapsedTime);
  expect((await page(`${everything}&Limit=1000&Sort=leg1`)).data).toEqual(inOrder);
  expect(expected).not.toEqual(inOrder);
  for (const limit of [3, 1000]) {
    const pages = await listPages<ConnectionPage>(
      world,
      `/flight-connections?${everything}&Limit=${limit}&Sort=ElapsedTime`,
    );
    expect(pages.flatMap(({ data }) => data)).toEqual(expected);
    expect(new Set(pages.map(({ paging }) => paging.totalCount))).toEqual(new Set([inOrder.length]));
  }
});

test('a cursor is valid for its order only', async () => {
  const { paging } = await page(`${everything}&Limit=1&Sort=elapsedTime`);
  const next = pathOf(paging.next);
  expect(await getErrors(world, next.replace('&Sort=elapsedTime', ''))).toEqual({
    Cursor: ['is not a cursor of this query'],
  });
  expect((await read(next)).data).toHaveLength(1);
});

test('a cursor stays in its set while another is published, and is rejected once its set is deleted', async () => {
  const setOf = async (url: string): Promise<string | null> =>
    (await world.get(pathOf(url))).headers.get('connections-set');
  const { paging } = await page(`${everything}&Limit=2`);
  const [next = '', whole] = [paging.next, `/flight-connections?${everything}`];
  const before = await setOf(whole);
  await world.buildConnections();
  expect([await setOf(next), await setOf(whole)]).toEqual([before, String(Number(before) + 1)]);
  const expected = (await page(`${everything}&Limit=4`)).data.slice(2);
  expect((await read(next)).data).toEqual(expected);
  await world.buildConnections();
  expect(await getErrors(world, next)).toEqual({ Cursor: ['marks an item that is no longer in the list'] });
});

test('a response identifies its set and its days, and is as old as the set', async () => {
  const { headers } = await world.get(`/flight-connections?${everything}`);
  const names = ['connections-set-dates', 'last-modified'];
  expect(names.map((name) => headers.get(name))).toEqual(['2026-05-31/2027-05-30', 'Mon, 01 Jun 2026 12:00:00 GMT']);
});

test('the service is unhealthy until a set is published', async () => {
  const empty = await serveTinyWorld();
  const health = await empty.get('/flight-connections/health', {});
  expect([health.status, await health.json()]).toEqual([503, { connections: 'unhealthy' }]);
  await empty.drop();
});
