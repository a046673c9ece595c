import { beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { predictSeats } from '#jobs/statistics/predict-seats.ts';
import { getJson, pathOf } from '#test/products/responses.ts';
import { seats101 } from './example-schedule.ts';
import { createMapKey, serveStatuses, xx101, xx301, type StatusService } from './status-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveStatuses);
/** The service for a key whose subscription has maps. */
let withMaps: Pick<StatusService, 'get'>;
beforeAll(async () => {
  const headers = await createMapKey(world);
  withMaps = { get: (path) => world.get(path, headers) };
  const departure = { actual: { out: '2026-06-01T10:00:00Z', off: '2026-06-01T10:15:00Z' } };
  await world.report(xx101(), ['2026-06-01T10:20:00Z', { departure }]);
  await world.report(xx301(1), ['2026-06-01T07:01:00Z', { departure: { actual: { out: '2026-06-01T07:00:00Z' } } }]);
});

describe('the link to the map', () => {
  const list = 'DepartureDateTime=2026-06-01&CarrierCode=XX';
  const of101 = `${list}&FlightNumber=101`;
  const link = expect.stringMatching(/^http:\/\/service\.test\/flight-map\/[\w-]{47}$/);

  const first = async (query: string): Promise<FlightInstance | undefined> =>
    (await getJson<FlightInstancePage>(withMaps, `/flight-instances?version=v2&${query}`)).data[0];
  const single = (flight: FlightInstance | undefined): Promise<FlightInstance> =>
    getJson(withMaps, `/flight-instances/2026-06-01/${flight?.scheduleInstanceKey}`);

  test('is added to a flight in the air by Content=Map, and nothing else', async () => {
    const plain = await first(of101);
    expect(plain).not.toHaveProperty('map');
    expect(await first(`${of101}&Content=Map`)).toEqual({ ...plain, map: link });
    expect(await single(plain)).toMatchObject({ map: link });
  });

  test.each([
    ['Status,Map', link],
    ['StatusHistory,Map', link],
    ['Seats,Map', link],
    ['Status,StatusHistory,Seats', undefined],
  ])('is returned with other datasets on request: Content=%s', async (content, expected) => {
    expect((await first(`${of101}&Content=${content}`))?.map).toEqual(expected);
  });

  test('of a marketing flight is that of its operating flight', async () => {
    const marketing = await first('DepartureDateTime=2026-06-01&FlightNumber=5101&Content=Map');
    expect(marketing?.map).toBe((await first(`${of101}&Content=Map`))?.map);
  });

  test('is absent for a key whose subscription has no maps, in a list or with the single flight', async () => {
    const flight = await world.getOnly(`${of101}&Content=Map`);
    expect([flight, await world.getSingle(flight)].filter((one) => 'map' in one)).toEqual([]);
  });

  test('is absent until the flight has taken off', async () => {
    const leg = await first(`${list}&FlightNumber=301&ArrivalAirport=JFK&Content=Status,Map`);
    expect([leg?.statusDetails?.[0]?.state, leg?.map]).toEqual(['OutGate', undefined]);
  });

  test('returns a page without a key, and is not in the log', async () => {
    const { map = '' } = (await first(`${of101}&Content=Map`)) ?? {};
    const response = await world.get(pathOf(map), {});
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toContain('XX 101');
    const token = map.slice(map.lastIndexOf('/') + 1);
    expect(world.logged().filter((line) => line.includes('/flight-map/'))).toHaveLength(1);
    expect(world.logged().filter((line) => line.includes(token))).toEqual([]);
  });

  test('of a flight with stops is that of the leg in the air', async () => {
    await world.report(xx301(1), ['2026-06-01T07:20:00Z', { departure: { actual: { off: '2026-06-01T07:15:00Z' } } }]);
    const leg = await first(`${list}&FlightNumber=301&ArrivalAirport=JFK&Content=Map`);
    const whole = await first(`${list}&FlightNumber=301&DepartureAirport=LHR&ArrivalAirport=LAX&Content=Status,Map`);
    expect([whole?.statusDetails?.[0]?.state, leg?.map]).toEqual(['inAir', link]);
    expect([whole?.map, (await single(whole)).map]).toEqual([leg?.map, leg?.map]);
  });

  test('is absent once the flight has landed', async () => {
    await world.report(xx101(), ['2026-06-01T17:45:00Z', { arrival: { actual: { on: '2026-06-01T17:40:00Z' } } }]);
    const landed = await first(`${of101}&Content=Status,Map`);
    expect([landed?.statusDetails?.[0]?.state, landed?.map]).toEqual(['Landed', undefined]);
    expect(await single(landed)).not.toHaveProperty('map');
  });
});

const june = (day: number): string => `DepartureDateTime=2026-06-0${day}&CarrierCode=XX&FlightNumber=101`;
const seatsOf = async (query: string) => (await world.getOnly(`${query}&Content=Seats`)).seatingCapacity;
const seatsOn = (day: number) => seatsOf(june(day));
const cabins = { firstClass: 8, businessClass: 40, premiumEconomyClass: 24, economyPlusClass: 32 };
const flown = { ...cabins, economyClass: 120, totalSeats: 224 };

test('seats are those of the scheduled configuration', async () => {
  const plain = await world.getOnly(june(1));
  expect(plain).not.toHaveProperty('seatingCapacity');
  const expected = { ...plain, seatingCapacity: { actual: seats101 } };
  expect(await world.getOnly(`${june(1)}&Content=Seats`)).toEqual(expected);
});

test('seats are those of the actual aircraft once reported, with and without Status', async () => {
  await world.report(xx101(), ['2026-06-01T18:00:00Z', { seats: flown }]);
  expect(await seatsOn(1)).toEqual({ actual: flown });
  const both = await world.getOnly(`${june(1)}&Content=Seats,Status`);
  expect([both.seatingCapacity, both.statusDetails?.length]).toEqual([{ actual: flown }, 1]);
  expect((await world.getSingle(both)).seatingCapacity).toEqual({ actual: flown });
  // The marketing flight has the seats of its operating flight, and another day its own.
  expect(await seatsOf('DepartureDateTime=2026-06-01&FlightNumber=5101')).toEqual({ actual: flown });
  expect(await seatsOn(2)).toEqual({ actual: seats101 });
});

test('seats omit values unknown to the feed, and are the scheduled ones again when it withdraws its own', async () => {
  await world.report(xx101(), ['2026-06-01T18:10:00Z', { seats: { totalSeats: 220 } }]);
  expect(await seatsOn(1)).toEqual({ actual: { totalSeats: 220 } });
  await world.report(xx101(), ['2026-06-01T18:20:00Z', { seats: null }]);
  expect(await seatsOn(1)).toEqual({ actual: seats101 });
});

test('seats are absent, with all of seatingCapacity, if unknown', async () => {
  const freighter = await world.getOnly('DepartureDateTime=2026-06-01&FlightNumber=501&Content=Seats');
  const both = [freighter, await world.getSingle(freighter)];
  expect(both.filter((one) => 'seatingCapacity' in one)).toEqual([]);
});

test('seats are predicted from earlier flights of the same number, route and carrier', async () => {
  await world.report(xx101('2026-06-02'), ['2026-06-02T08:00:00Z', { seats: flown }]);
  await world.report(xx101(), ['2026-06-02T08:00:00Z', { seats: flown }]);
  const yy201 = { carrier: 'YY', flightNumber: 201, originDate: '2026-06-02', departureAirport: 'AKL' };
  await world.report(yy201, ['2026-06-02T08:00:00Z', { seats: { totalSeats: 180 } }]);
  await predictSeats(world.db, localDate('2026-06-03'));
  // The prediction is valid from 3 June on.
  expect(await seatsOn(2)).toEqual({ actual: flown });
  expect(await seatsOn(3)).toEqual({ actual: seats101, predicted: flown });
  const single = await world.getSingle(await world.getOnly(june(3)));
  expect(single.seatingCapacity).toEqual({ actual: seats101, predicted: flown });
  // No configuration is filed.
  const seats = await seatsOf('DepartureDateTime=2026-06-03&FlightNumber=201');
  expect(seats).toEqual({ predicted: { totalSeats: 180 } });
});
