import { afterAll, beforeAll, expect, test } from 'vitest';
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

const listed = async (query: string): Promise<FlightInstance> => {
  const page: FlightInstancePage = await (await world.get(`/flight-instances?${query}`)).json();
  const [flight] = page.data;
  if (!flight) throw new Error(`nothing found: ${query}`);
  return flight;
};

test('the single flight is the list row with all other properties', async () => {
  const row = await listed('DepartureDateTime=2026-06-02&CarrierCode=XX&FlightNumber=101');
  const response = await world.get(`/flight-instances/2026-06-02/${row.scheduleInstanceKey}?version=v2`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    ...row,
    bookingClasses: [
      { code: 'J', meal: 'M' },
      { code: 'W', meal: '' },
      { code: 'Y', meal: 'M' },
    ],
    freightClasses: [],
    restrictions: [],
    planeChangeWithoutAircraftChange: false,
    inFlightServices: ['9'],
    automatedCheckIn: false,
    electronicTicketing: true,
    secureFlightIndicator: true,
    governmentApproval: false,
    seatingCapacity: {
      actual: { firstClass: 0, businessClass: 30, premiumEconomyClass: 21, economyClass: 178, totalSeats: 229 },
    },
    statusDetails: [],
  });
});

test('a freighter has freight classes, and a restricted leg its restriction', async () => {
  const freighter = await listed('DepartureDateTime=2026-06-01&FlightNumber=501');
  const leg = await listed('DepartureDateTime=2026-06-01&FlightNumber=301&DepartureAirport=JFK');
  const get = async ({ scheduleInstanceKey }: FlightInstance): Promise<FlightInstance> => {
    const response = await world.get(`/flight-instances/2026-06-01/${scheduleInstanceKey?.toUpperCase()}/`);
    const matches: FlightInstance = await response.json();
    return matches;
  };
  expect((await get(freighter)).freightClasses).toEqual([
    { code: 'LL', quantity: '08' },
    { code: 'PP', quantity: '04' },
  ]);
  expect((await get(leg)).restrictions).toEqual([
    { number: 1, code: 'K', passenger: true, cargo: true, mail: true, boardPoint: true, offPoint: true },
  ]);
});

test.each([
  ['an unknown key', `2026-06-01/${'0'.repeat(64)}`, 404, 'not-found'],
  ['a day that the flight does not depart', '2026-06-04/KEY', 404, 'not-found'],
  ['a day that is not expanded', '1999-06-04/KEY', 404, 'not-found'],
  ['a day outside the calendar', '2026-02-30/KEY', 400, 'invalid-parameter'],
  ['an invalid key', '2026-06-01/abc', 400, 'invalid-parameter'],
])('%s', async (_, path, status, kind) => {
  const row = await listed('DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101');
  const response = await world.get(`/flight-instances/${path.replace('KEY', row.scheduleInstanceKey ?? '')}`);
  const problem: Problem = await response.json();
  expect([response.status, problem.type]).toEqual([status, `/docs/errors#${kind}`]);
});
