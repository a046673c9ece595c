import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  resolveReference,
  isJsonObject,
  toList,
  toJsonObject,
  type JsonObject,
  type OpenApiOperation,
} from '../../../src/lib/openapi-document.ts';
import { checkResponse, type SendRequest } from '../responses/check-response.ts';
import type { KnownService } from '../services/known-service.ts';
import {
  withFault,
  removeMember,
  renameFirstMember,
  withHeaders,
  withStatus,
  withUnknownEnumValue,
  withText,
  type ResponseFault,
} from './response-faults.ts';
import { checkPlantedFault } from './tally.ts';
import type { TestRequest } from '../random/valid-requests.ts';
import { findValidRequest } from '../random/find-valid-request.ts';
import { toParameter } from '../random/parameter-values.ts';
import { servedOperations, type ServedDocument } from '../services/served-documents.ts';
import { createInvalidRequests } from '../random/invalid-requests.ts';

type Planted = readonly [name: string, fault: ResponseFault, says: RegExp];

/** The success that an operation declares: the names of the headers that it must have, and the schema of its body. */
const successOf = (
  { contract: { document } }: ServedDocument,
  { operation }: OpenApiOperation,
): { readonly headers: readonly string[]; readonly schema: unknown } => {
  const responses = Object.entries(toJsonObject(operation['responses']));
  const success = toJsonObject(resolveReference(document, responses.find(([status]) => status.startsWith('2'))?.[1]));
  const headers = Object.entries(toJsonObject(success['headers'])).filter(
    ([, header]) => toJsonObject(resolveReference(document, header))['required'] === true,
  );
  const { schema } = toJsonObject(toJsonObject(success['content'])['application/json']);
  return { headers: headers.map(([name]) => name), schema };
};

/** Faults that any answer can have. */
const ofAnswers: readonly Planted[] = [
  ['a header comes that nobody named', withHeaders({ 'x-powered-by': 'luck' }), /undeclared header x-powered-by/],
  ['a header has another form', withHeaders({ 'api-version': '2.0' }), /header API-Version: .*pattern/],
  ['another media type', withHeaders({ 'content-type': 'text/json' }), /undeclared media type 'text\/json'/],
  ['a status that is not declared', withStatus(203), /undeclared status 203/],
  [
    'a fault of the service, told as nobody declared',
    async () => new Response('Internal Server Error', { status: 500 }),
    /undeclared (status 500|media type)[^]*a fault of the service: 500/,
  ],
  ['no body', withText(() => ''), /not JSON/],
  ['half a body', withText((text) => text.slice(0, text.length / 2)), /not JSON/],
];

/** An answer whose body, or the first item where that is a list, is another object. */
const withObject = (change: (object: JsonObject) => unknown): ResponseFault =>
  withText((text) => {
    const body: unknown = JSON.parse(text);
    return JSON.stringify(
      Array.isArray(body) ? body.with(0, change(toJsonObject(body[0]))) : change(toJsonObject(body)),
    );
  });

/** Those of the object that a right question is answered with; an answer that is a text has none. */
const ofBody = (document: JsonObject, schema: unknown, body: unknown): readonly Planted[] => {
  const node = toJsonObject(resolveReference(document, schema));
  const ofObject = Array.isArray(body) ? toJsonObject(resolveReference(document, node['items'])) : node;
  const object: unknown = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(object)) return [];
  const [required] = toList(ofObject['required']).map(String);
  const strange = withUnknownEnumValue(document, ofObject, object);
  return [
    ['an extra property', withObject((one) => ({ ...one, surprise: 1 })), /surprise/],
    ...(required === undefined
      ? []
      : ([
          [
            'a required property is missing',
            withObject((one) => removeMember(one, required)),
            /must have required property/,
          ],
          ['a property under another name', withObject(renameFirstMember), /Renamed|must have required property/],
        ] satisfies Planted[])),
    ...(strange === undefined
      ? []
      : ([['a value that is not listed', withObject(() => strange), /allowed values/]] satisfies Planted[])),
  ];
};

/** What a version tells of its end, told otherwise. */
const ofLife = (isEnding: boolean): readonly Planted[] =>
  isEnding
    ? [
        ['nothing is said of the deprecation', withHeaders({ deprecation: null }), /header deprecation: /],
        ['nothing is said of the end', withHeaders({ sunset: null }), /header sunset: /],
        ['another end is told', withHeaders({ sunset: 'Tue, 15 Apr 2025 00:00:00 GMT' }), /header sunset: /],
      ]
    : [
        ['a deprecation is told that is none', withHeaders({ deprecation: 'true' }), /header deprecation/],
        ['an end is told that is none', withHeaders({ sunset: 'Mon, 14 Apr 2025 00:00:00 GMT' }), /header sunset/],
      ];

