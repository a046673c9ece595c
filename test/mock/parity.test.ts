/* Compares the rejections of the mock with those of the service. The tests of documents and examples compare their responses. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { toJsonObject } from '#lib/openapi-document.ts';
import { serveKnownData } from '../contract/services/known-service.ts';
import { toInit } from '../contract/random/valid-requests.ts';
import { servedOperations } from '../contract/services/served-documents.ts';
import { createInvalidRequests } from '../contract/random/invalid-requests.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { randomRequestOptions, serveMock } from './serve-mock.ts';

const mock = serveMock('http://service.test');
const world = await serveKnownData();
afterAll(world.drop);

/** Returns what distinguishes rejections: status, kind and invalid names. */
const summarizeRejection = async (response: Response): Promise<readonly unknown[]> => {
  const text = await response.text();
  const { type, errors } = toJsonObject(text === '' ? {} : JSON.parse(text));
  return [response.status, type, Object.keys(toJsonObject(errors)).toSorted()];
};

test.each(servedOperations)('%s rejects invalid requests like the service', async (_, served, operation) => {
  const known = await world.findKnownData(served, operation);
  const requests = createInvalidRequests(served, operation, known);
  let rejected = 0;
  for (const request of fc.sample(requests, randomRequestOptions)) {
    const { expected, path } = request;
    // The mock accepts every key, and only the cursors in its examples.
    if (expected.status === 401 || (expected.status === 400 && expected.isCursor)) continue;
    const sent = toInit(request);
    const onDay = { ...sent, headers: { ...sent.headers, prefer: `today=${served.day}` } };
    const real = await summarizeRejection(await world.on(served)(path, sent));
    expect([path, sent, await summarizeRejection(await mock.send(path, onDay))]).toEqual([path, sent, real]);
    rejected += 1;
  }
  expect(rejected).toBeGreaterThan(randomRequestOptions.numRuns / 3);
});

/** Queries that a schema accepts and the service rejects. */
const rejectedQueries = [
  '/flight-instances?version=v2',
  '/flight-instances?version=v2&DepartureDateTime=2027-02-30',
  '/flight-instances?version=v2&DepartureDateTime=2027-02-10T25:99',
  '/flight-instances?version=v2&DepartureDateTime=2027-02-10/2027-02-01',
  '/flight-instances?version=v2&DepartureDateTime=2027-01-01/2027-02-01',
  '/flight-instances?version=v2&DepartureDateTime=2027-03-01&CodeType=ICAO',
  '/flight-instances?version=v2&DepartureDateTime=2027-03-01&IncludeDiverted=true&Content=Status',
  '/flight-instances?version=v2&DepartureDateTime=2027-03-01&IncludeDiverted=true&ArrivalAirport=JFK',
  '/flight-instances?version=v2&LatestDepartureDateTime=2027-03-01',
  '/flight-instances?version=v2&LatestArrivalDateTime=2027-03-01/2027-03-04&ArrivalAirport=JFK',
  '/flights?version=v1&DepartureDate=2027-02-30',
  '/flight-connections?version=v1',
  '/flight-connections?version=v1&DepartureAirport=GLA&DepartureDate=2027-02-30',
  '/flight-connections?version=v1&DepartureAirport=GLA&DepartureDate=2027-03-01/2027-03-20',
  '/flight-connections?version=v1&DepartureAirport=GLA&MinConnectingTime=100&MaxConnectingTime=50',
  '/locations?version=v1&Near=95,0&WithinKm=5',
  '/locations?version=v1&Near=50,0',
  '/locations?version=v1&AsOf=2027-02-30',
  '/carriers?version=v1&AsOf=2027-02-30',
] as const;

test.each(rejectedQueries)('%s is rejected like by the service', async (path) => {
  const template = path.replace(/\?.*/, '');
  const served = servedOperations.findLast(([, , operation]) => operation.path === template)?.[1];
  if (!served) throw new Error(`no operation has ${path}`);
  const headers = { 'subscription-key': TEST_KEY };
  const real = await world.on(served)(path, { method: 'GET', headers });
  const mocked = await mock.send(path, { headers: { ...headers, prefer: `today=${served.day}` } });
  const summaries = [await summarizeRejection(real), await summarizeRejection(mocked)];
  expect([real.status, summaries[1]]).toEqual([400, summaries[0]]);
});

test('v1 of Flight Info is checked with the names of its own parameters', async () => {
  const path = '/flight-instances?version=v1&DepartureDate=2024-02-30';
  const response = await mock.send(path, { headers: { 'subscription-key': 'any', prefer: 'today=2024-06-01' } });
  const [status, , names] = await summarizeRejection(response);
  expect([status, names]).toEqual([400, ['DepartureDate']]);
});
