import { afterEach, expect, test } from 'vitest';
import { createFlightDataClient } from '../../src/client/index.ts';

const PlatformRequest = globalThis.Request;
afterEach(() => {
  globalThis.Request = PlatformRequest;
});

/** Simulates a platform that has request settings of its own and rejects unknown values of them. */
class StrictRequest extends PlatformRequest {
  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    if ('client' in init) throw new TypeError('`client` must be an HttpClient');
    super(input, init);
  }
}

test('creates requests with standard settings only', async () => {
  globalThis.Request = StrictRequest;
  const urls: string[] = [];
  const client = createFlightDataClient({
    baseUrl: 'http://service.test',
    subscriptionKey: 'a-key',
    fetch: async (url) => {
      urls.push(url);
      return Response.json({ data: [], paging: { limit: 100, totalCount: 0, totalPages: 0 } });
    },
  });
  const flights = [];
  for await (const flight of client.flightInfo.listFlightInstances({ query: { DepartureDateTime: '2027-03-01' } }))
    flights.push(flight);
  expect([urls, flights]).toEqual([
    ['http://service.test/flight-instances?DepartureDateTime=2027-03-01&version=v2'],
    [],
  ]);
});
