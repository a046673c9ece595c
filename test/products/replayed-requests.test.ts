/** Requests as existing client programs send them: one row for each habit. */
import { afterAll, expect, test } from 'vitest';
import { EXAMPLE_KEY, serveExampleWorld } from '../contract/example-world/serve-example-world.ts';

const world = await serveExampleWorld();
afterAll(world.drop);

const day = 'DepartureDateTime=2027-03-01';
const lists = (totalCount: number, row: object = {}) => ({
  paging: expect.objectContaining({ totalCount }),
  data: expect.arrayContaining([expect.objectContaining(row)]),
});
const useInstead = (name: string, here: string) => ({
  statusCode: 400,
  message: `${name} is not a parameter of this operation: send ${here}.`,
  errors: { [name]: [`is not a parameter of this operation: send ${here}`] },
});

test.each<readonly [habit: string, request: string, status: number, members: object]>([
  [
    'names and values in lower case',
    `/flight-instances/?departuredatetime=2027-03-01&departureairport=lhr&codetype=iata&version=v2`,
    200,
    lists(4),
  ],
  [
    'isOperating of an operating flight',
    `/flight-instances?${day}&CarrierCode=ZX&FlightNumber=101`,
    200,
    lists(1, { isOperating: true }),
  ],
  [
    'isOperating of a marketing flight',
    `/flight-instances?${day}&CarrierCode=9Q&FlightNumber=5101`,
    200,
    lists(1, { isOperating: false }),
  ],
  [
    'a month with times at both ends',
    '/flight-instances?DepartureDateTime=2027-03-01T00:00/2027-04-01T00:00&FlightNumber=5101',
    200,
    lists(5),
  ],
  ['the departures of a city', `/flight-instances?${day}&DepartureAirport=LON&CodeType=IATA`, 200, lists(5)],
  ['the arrivals of a city in schedules', '/flights?ArrivalAirport=NYC&DepartureDate=2027-03-01', 200, lists(2)],
  [
    'a carrier parameter of v1',
    `/flight-instances?${day}&IataCarrierCode=ZX`,
    400,
    useInstead('IataCarrierCode', 'CarrierCode with CodeType=IATA'),
  ],
  [
    'a date parameter of v1, in lower case',
    '/flight-instances?departuredate=2027-03-01',
    400,
    useInstead('departuredate', 'DepartureDateTime'),
  ],
  [
    'the cursor of schedules',
    `/flight-instances?${day}&cursor=x`,
    400,
    useInstead('cursor', 'After, as in paging.next'),
  ],
  ['the cursor of Flight Info', '/flights?After=x', 400, useInstead('After', 'cursor, as in paging.next')],
  ['an empty parameter of another version', `/flight-instances?${day}&FlightNumber=5101&DepartureDate=`, 200, lists(1)],
  ['an unknown parameter', `/flight-instances?${day}&FlightNumber=5101&FlightIdentities=x`, 200, lists(1)],
  [
    'After in connections, which has no effect',
    '/flight-connections?version=v1&DepartureAirport=GLA&ArrivalAirport=JFK&After=x',
    200,
    lists(2),
  ],
  [
    'no version in schedules',
    '/flights?IataCarrierCode=ZX&FlightNumber=101&DepartureDate=2027-03-01',
    200,
    lists(1, { flightNumber: 101 }),
  ],
  [
    'an alias of a removed version',
    '/flight-instances?version=Preview',
    404,
    { message: 'Version v1 of Flight Info was removed on 2025-04-14. Its successor is v2.' },
  ],
  [
    'a malformed key',
    '/flight-instances/2027-03-01/abc?version=v2',
    400,
    { errors: { scheduleInstanceKey: ["must be 64 hexadecimal digits, not 'abc'"] } },
  ],
  [
    'a version that does not exist',
    '/flight-connections?version=2',
    404,
    { statusCode: 404, message: "Connections has no version '2'. Its current version is v1." },
  ],
])('%s: %s returns %i', async (_habit, request, status, members) => {
  const response = await world.send(request, { headers: { 'subscription-key': EXAMPLE_KEY } });
  expect([response.status, await response.json()]).toEqual([status, expect.objectContaining(members)]);
});
