import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '../../../../generated/flight-info/v2/types.gen.ts';
import { createMapKey, serveStatuses, xx101, xx301, type StatusService } from './status-service.ts';

let world: StatusService;
/** The header of a key whose subscription has maps. */
let withMaps: Record<string, string>;

beforeAll(async () => {
  world = await serveStatuses();
  withMaps = await createMapKey(world);
  await world.report(xx101(), [
    '2026-06-01T10:20:00Z',
    { departure: { actual: { out: '2026-06-01T10:00:00Z', off: '2026-06-01T10:15:00Z' } } },
  ]);
  await world.report(xx301(1), ['2026-06-01T07:01:00Z', { departure: { actual: { out: '2026-06-01T07:00:00Z' } } }]);
});
afterAll(() => world.drop());

const list = '/flight-instances?version=v2&DepartureDateTime=2026-06-01&CarrierCode=XX';
const of101 = `${list}&FlightNumber=101`;

const first = async (path: string, headers = withMaps): Promise<FlightInstance> => {
  const { data }: FlightInstancePage = await (await world.get(path, headers)).json();
  const [flight] = data;
  if (!flight) throw new Error(`nothing found: ${path}`);
  return flight;
};
const singlePath = ({ scheduleInstanceKey }: FlightInstance): string =>
  `/flight-instances/2026-06-01/${scheduleInstanceKey}`;
const single = async (flight: FlightInstance, headers = withMaps): Promise<FlightInstance> => {
  const matches: FlightInstance = await (await world.get(singlePath(flight), headers)).json();
  return matches;
};

const link = /^http:\/\/service\.test\/flight-map\/[\w-]{47}$/;

test('Content=Map adds a link to a flight in the air, and nothing else', async () => {
  const plain = await first(of101);
  expect(plain).not.toHaveProperty('map');
  expect(await first(`${of101}&Content=Map`)).toEqual({ ...plain, map: expect.stringMatching(link) });
});

test.each(['Status,Map', 'StatusHistory,Map', 'Seats,Map'])(
  'the link comes with other datasets: Content=%s',
  async (content) => {
    expect((await first(`${of101}&Content=${content}`)).map).toMatch(link);
  },
);

test('no link comes with other datasets alone', async () => {
  expect(await first(`${of101}&Content=Status,StatusHistory,Seats`)).not.toHaveProperty('map');
});

test('the single flight has the link by default', async () => {
  expect((await single(await first(of101))).map).toMatch(link);
});

test('a marketing flight has the link of its operating flight', async () => {
  const [operating, marketing] = await Promise.all([
    first(`${of101}&Content=Map`),
    first('/flight-instances?DepartureDateTime=2026-06-01&FlightNumber=5101&Content=Map'),
  ]);
  expect(marketing.map).toBe(operating.map);
});

test('a key whose subscription has no maps gets no link, in a list or with the single flight', async () => {
  const flight = await world.getOnly('DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101&Content=Map');
  expect(flight).not.toHaveProperty('map');
  expect(await world.getSingle(flight)).not.toHaveProperty('map');
});

test('a flight that has not taken off has no link', async () => {
  const leg = await first(`${list}&FlightNumber=301&ArrivalAirport=JFK&Content=Status,Map`);
  expect([leg.statusDetails?.[0]?.state, leg.map]).toEqual(['OutGate', undefined]);
});

test('the link returns a page without a key, and the log does not contain it', async () => {
  const { map = '' } = await first(`${of101}&Content=Map`);
  const response = await world.get(map.replace('http://service.test', ''), {});
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await response.text()).toContain('XX 101');
  const token = map.slice(map.lastIndexOf('/') + 1);
  expect(world.logged().filter((line) => line.includes('/flight-map/'))).toHaveLength(1);
  expect(world.logged().filter((line) => line.includes(token))).toEqual([]);
});

test('a flight with stops as a whole is in the air with one of its legs, and has the link of that leg', async () => {
  await world.report(xx301(1), ['2026-06-01T07:20:00Z', { departure: { actual: { off: '2026-06-01T07:15:00Z' } } }]);
  const [leg, whole] = await Promise.all([
    first(`${list}&FlightNumber=301&ArrivalAirport=JFK&Content=Map`),
    first(`${list}&FlightNumber=301&DepartureAirport=LHR&ArrivalAirport=LAX&Content=Status,Map`),
  ]);
  expect(whole.statusDetails?.[0]?.state).toBe('inAir');
  expect(leg.map).toMatch(link);
  expect(whole.map).toBe(leg.map);
  expect((await single(whole)).map).toBe(leg.map);
});

test('the link is absent once the flight has landed', async () => {
  await world.report(xx101(), ['2026-06-01T17:45:00Z', { arrival: { actual: { on: '2026-06-01T17:40:00Z' } } }]);
  const landed = await first(`${of101}&Content=Status,Map`);
  expect([landed.statusDetails?.[0]?.state, landed.map]).toEqual(['Landed', undefined]);
  expect(await single(landed)).not.toHaveProperty('map');
});