/** A service that knows a parameter, in whichever case, under another name than the documented one. */
const knowsAnotherName =
  (ask: SendRequest, name: string): SendRequest =>
  (path, init) => {
    const [address = '', query] = path.split('?');
    const pieces = query?.split('&').map((piece) => {
      const [key = '', ...rest] = piece.split('=');
      return decodeURIComponent(key).toLowerCase() === name.toLowerCase() ? [`X${key}`, ...rest].join('=') : piece;
    });
    const headers = Object.entries(init.headers).filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    return ask(pieces ? `${address}?${pieces.join('&')}` : address, { ...init, headers: Object.fromEntries(headers) });
  };

/** Questions made by chance in which a parameter is wrong, a few for each. */
const wrongByParameter = async (
  world: KnownService,
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<ReadonlyMap<string, readonly TestRequest[]>> => {
  const known = await world.findKnownData(served, operation);
  const questions = fc.sample(createInvalidRequests(served, operation, known), { seed: 20_260_601, numRuns: 1000 });
  return Map.groupBy(questions, ({ expected }) => (expected.status === 400 ? (expected.parameter ?? '') : ''));
};

/** Whether one of some questions tells a service under which a parameter has another name from the right one. */
const isToldFrom = async (
  ask: SendRequest,
  at: { readonly served: ServedDocument; readonly operation: OpenApiOperation },
  { name, questions }: { readonly name: string; readonly questions: readonly TestRequest[] },
): Promise<boolean> => {
  for (const question of questions.slice(0, 20))
    if ((await checkResponse(knowsAnotherName(ask, name), at, question)).length > 0) return true;
  return false;
};

/** Headers of which no value is wrong; a service that knows them answers these values otherwise than one that does not. */
const conditions = [
  ['If-None-Match', ({ headers }: Response) => headers.get('etag') ?? '', 304],
  ['If-Modified-Since', ({ headers }: Response) => headers.get('last-modified') ?? '', 304],
  ['If-Match', () => '"x"', 412],
] as const;

/** Plants faults in every operation of every document. */
export const testOperationFaults = (world: () => KnownService): void => {
  describe.each(servedOperations)('%s', (_, served, operation) => {
    const ask: SendRequest = (path, init) => world().on(served)(path, init);
    const { headers, schema } = successOf(served, operation);
    let question: TestRequest;
    beforeAll(async () => {
      question = await findValidRequest(world(), served, operation);
    });
    const judge = (fault: ResponseFault): Promise<readonly string[]> =>
      checkResponse(withFault(ask, fault), { served, operation }, question);
    /** Plants faults, and answers what is said of those that are not found. */
    const missed = async (faults: readonly Planted[]): Promise<readonly string[]> => {
      const verdicts: string[] = [];
      for (const [name, fault, says] of faults)
        verdicts.push(`${name}: ${checkPlantedFault(await judge(fault), says)}`);
      return verdicts.filter((one) => !one.endsWith(': caught'));
    };

    test('a header is dropped, and is found out', async () => {
      expect(
        await missed(
          headers.map((name) => [name, withHeaders({ [name]: null }), new RegExp(`missing header ${name}`)] as const),
        ),
      ).toEqual([]);
      expect(headers).toEqual(expect.arrayContaining(['API-Version', 'X-Request-Id']));
    });

    test.each(ofAnswers)('%s, and is found out', async (name, fault, says) => {
      expect(await missed([[name, fault, says]])).toEqual([]);
    });

    const askAgain = (from: SendRequest, more: Readonly<Record<string, string>> = {}): Promise<Response> => {
      const { method, path, body } = question;
      return from(path, { method, headers: { ...question.headers, ...more }, ...(body !== undefined && { body }) });
    };

    test('a body or an end is told otherwise, and is found out', async () => {
      const response = await askAgain(ask);
      expect(await missed(ofLife(response.headers.has('deprecation')))).toEqual([]);
      expect(await missed(ofBody(served.contract.document, schema, await response.json()))).toEqual([]);
    });

    test('a parameter is known by another name, and is found out', async () => {
      const wrong = await wrongByParameter(world(), served, operation);
      const names = operation.parameters
        .map((one) => toParameter(served.contract.document, one))
        .filter((one) => one.in !== 'path' && !conditions.some(([name]) => name === one.name))
        .map(({ name }) => name);
      for (const name of names) {
        const questions = [question, ...(wrong.get(name) ?? [])];
        const isTold = await isToldFrom(ask, { served, operation }, { name, questions });
        expect(checkPlantedFault(isTold ? `${name} is told` : `${name} is not told`, / is told$/)).toBe('caught');
      }
    });

    const own = conditions.filter(([name]) => operation.parameters.some((one) => one['name'] === name));
    test.each(own)('%s is known by another name, and is found out', async (name, valueIn, status) => {
      const condition = { [name.toLowerCase()]: valueIn(await askAgain(ask)) };
      expect((await askAgain(ask, condition)).status).toBe(status);
      const answered = (await askAgain(knowsAnotherName(ask, name), condition)).status;
      expect(checkPlantedFault(answered === status ? '' : `${name} is told`, / is told$/)).toBe('caught');
    });
  });
};
