/* Random requests generated from the documents: each response of the mock fits its document. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFirstChunk } from '../contract/contract.ts';
import { createValidRequests, type KnownData } from '../contract/random/valid-requests.ts';
import { servedOperations } from '../contract/services/served-documents.ts';
import { randomRequestOptions, serveMock } from './serve-mock.ts';

const { send } = serveMock();

/** Nothing but the documents. */
const known: KnownData = {
  key: 'any',
  needed: [],
  pool: [],
  records: [],
  objects: new Map(),
  together: [],
  cursors: { own: [], others: [] },
};

test.each(servedOperations)('%s has a response to any valid request', async (_, served, operation) => {
  const questions = createValidRequests(served, operation, { known, spelling: { isOdd: true } });
  const statuses = new Set<number>();
  for (const { path, method, headers, body } of fc.sample(questions, randomRequestOptions)) {
    const prefer = `today=${served.day}`;
    const init = { method, headers: { ...headers, prefer }, ...(body !== undefined && { body }) };
    const response = await send(path, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    statuses.add(response.status);
    // A HEAD response has no body.
    if (method === 'HEAD') continue;
    const checked = isStream ? await readFirstChunk(response) : response;
    const problems = await served.contract.problems(operation.method, operation.path, checked);
    expect([method, path, headers, problems]).toEqual([method, path, headers, []]);
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
});
