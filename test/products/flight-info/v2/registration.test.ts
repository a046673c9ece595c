import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatFlight, serveStatuses, listPages, xx101, xx301, type StatusService } from './status-service.ts';

let world: StatusService;

const tail = (observedAt: string, registration: string | null) => [observedAt, { aircraft: { registration } }] as const;

beforeAll(async () => {
  world = await serveStatuses();
  for (const day of ['2026-06-01', '2026-06-02', '2026-06-03'])
    await world.report(xx101(day), tail('2026-05-31T08:00:00Z', 'G-ZXAB'));
  await world.report(xx301(1), tail('2026-05-31T08:00:00Z', 'GZXAB'));
  await world.report(xx301(2), tail('2026-05-31T08:00:00Z', 'N342UP'));
});
afterAll(() => world.drop());

const matches = async (query: string): Promise<readonly string[]> =>
  (await world.getPage(query)).data.map(formatFlight);

const june1 = 'DepartureDateTime=2026-06-01';
const ofDay1 = ['XX301 LHR-JFK 06-01 08:00', 'XX101 LHR-JFK 06-01 11:00', 'YY5101 LHR-JFK 06-01 11:00'].toSorted();

test.each(['GZXAB', 'G-ZXAB', 'g-zxab', 'gzxab', 'GZ-XA-B'])(
  'a registration finds the flights of its aircraft, marketing flights too: %s',
  async (registration) => {
    const page = await world.getPage(`${june1}&AircraftRegistrationNumber=${registration}`);
    expect(page.data.map(formatFlight).toSorted()).toEqual(ofDay1);
    expect(page.paging.totalCount).toBe(3);
  },
);

test('the matching flights have the registration without hyphens', async () => {
  const { data } = await world.getPage(`${june1}&AircraftRegistrationNumber=g-zxab&Content=Status`);
  expect(data.map(({ statusDetails }) => statusDetails?.[0]?.equipment)).toEqual(
    data.map(() => ({ aircraftRegistrationNumber: 'GZXAB' })),
  );
});

test('pages over a range of days', async () => {
  const query = 'DepartureDateTime=2026-06-01/2026-06-03&Codeshare=Operating&AircraftRegistrationNumber=G-ZXAB&Limit=1';
  const pages = await listPages(world, query);
  expect(pages.map(({ data, paging }) => [...data.map(formatFlight), paging.totalCount])).toEqual([
    ['XX301 LHR-JFK 06-01 08:00', 4],
    ['XX101 LHR-JFK 06-01 11:00', 4],
    ['XX101 LHR-JFK 06-02 11:00', 4],
    ['XX101 LHR-JFK 06-03 11:00', 4],
  ]);
});

test('can be combined with other parameters', async () => {
  expect(await matches(`ArrivalDateTime=2026-06-02&AircraftRegistrationNumber=GZXAB&CarrierCode=XX`)).toEqual([
    'XX101 LHR-JFK 06-02 11:00',
  ]);
  expect(await matches(`${june1}&AircraftRegistrationNumber=N342UP&DepartureAirport=LHR`)).toEqual([]);
});

test('finds the legs of a flight with stops, and not the whole flight', async () => {
  expect(await matches(`${june1}&AircraftRegistrationNumber=N342UP`)).toEqual(['XX301 JFK-LAX 06-01 13:00']);
});

test('an unknown aircraft has no flights', async () => {
  expect(await matches(`${june1}&AircraftRegistrationNumber=ZZ-NONE`)).toEqual([]);
});

test('after an aircraft change the first no longer finds the flight, and after a withdrawal neither does', async () => {
  const of = (registration: string) =>
    matches(`DepartureDateTime=2026-06-03&AircraftRegistrationNumber=${registration}&CarrierCode=XX`);
  await world.report(xx101('2026-06-03'), tail('2026-06-01T09:00:00Z', 'G-ZXCD'));
  expect([await of('G-ZXAB'), await of('G-ZXCD')]).toEqual([[], ['XX101 LHR-JFK 06-03 11:00']]);
  await world.report(xx101('2026-06-03'), tail('2026-06-01T10:00:00Z', null));
  expect([await of('G-ZXAB'), await of('G-ZXCD')]).toEqual([[], []]);
});

test.each([
  ['one character', 'G'],
  ['eleven characters', 'G-ZXABCDEFG'],
  ['a blank within', 'G%20ZXAB'],
])('an invalid registration is rejected: %s', async (_, registration) => {
  expect(Object.keys((await world.getErrors(`${june1}&AircraftRegistrationNumber=${registration}`)) ?? {})).toEqual([
    'AircraftRegistrationNumber',
  ]);
});
