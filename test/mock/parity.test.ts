/* The mock beside the service: what examples show, the service answers too, and what the one refuses the other refuses. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJsonObject, type OpenApiOperation } from '../../src/lib/openapi-document.ts';
import { listExamples, isSuccess } from '../../src/mock/examples.ts';
import { toPage, toRequestPath, withParameter } from '../contract/responses/envelope.ts';
import { serveKnownData, type KnownService } from '../contract/services/known-service.ts';
import { createValidRequests, type TestRequest } from '../contract/random/valid-requests.ts';
import { isList, servedOperations, type ServedDocument } from '../contract/services/served-documents.ts';
import { createInvalidRequests } from '../contract/random/invalid-requests.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { randomRequestOptions } from './random-requests.ts';
import { toExampleCall, declaredHeaders } from './example-calls.ts';
import { serveMock } from './serve-mock.ts';
import { findConflicts, computeShape } from './shape.ts';

const mock = serveMock('http://service.test');
let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(() => world.drop());

type Answered = {
  readonly status: number;
  readonly mediaType: string | undefined;
  /** Those that the document declares. */
  readonly headers: readonly string[];
  readonly body: unknown;
};

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.includes('json') === true;

const answered = async (served: ServedDocument, operation: OpenApiOperation, response: Response): Promise<Answered> => {
  const { status, headers } = response;
  const declared = declaredHeaders(served, operation, status);
  return {
    status,
    mediaType: headers.get('content-type')?.split(';')[0],
    headers: [...headers.keys()].filter((name) => declared.has(name)),
    body: isJson(response) ? await response.json() : undefined,
  };
};

const key = { 'subscription-key': TEST_KEY };

const initOf = ({ method, headers, body }: TestRequest) => ({
  method,
  headers: { ...headers },
  ...(body !== undefined && { body }),
});

/** The first two pages of a list of the service: there are links both ways between them. */
const pagesOf = async (served: ServedDocument, operation: OpenApiOperation): Promise<readonly Answered[]> => {
  const page = async (path: string): Promise<Answered> =>
    answered(served, operation, await world.on(served)(path, { method: 'GET', headers: key }));
  const first = await page(withParameter(await world.wholeList(served, operation), 'Limit', 1));
  return [first, await page(toRequestPath(toPage(first.body).paging['next']))];
};

/** Of some operations most questions that are right find nothing to be answered with. */
const most = 4 * randomRequestOptions.numRuns;

/** Answers of the service to right questions, those that succeed with JSON; when there are enough of them no more is asked. */
const answersOf = async (served: ServedDocument, operation: OpenApiOperation): Promise<readonly Answered[]> => {
  const known = await world.findKnownData(served, operation);
  const questions = createValidRequests(served, operation, { known, spelling: { isOdd: false } });
  const answers = isList(served, operation) ? [...(await pagesOf(served, operation))] : [];
  for (const question of fc.sample(questions, { ...randomRequestOptions, numRuns: most })) {
    if (answers.length >= randomRequestOptions.numRuns) break;
    const response = await world.on(served)(question.path, initOf(question));
    if (response.ok && isJson(response)) answers.push(await answered(served, operation, response));
  }
  return answers;
};

const examplesShown = async (served: ServedDocument, operation: OpenApiOperation): Promise<readonly Answered[]> => {
  const examples = listExamples(served.contract.document, operation).filter(isSuccess);
  const calls = examples
    .filter(({ mediaType }) => mediaType === 'application/json')
    .map((example) => toExampleCall(served, operation, { example, prefer: [`example=${example.name}`] }));
  return Promise.all(calls.map(async ({ path, init }) => answered(served, operation, await mock.send(path, init))));
};

const seenIn = (answers: readonly Answered[]): readonly string[] =>
  [...new Set(answers.flatMap(({ status, mediaType, headers }) => [`${status} ${mediaType}`, ...headers]))].toSorted();

/** The members of what holds the records of a list together, some of which not every page has. */
const membersIn = (answers: readonly Answered[]): readonly string[] => {
  const pages = answers.map(({ body }) => toJsonObject(body)).filter((body) => 'data' in body && 'paging' in body);
  const members = pages.flatMap((page) => [...Object.keys(page), ...Object.keys(toJsonObject(page['paging']))]);
  return [...new Set(members)].toSorted();
};

/** What tells refusals apart: the status, the kind, and the names that are at fault. */
const refusalIn = async (response: Response): Promise<readonly unknown[]> => {
  const text = await response.text();
  const { type, errors } = toJsonObject(text === '' ? {} : JSON.parse(text));
  return [response.status, type, Object.keys(toJsonObject(errors)).toSorted()];
};

describe.each(servedOperations)('%s', (_, served, operation) => {
  test("has examples with the shape of the service's responses", async () => {
    const answers = await answersOf(served, operation);
    const examples = await examplesShown(served, operation);
    expect(answers.length).toBeGreaterThan(0);
    expect(examples.length).toBeGreaterThan(0);
    expect(seenIn(examples)).toEqual(seenIn(answers));
    expect(membersIn(answers)).toEqual(expect.arrayContaining([...membersIn(examples)]));
    const [shown, real] = [examples, answers].map((all) => computeShape(all.map(({ body }) => body)));
    expect(shown && real && findConflicts(shown, real)).toEqual([]);
    // A list can be empty; that the other members of its records are of the service the document vouches for.
    expect([...(shown?.keys() ?? [])].filter((place) => real?.has(place)).length).toBeGreaterThan(0);
  });

  test('rejects invalid requests like the service', async () => {
    const known = await world.findKnownData(served, operation);
    const questions = createInvalidRequests(served, operation, known);
    let refused = 0;
    for (const question of fc.sample(questions, randomRequestOptions)) {
      const { expected, path } = question;
      // Every key opens the mock; and of cursors it knows those in its examples.
      if (expected.status === 401 || (expected.status === 400 && expected.isCursor)) continue;
      const sent = initOf(question);
      const { headers } = sent;
      const told = { ...sent, headers: { ...headers, prefer: `today=${served.day}` } };
      const real = await refusalIn(await world.on(served)(path, sent));
      expect([path, sent, await refusalIn(await mock.send(path, told))]).toEqual([path, sent, real]);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(randomRequestOptions.numRuns / 3);
  });
});
