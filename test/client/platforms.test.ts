import { afterEach, expect, test } from 'vitest';
import { createFlightDataClient } from '../../src/client/index.ts';

const usual = globalThis.Request;
afterEach(() => {
  globalThis.Request = usual;
});

/** Of a platform that has settings of its own for requests, and refuses those it does not know the values of. */
class StrictRequest extends usual {
  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    if ('client' in init) throw new TypeError('`client` must be an HttpClient');
    super(input, init);
  }
}

test('a request is made of settings that every platform knows', async () => {
  globalThis.Request = StrictRequest;
  const asked: string[] = [];
  const client = createFlightDataClient({
    baseUrl: 'http://service.test',
    subscriptionKey: 'a-key',
    fetch: async (url) => {
      asked.push(url);
      return Response.json({ data: [], paging: { limit: 100, totalCount: 0, totalPages: 0 } });
    },
  });
  const found = [];
  for await (const flight of client.flightInfo.listFlightInstances({ query: { DepartureDateTime: '2027-03-01' } }))
    found.push(flight);
  expect([asked, found]).toEqual([
    ['http://service.test/flight-instances?DepartureDateTime=2027-03-01&version=v2'],
    [],
  ]);
});
