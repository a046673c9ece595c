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

type Planted = readonly [name: string, fault: ResponseFault, pattern: RegExp];

/** Returns the required headers and the body schema of the declared success. */
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

/** Faults of any response. */
const responseFaults: readonly Planted[] = [
  ['an undeclared header', withHeaders({ 'x-powered-by': 'luck' }), /undeclared header x-powered-by/],
  ['a header of another format', withHeaders({ 'api-version': '2.0' }), /header API-Version: .*pattern/],
  ['another media type', withHeaders({ 'content-type': 'text/json' }), /undeclared media type 'text\/json'/],
  ['an undeclared status', withStatus(203), /undeclared status 203/],
  [
    'an undeclared internal error',
    async () => new Response('Internal Server Error', { status: 500 }),
    /undeclared (status 500|media type)[^]*a fault of the service: 500/,
  ],
  ['a missing body', withText(() => ''), /not JSON/],
  ['half a body', withText((text) => text.slice(0, text.length / 2)), /not JSON/],
];

/** Changes the body, or the first item if that is a list. */
const withObject = (change: (object: JsonObject) => unknown): ResponseFault =>
  withText((text) => {
    const body: unknown = JSON.parse(text);
    return JSON.stringify(
      Array.isArray(body) ? body.with(0, change(toJsonObject(body[0]))) : change(toJsonObject(body)),
    );
  });

/** Faults of the object in a response; a text has none. */
const bodyFaults = (document: JsonObject, schema: unknown, body: unknown): readonly Planted[] => {
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
            'a missing required property',
            withObject((one) => removeMember(one, required)),
            /must have required property/,
          ],
          ['a property under another name', withObject(renameFirstMember), /Renamed|must have required property/],
        ] satisfies Planted[])),
    ...(strange === undefined
      ? []
      : ([['a value that is not enumerated', withObject(() => strange), /allowed values/]] satisfies Planted[])),
  ];
};

/** Wrong deprecation headers of a version. */
const lifecycleFaults = (isEnding: boolean): readonly Planted[] =>
  isEnding
    ? [
        ['a missing Deprecation header', withHeaders({ deprecation: null }), /header deprecation: /],
        ['a missing Sunset header', withHeaders({ sunset: null }), /header sunset: /],
        ['another Sunset header', withHeaders({ sunset: 'Tue, 15 Apr 2025 00:00:00 GMT' }), /header sunset: /],
      ]
    : [
        ['a Deprecation header of a current version', withHeaders({ deprecation: 'true' }), /header deprecation/],
        [
          'a Sunset header of a current version',
          withHeaders({ sunset: 'Mon, 14 Apr 2025 00:00:00 GMT' }),
          /header sunset/,
        ],
      ];

/** Simulates a service that has another name for a parameter, in any case. */
const renameParameter =
  (send: SendRequest, name: string): SendRequest =>
  (path, init) => {
    const [address = '', query] = path.split('?');
    const parameters = query?.split('&').map((parameter) => {
      const [key = '', ...rest] = parameter.split('=');
      return decodeURIComponent(key).toLowerCase() === name.toLowerCase() ? [`X${key}`, ...rest].join('=') : parameter;
    });
    const headers = Object.entries(init.headers).filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    return send(parameters ? `${address}?${parameters.join('&')}` : address, {
      ...init,
      headers: Object.fromEntries(headers),
    });
  };

