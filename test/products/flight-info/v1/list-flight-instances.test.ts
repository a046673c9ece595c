import { beforeAll, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage, Problem } from '#generated/flight-info/v1/types.gen.ts';
import type { FlightInstancePage as NextPage } from '#generated/flight-info/v2/types.gen.ts';
import { toFlightInstance } from '#products/flight-info/v1/to-flight-instance.ts';
import { publishText, serveTinyWorld } from '#test/support/tiny-world.ts';
import { getErrors, getJson } from '#test/products/responses.ts';
import { schedule } from '../v2/example-schedule.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(() => serveTinyWorld({ today: '2024-06-01' }));
beforeAll(async () => {
  await publishText(world.db, schedule);
  await world.refresh();
});

const page = (query: string): Promise<FlightInstancePage> => getJson(world, `/flight-instances?version=1.0&${query}`);

/** `XX101 LHR-JFK 06-01 11:00`. */
const name = ({ carrierCode, flightNumber, serviceSuffix, departure, arrival }: FlightInstance): string =>
  `${carrierCode.iata}${flightNumber}${serviceSuffix} ${departure.airport.iata}-${arrival.airport.iata} ${departure.date.slice(5)} ${departure.passengerLocalTime}`;

const june1 = 'DepartureDate=2026-06-01';

test('a v1 record is the v2 record in the format of v1', async () => {
  const next = await getJson<NextPage>(world, '/flight-instances?version=v2&DepartureDateTime=2026-06-01&Limit=100');
  const { data, paging } = await page(`${june1}&Limit=100`);
  expect(data).toEqual(next.data.map(toFlightInstance));
  expect(paging).toEqual({ limit: 100, totalCount: 8, totalPages: 1 });
});

test('health is that of flight instances, and needs no key', async () => {
  const health = await world.get('/flights/health?version=v1', {});
  expect([health.status, await health.json()]).toEqual([200, { flightInfo: 'healthy' }]);
});

const yy201 = 'YY201 AKL-HNL 06-01 09:00';
const jfk301 = 'XX301 JFK-LAX 06-01 13:00';
test.each<readonly [query: string, expected: readonly string[]]>([
  ['DepartureDate=2026-06-01/2026-06-02&FlightNumber=201', [yy201, 'YY201 AKL-HNL 06-02 09:00']],
  ['ArrivalDate=2026-05-31', [yy201]],
  [`${june1}&DepartureAirport=jfk,AKL`, [yy201, jfk301]],
  [`${june1}&IcaoCarrierCode=YYB&DepartureAirport=AKL`, [yy201]],
  [`${june1}&IataCarrierCode=XX&IcaoCarrierCode=yyb&ArrivalAirport=LAX,HNL&DepartureAirport=JFK,AKL`, [yy201, jfk301]],
  [`${june1}&IcaoCarrierCode=QQQ`, []],
  [`${june1}&FlightType=unscheduled,ga`, []],
  [`${june1}&FlightNumber=201&lang=en`, [yy201]],
])('%s', async (query, expected) => {
  const { data, paging } = await page(query);
  expect([data.map(name), paging.totalCount]).toEqual([expected, expected.length]);
});

const required = ['must not be empty: one of DepartureDate and ArrivalDate is required'];
const dates = 'must be a date like 2027-03-01, or two of them with a slash between';
test.each<readonly [query: string, errors: Readonly<Record<string, readonly string[]>>]>([
  [
    `${june1}&ServiceType=Cargo`,
    { ServiceType: ['is not a parameter of this operation, but of /flight-instances in Flight Info v2'] },
  ],
  ['IataCarrierCode=XX', { DepartureDate: required, ArrivalDate: required }],
  ['ArrivalDate=2026-06-02/2026-06-01', { ArrivalDate: ["must not end before it starts: '2026-06-02/2026-06-01'"] }],
  ['DepartureDate=2026-06-01/2026-07-02', { DepartureDate: ['must cover at most 31 calendar days, not 32'] }],
  ['DepartureDate=2026-02-30', { DepartureDate: ["must be a date of the calendar, not '2026-02-30'"] }],
  ['DepartureDate=2026-06-01T07:30', { DepartureDate: [`${dates}, not '2026-06-01T07:30'`] }],
  [`${june1}&DepartureAirport=KJFK`, { DepartureAirport: ["must be a code of three letters, not 'KJFK'"] }],
  [`${june1}&IataCarrierCode=XXA`, { IataCarrierCode: ["must be a code of two letters or digits, not 'XXA'"] }],
  [`${june1}&IcaoCarrierCode=XX`, { IcaoCarrierCode: ["must be a code of three letters, not 'XX'"] }],
  [`${june1}&Content=Seats`, { Content: ["must be Status, not 'Seats'"] }],
])('%s is rejected with the names of v1', async (query, errors) => {
  expect(await getErrors(world, `/flight-instances?version=v1&${query}`)).toEqual(errors);
});

test('the detail of an error has the names of v1', async () => {
  const problem = await getJson<Problem>(world, '/flight-instances?version=v1&FlightNumber=1', 400);
  expect(problem.type).toBe('/docs/errors#invalid-parameter');
  expect(problem.detail).toBe(`DepartureDate ${required[0]}. There is 1 more error; see errors.`);
});
