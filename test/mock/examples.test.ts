import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, toJsonObject } from '#lib/openapi-document.ts';
import { listExamples, isSuccess, type Example } from '#mock/examples.ts';
import { readFirstChunk } from '../contract/contract.ts';
import { createValidRequests, toInit, type KnownData } from '../contract/random/valid-requests.ts';
import { servedOperations } from '../contract/services/served-documents.ts';
import { toExampleCall, statusesOf } from './example-calls.ts';
import { randomRequestOptions, serveMock } from './serve-mock.ts';

const { send, faults } = serveMock();

const isStream = ({ mediaType }: Example): boolean => mediaType === 'text/event-stream';

/** Reads a response; of a stream, its first chunk. */
const read = async (response: Response): Promise<Response> =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true ? readFirstChunk(response) : response;

const valueOf = async (response: Response, example: Example): Promise<unknown> => {
  const text = await response.text();
  return isStream(example) ? text : JSON.parse(text);
};

/** Members of a problem that depend on the example, and those that depend on the request. */
const valueShown = ({ mediaType, value }: Example, path: string, response: Response): unknown =>
  mediaType === 'application/problem+json'
    ? { ...toJsonObject(value), instance: path.split('?')[0], traceId: response.headers.get('x-request-id') }
    : value;

describe.each(servedOperations)('%s', (_, served, operation) => {
  const examples = listExamples(served.contract.document, operation);
  const firstAt = ({ request, mediaType }: Example): Example | undefined =>
    examples.find((one) => isSuccess(one) && one.mediaType === mediaType && one.request === request);

  test('returns each example to its request', async () => {
    const shown = examples.filter(isSuccess);
    expect(shown.length).toBeGreaterThan(0);
    for (const example of shown) {
      expect([example.name, example.request]).toEqual([example.name, expect.stringMatching(/^\//)]);
      const { path, init } = toExampleCall(served, operation, { example });
      const response = await read(await send(path, init));
      const found = [example.name, response.status, await valueOf(response, example)];
      // Requests that differ in their bodies only get the first example.
      expect(found).toEqual([example.name, example.status, firstAt(example)?.value]);
    }
  });

  test('returns each example by its name, as documented', async () => {
    for (const example of examples) {
      const prefer = [`code=${example.status}`, `example=${example.name}`];
      const { path, init } = toExampleCall(served, operation, { example, prefer });
      const response = await read(await send(path, init));
      const copy = response.clone();
      const found = [example.name, response.status, await valueOf(response, example)];
      expect(found).toEqual([example.name, example.status, valueShown(example, path, response)]);
      const problems = await served.contract.problems(operation.method, operation.path, copy);
      expect([example.name, problems]).toEqual([example.name, []]);
    }
  });

  test('returns each declared status, as documented', async () => {
    for (const status of statusesOf(operation)) {
      const { path, init } = toExampleCall(served, operation, { example: undefined, prefer: [`code=${status}`] });
      const response = await send(path, init);
      expect(response.status).toBe(status);
      const problems = await served.contract.problems(operation.method, operation.path, response);
      expect([status, problems]).toEqual([status, []]);
    }
  });

  test('returns a generated body that matches the schema and has no undeclared property', async () => {
    const [example] = examples.filter(({ mediaType, status }) => mediaType === 'application/json' && status < 300);
    const { path, init } = toExampleCall(served, operation, { example, prefer: ['dynamic=true'] });
    const response = await send(path, init);
    expect(response.status).toBe(example?.status);
    const body = await response.clone().text();
    // A state in one word can be the one of the example.
    const shown = examples.filter(({ value }) => isJsonObject(value)).map(({ value }) => JSON.stringify(value));
    expect(shown).not.toContain(body);
    const problems = await served.contract.problems(operation.method, operation.path, response);
    expect(problems).toEqual([]);
  });
});

/** Nothing but the documents. */
const cursors = { own: [], others: [] };
const known: KnownData = { key: 'any', needed: [], pool: [], records: [], objects: new Map(), together: [], cursors };

test.each(servedOperations)('%s has a response to any valid request', async (_, served, operation) => {
  const requests = createValidRequests(served, operation, { known, isOdd: true });
  for (const request of fc.sample(requests, randomRequestOptions)) {
    const { path, method, headers } = request;
    const response = await send(path, toInit({ ...request, headers: { ...headers, prefer: `today=${served.day}` } }));
    expect([method, path, headers, response.status < 500]).toEqual([method, path, headers, true]);
    // A HEAD response has no body.
    if (method === 'HEAD') continue;
    const problems = await served.contract.problems(operation.method, operation.path, await read(response));
    expect([method, path, headers, problems]).toEqual([method, path, headers, []]);
  }
});

test('a requested error is not logged as a failure', () => {
  expect(faults).toEqual([]);
});