/** Creates random requests with an invalid parameter, a few for each parameter. */
const createInvalidByParameter = async (
  world: KnownService,
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<ReadonlyMap<string, readonly TestRequest[]>> => {
  const known = await world.findKnownData(served, operation);
  const requests = fc.sample(createInvalidRequests(served, operation, known), { seed: 20_260_601, numRuns: 1000 });
  return Map.groupBy(requests, ({ expected }) => (expected.status === 400 ? (expected.parameter ?? '') : ''));
};

/** Returns whether a request distinguishes a service with another parameter name from the right one. */
const isDistinguished = async (
  send: SendRequest,
  at: { readonly served: ServedDocument; readonly operation: OpenApiOperation },
  { name, requests }: { readonly name: string; readonly requests: readonly TestRequest[] },
): Promise<boolean> => {
  for (const request of requests.slice(0, 20))
    if ((await checkResponse(renameParameter(send, name), at, request)).length > 0) return true;
  return false;
};

/** Headers without invalid values; a service that supports them returns these statuses. */
const conditions = [
  ['If-None-Match', ({ headers }: Response) => headers.get('etag') ?? '', 304],
  ['If-Modified-Since', ({ headers }: Response) => headers.get('last-modified') ?? '', 304],
  ['If-Match', () => '"x"', 412],
] as const;

/** Plants faults in every operation of every document. */
export const testOperationFaults = (world: () => KnownService): void => {
  describe.each(servedOperations)('%s', (_, served, operation) => {
    const send: SendRequest = (path, init) => world().on(served)(path, init);
    const { headers, schema } = successOf(served, operation);
    let request: TestRequest;
    beforeAll(async () => {
      request = await findValidRequest(world(), served, operation);
    });
    const judge = (fault: ResponseFault): Promise<readonly string[]> =>
      checkResponse(withFault(send, fault), { served, operation }, request);
    /** Plants faults and returns the messages about those that are not detected. */
    const listMissed = async (faults: readonly Planted[]): Promise<readonly string[]> => {
      const verdicts: string[] = [];
      for (const [name, fault, pattern] of faults)
        verdicts.push(`${name}: ${checkPlantedFault(await judge(fault), pattern)}`);
      return verdicts.filter((one) => !one.endsWith(': caught'));
    };

    test('detects a missing header', async () => {
      expect(
        await listMissed(
          headers.map((name) => [name, withHeaders({ [name]: null }), new RegExp(`missing header ${name}`)] as const),
        ),
      ).toEqual([]);
      expect(headers).toEqual(expect.arrayContaining(['API-Version', 'X-Request-Id']));
    });

    test.each(responseFaults)('detects %s', async (name, fault, pattern) => {
      expect(await listMissed([[name, fault, pattern]])).toEqual([]);
    });

    const repeatRequest = (from: SendRequest, more: Readonly<Record<string, string>> = {}): Promise<Response> => {
      const { method, path, body } = request;
      return from(path, { method, headers: { ...request.headers, ...more }, ...(body !== undefined && { body }) });
    };

    test('detects wrong bodies and wrong deprecation headers', async () => {
      const response = await repeatRequest(send);
      expect(await listMissed(lifecycleFaults(response.headers.has('deprecation')))).toEqual([]);
      expect(await listMissed(bodyFaults(served.contract.document, schema, await response.json()))).toEqual([]);
    });

    test('detects another parameter name', async () => {
      const invalid = await createInvalidByParameter(world(), served, operation);
      const names = operation.parameters
        .map((one) => toParameter(served.contract.document, one))
        .filter((one) => one.in !== 'path' && !conditions.some(([name]) => name === one.name))
        .map(({ name }) => name);
      for (const name of names) {
        const requests = [request, ...(invalid.get(name) ?? [])];
        const isDetected = await isDistinguished(send, { served, operation }, { name, requests });
        expect(checkPlantedFault(isDetected ? `${name} is told` : `${name} is not told`, / is told$/)).toBe('caught');
      }
    });

    const own = conditions.filter(([name]) => operation.parameters.some((one) => one['name'] === name));
    test.each(own)('detects another name of %s', async (name, valueIn, status) => {
      const condition = { [name.toLowerCase()]: valueIn(await repeatRequest(send)) };
      expect((await repeatRequest(send, condition)).status).toBe(status);
      const faulty = await repeatRequest(renameParameter(send, name), condition);
      expect(checkPlantedFault(faulty.status === status ? '' : `${name} is told`, / is told$/)).toBe('caught');
    });
  });
};
