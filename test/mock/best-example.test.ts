import { expect, test } from 'vitest';
import { serveMock } from './serve-mock.ts';

const { get } = serveMock();

const flights = async (query: string): Promise<unknown> => {
  const { data, paging } = await (await get(`/flight-instances?version=v2${query}`)).json();
  return [data.length, paging.limit, 'next' in paging];
};

const firstPage = [2, 2, true];

test('a request without page size gets the page it matches', async () => {
  expect(await flights('&DepartureDateTime=2027-03-01&DepartureAirport=LHR')).toEqual(firstPage);
  expect(await flights('&DepartureDateTime=2027-03-01&DepartureAirport=LHR&Limit=50')).toEqual(firstPage);
});

test('only the request of the empty example finds nothing', async () => {
  expect(await flights('&DepartureDateTime=2027-03-01&DepartureAirport=LHR&ArrivalAirport=SYD')).toEqual([
    0,
    10,
    false,
  ]);
  expect(await flights('&DepartureDateTime=2027-03-01')).toEqual(firstPage);
});
