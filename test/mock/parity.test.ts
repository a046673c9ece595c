/* Compares the rejections of the mock with those of the service. The tests of documents and examples compare their responses. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { toJsonObject } from '#lib/openapi-document.ts';
import { serveKnownData } from '../contract/services/known-service.ts';
import { toInit } from '../contract/random/valid-requests.ts';
import { servedOperations } from '../contract/services/served-documents.ts';
import { createInvalidRequests } from '../contract/random/invalid-requests.ts';
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
