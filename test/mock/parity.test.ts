/* Compares the mock with the service: same response shapes, and the same rejections. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { isJsonObject, toJsonObject, type OpenApiOperation } from '../../src/lib/openapi-document.ts';
import { listExamples, isSuccess } from '../../src/mock/examples.ts';
import { toPage, toRequestPath, withParameter } from '../contract/responses/envelope.ts';
import { serveKnownData } from '../contract/services/known-service.ts';
import { createValidRequests, type TestRequest } from '../contract/random/valid-requests.ts';
import { isList, servedOperations, type ServedDocument } from '../contract/services/served-documents.ts';
import { createInvalidRequests } from '../contract/random/invalid-requests.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { toExampleCall, declaredHeaders } from './example-calls.ts';
import { randomRequestOptions, serveMock } from './serve-mock.ts';

const mock = serveMock('http://service.test');
const world = await serveKnownData();
afterAll(world.drop);

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.includes('json') === true;

/** Reads a response with the headers that the document declares. */
const receive = async (served: ServedDocument, operation: OpenApiOperation, response: Response) => {
  const { status, headers } = response;
  const declared = declaredHeaders(served, operation, status);
  const body: unknown = isJson(response) ? await response.json() : undefined;
  const mediaType = headers.get('content-type')?.split(';')[0];
  return { status, mediaType, headers: [...headers.keys()].filter((name) => declared.has(name)), body };
};
type ReceivedResponse = Awaited<ReturnType<typeof receive>>;

const key = { 'subscription-key': TEST_KEY };

const initOf = ({ method, headers, body }: TestRequest) => ({ method, headers, ...(body !== undefined && { body }) });

/** The first two pages of a list of the service: there are links both ways between them. */
const pagesOf = async (served: ServedDocument, operation: OpenApiOperation): Promise<readonly ReceivedResponse[]> => {
  const page = async (path: string): Promise<ReceivedResponse> =>
    receive(served, operation, await world.on(served)(path, { method: 'GET', headers: key }));
  const first = await page(withParameter(await world.wholeList(served, operation), 'Limit', 1));
  return [first, await page(toRequestPath(toPage(first.body).paging['next']))];
};

/** For some operations most valid requests have an empty result. */
const most = 4 * randomRequestOptions.numRuns;

/** Returns successful JSON responses of the service to valid requests; stops when there are enough. */
const fetchResponses = async (served: ServedDocument, operation: OpenApiOperation) => {
  const known = await world.findKnownData(served, operation);
  const questions = createValidRequests(served, operation, { known, spelling: { isOdd: false } });
  const responses = isList(served, operation) ? [...(await pagesOf(served, operation))] : [];
  for (const question of fc.sample(questions, { ...randomRequestOptions, numRuns: most })) {
    if (responses.length >= randomRequestOptions.numRuns) break;
    const response = await world.on(served)(question.path, initOf(question));
    if (response.ok && isJson(response)) responses.push(await receive(served, operation, response));
  }
  return responses;
};

const examplesShown = (served: ServedDocument, operation: OpenApiOperation): Promise<readonly ReceivedResponse[]> => {
  const examples = listExamples(served.contract.document, operation).filter(isSuccess);
  const calls = examples
    .filter(({ mediaType }) => mediaType === 'application/json')
    .map((example) => toExampleCall(served, operation, { example, prefer: [`example=${example.name}`] }));
  return Promise.all(calls.map(async ({ path, init }) => receive(served, operation, await mock.send(path, init))));
};

const seenIn = (responses: readonly ReceivedResponse[]) =>
  new Set(responses.flatMap(({ status, mediaType, headers }) => [`${status} ${mediaType}`, ...headers]));

/** The members of what holds the records of a list together, some of which not every page has. */
const membersIn = (responses: readonly ReceivedResponse[]): readonly string[] => {
  const pages = responses.map(({ body }) => toJsonObject(body)).filter((body) => 'data' in body && 'paging' in body);
  return pages.flatMap((page) => [...Object.keys(page), ...Object.keys(toJsonObject(page['paging']))]);
};

/** Types of JSON values by their path, e.g. `data[].carrier.iata` has `string`. */
type Shape = Map<string, Set<string>>;

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Notes the places of a value that have something; null is nothing. */
const noteShape = (value: unknown, into: Shape, at = ''): void => {
  if (value === null || value === undefined) return;
  into.set(at, (into.get(at) ?? new Set()).add(typeOf(value)));
  if (Array.isArray(value)) for (const item of value) noteShape(item, into, `${at}[]`);
  if (isJsonObject(value)) for (const [name, one] of Object.entries(value)) noteShape(one, into, `${at}.${name}`);
};

/** The shape of several values together. */
const computeShape = (values: readonly unknown[]): Shape => {
  const shape: Shape = new Map();
  for (const value of values) noteShape(value, shape);
  return shape;
};

/** The places at which a shape has a type that another one, which has something there too, has not. */
const findConflicts = (shape: Shape, other: Shape): readonly string[] =>
  [...shape].flatMap(([place, types]) => {
    const known = other.get(place) ?? types;
    const strange = [...types].filter((type) => !known.has(type));
    return strange.map((type) => `${place}: ${type}, not ${[...known].join(' or ')}`);
  });

/** Returns what distinguishes rejections: status, kind and invalid names. */
const summarizeRejection = async (response: Response): Promise<readonly unknown[]> => {
  const text = await response.text();
  const { type, errors } = toJsonObject(text === '' ? {} : JSON.parse(text));
  return [response.status, type, Object.keys(toJsonObject(errors)).toSorted()];
};

describe.each(servedOperations)('%s', (_, served, operation) => {
  test("has examples with the shape of the service's responses", async () => {
    const responses = await fetchResponses(served, operation);
    const examples = await examplesShown(served, operation);
    expect(responses.length).toBeGreaterThan(0);
    expect(examples.length).toBeGreaterThan(0);
    expect(seenIn(examples)).toEqual(seenIn(responses));
    expect(membersIn(responses)).toEqual(expect.arrayContaining([...membersIn(examples)]));
    const [shown, real] = [examples, responses].map((all) => computeShape(all.map(({ body }) => body)));
    expect(shown && real && findConflicts(shown, real)).toEqual([]);
    // A list can be empty; that the other members of its records are of the service the document vouches for.
    expect([...(shown?.keys() ?? [])].filter((place) => real?.has(place)).length).toBeGreaterThan(0);
  });

  test('rejects invalid requests like the service', async () => {
    const known = await world.findKnownData(served, operation);
    const questions = createInvalidRequests(served, operation, known);
    let rejected = 0;
    for (const question of fc.sample(questions, randomRequestOptions)) {
      const { expected, path } = question;
      // Every key opens the mock; and of cursors it knows those in its examples.
      if (expected.status === 401 || (expected.status === 400 && expected.isCursor)) continue;
      const sent = initOf(question);
      const { headers } = sent;
      const onDay = { ...sent, headers: { ...headers, prefer: `today=${served.day}` } };
      const real = await summarizeRejection(await world.on(served)(path, sent));
      expect([path, sent, await summarizeRejection(await mock.send(path, onDay))]).toEqual([path, sent, real]);
      rejected += 1;
    }
    expect(rejected).toBeGreaterThan(randomRequestOptions.numRuns / 3);
  });
});

test('findConflicts reports another type at a place that both have', () => {
  const [shown, real] = [{ data: [{ seats: '1', gate: 'A' }] }, { data: [{ seats: 1, row: null }, {}] }];
  const conflicts = findConflicts(computeShape([shown]), computeShape([real]));
  expect(conflicts).toEqual(['.data[].seats: string, not number']);
});
