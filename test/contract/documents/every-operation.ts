import { describe, expect, test } from 'vitest';
import { resolveReference, toList, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { findBodySchema, findBodyType } from '../random/bodies.ts';
import { createBoundaryRequests } from '../random/bounds.ts';
import { findValidRequest } from '../random/find-valid-request.ts';
import { toInit, type TestRequest } from '../random/valid-requests.ts';
import { checkResponse, type SendRequest } from '../responses/check-response.ts';
import { countChecked } from '../responses/checker-counts.ts';
import { withFilters } from '../services/list-filters.ts';
import { servedOperations, type ServedDocument } from '../services/served-documents.ts';
import { getExhaustedKey, UNCACHED_KEY, type CoverageWorld } from './coverage-world.ts';

const withHeader = ({ headers, ...request }: TestRequest, name: string, value?: string): TestRequest => {
  const { [name]: _, ...others } = headers;
  return { ...request, headers: value === undefined ? others : { ...others, [name]: value } };
};

/** Adds a name to the query that is no parameter of any operation. */
const withName = (request: TestRequest, name: string): TestRequest => ({
  ...request,
  path: withFilters(request.path, `${name}=1`),
});

const withKey = (request: TestRequest, key?: string): TestRequest => withHeader(request, 'subscription-key', key);

/** A change of each body that makes it another request with the same `Idempotency-Key`. */
const otherBodies: Readonly<Record<string, object>> = {
  createProfile: { lastName: 'Other' },
  createAlert: { name: 'other' },
  createPushEndpoint: { description: 'other' },
  rotatePushSecret: { overlapHours: 7 },
};

const unknownId = '00000000-0000-4000-8000-000000000000';

/** Values of objects that do not exist, by the name of a parameter or body member. */
const unknownValues: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['accountId', 'alertId', 'endpointId', 'eventId'].map((name) => [name, unknownId])),
  code: '000',
  departureDate: '2026-06-09',
  scheduleInstanceKey: '0'.repeat(64),
  fingerprint: '0'.repeat(64),
};

/** Returns the members of the JSON body of a request; none for other bodies. */
const parseMembers = ({ headers, body }: TestRequest): JsonObject =>
  body !== undefined &&
  /json$/i.test(headers['content-type']?.split(';')[0] ?? '') &&
  !/ndjson/.test(headers['content-type'] ?? '')
    ? toJsonObject(JSON.parse(body))
    : {};

/** Addresses an object that does not exist, in path, header and body. */
const toUnknown = (request: TestRequest, path: string): TestRequest => {
  const query = request.path.split('?')[1];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => unknownValues[name] ?? '');
  const members = Object.entries(parseMembers(request));
  const body = Object.fromEntries(members.map(([name, value]) => [name, unknownValues[name] ?? value]));
  return {
    ...('accountid' in request.headers ? withHeader(request, 'accountid', unknownId) : request),
    path: query === undefined ? filled : `${filled}?${query}`,
    body: request.body && JSON.stringify(body),
  };
};

const sendTo =
  (send: SendRequest) =>
  (request: TestRequest, isFollowUp = false): Promise<Response> =>
    send(request.path, { ...toInit(request), isFollowUp });

type Rejection = readonly [status: number, reason: string, send: () => Promise<Response>];

const createRejections = (
  world: CoverageWorld,
  served: ServedDocument,
  { request, operation: { path, operation } }: { readonly request: TestRequest; readonly operation: OpenApiOperation },
): readonly Rejection[] => {
  const [product = ''] = served.name.split('/');
  const emptyPath = withFilters(path.replaceAll(/\{\w+\}/g, '!'), `version=${served.version}`);
  const send = sendTo(world.known.on(served));
  const to = (one: TestRequest) => () => send(one);
  const changes = otherBodies[String(operation['operationId'])];
  const otherBody = changes ? JSON.stringify({ ...parseMembers(request), ...changes }) : `${request.body}\n`;
  const other: TestRequest = { ...request, body: otherBody };
  const keyed = (one: TestRequest) => withHeader(one, 'idempotency-key', 'reused');
  const reuseKey = async (): Promise<Response> => {
    await send(keyed(request));
    return send(keyed(other), true);
  };
  const exceedLimit = async (): Promise<Response> => {
    const limited = withKey(request, getExhaustedKey(served));
    const first = await send(limited);
    return first.status === 429 ? first : send(limited, true);
  };
  const validator = async (header: 'etag' | 'last-modified', condition: string, one = request): Promise<Response> =>
    send(withHeader(one, condition, (await send(one)).headers.get(header) ?? ''));
  return [
    [304, 'unchanged by ETag', () => validator('etag', 'if-none-match')],
    [304, 'unchanged by Last-Modified', () => validator('last-modified', 'if-modified-since')],
    [304, 'unchanged, with an ignored name', () => validator('etag', 'if-none-match', withName(request, 'utm_source'))],
    [400, 'a misspelled name', to(withName(request, 'versions'))],
    [400, 'two versions', to({ ...request, path: `${withFilters(request.path, 'version=v1')}&version=v2` })],
    [400, 'missing parameters', to({ ...withHeader(request, 'accountid'), path: emptyPath })],
    [400, 'malformed JSON', to({ ...request, body: '{' })],
    [400, 'not an object', to({ ...request, body: '[]' })],
    [400, 'an empty body', to({ ...request, body: '' })],
    [401, 'no key', to(withKey(request))],
    [401, 'an unknown key', to(withKey(request, 'unknown'))],
    [401, 'a key of another product', to(withKey(request, world.keys.foreign[product]))],
    [403, 'a key for another use', to(withKey(request, world.keys.otherUse[product]))],
    [403, 'an expired key', to(withKey(request, world.keys.expired))],
    [404, 'an unknown version', to({ ...request, path: withFilters(request.path, 'version=v9') })],
    [404, 'an unknown object', to(toUnknown(request, path))],
    [406, 'an unacceptable media type', to(withHeader(request, 'accept', 'image/png'))],
    [412, 'another tag', to(withHeader(request, 'if-match', '"x"'))],
    [413, 'a body that is too large', to({ ...request, body: ' '.repeat(5 * 1024 * 1024 + 1) })],
    [415, 'another media type', to(withHeader(request, 'content-type', 'text/csv'))],
    [422, 'a key of another request', reuseKey],
    [429, 'a subscription over its rate limit', exceedLimit],
    [500, 'an internal error', () => sendTo(world.broken(served))(withKey(request, UNCACHED_KEY))],
    [503, 'no database', () => sendTo(world.disconnected(served))(request)],
  ];
};

const hasRejection = (served: ServedDocument, operation: OpenApiOperation) => {
  const { document } = served.contract;
  const isPublic = toList(operation.operation['security'] ?? document['security']).length === 0;
  const declared = toJsonObject(operation.operation['responses']);
  const bodyType = findBodyType(served, operation);
  const hasBody = bodyType !== undefined;
  const names = new Set(operation.parameters.map((one) => String(one['name'])));
  const headers = (status: string): JsonObject =>
    toJsonObject(toJsonObject(resolveReference(document, declared[status]))['headers']);
  return ([status, reason]: Rejection): boolean => {
    if (!(String(status) in declared) && !(isPublic && status === 500)) return false;
    if (reason === 'unchanged by Last-Modified') return 'Last-Modified' in headers('200');
    if (reason === 'not an object' || reason === 'malformed JSON') return bodyType === 'application/json';
    if (reason === 'an empty body') return hasBody;
    if (reason === 'a key of another product') return !served.name.startsWith('status-feed/');
    if (reason === 'missing parameters')
      return !hasBody && operation.parameters.some((one) => one['required'] === true);
    if (reason === 'an unknown object') {
      const body = findBodySchema(served, operation)?.['properties'] ?? {};
      return (
        ['accountId', 'alertId'].some((name) => names.has(name) || name in toJsonObject(body)) ||
        operation.path.includes('{')
      );
    }
    if (reason === 'a key of another request') return names.has('Idempotency-Key');
    return !(isPublic && status === 500);
  };
};

/** Provokes the declared rejections of every operation, and sends every bounded value at its bounds and one beyond. */
export const testEveryOperation = (world: () => CoverageWorld): void => {
  describe.each(servedOperations)('%s', (_, served, operation) => {
    const send: SendRequest = (path, init) => world().known.on(served)(path, init);

    test('rejects requests as declared', async () => {
      const request = await findValidRequest(world().known, served, operation);
      const rejections = createRejections(world(), served, { request, operation }).filter(
        hasRejection(served, operation),
      );
      for (const [status, reason, provoke] of rejections) {
        countChecked('rejection');
        const response = await provoke();
        const copy = response.clone();
        const problems = await served.contract.problems(operation.method, operation.path, response);
        expect([reason, copy.status, problems]).toEqual([reason, status, []]);
      }
    });

    test('names the parameters that it ignores', async () => {
      const request = withName(await findValidRequest(world().known, served, operation), 'utm_source');
      const response = await sendTo(send)(request);
      expect(response.headers.get('ignored-parameters')).toBe('"utm_source"');
      expect(await served.contract.problems(operation.method, operation.path, response)).toEqual([]);
    });

    test('accepts each name of its version', async () => {
      const request = await findValidRequest(world().known, served, operation);
      const version = operation.parameters.find((one) => one['name'] === 'version');
      const names = toList(toJsonObject(resolveReference(served.contract.document, version?.['schema']))['enum']);
      for (const name of names) {
        const named = { ...request, path: withFilters(request.path, `version=${String(name)}`) };
        expect([name, (await sendTo(send)(named)).ok]).toEqual([name, true]);
      }
      expect(names.length).toBeGreaterThan(0);
    });

    test('accepts values at their bounds and none beyond', async () => {
      const valid = await findValidRequest(world().known, served, operation);
      const errors: string[] = [];
      for (const request of createBoundaryRequests(served, operation, valid)) {
        countChecked('bound');
        const found = await checkResponse(send, { served, operation }, request);
        errors.push(...found.map((error) => `${request.method} ${request.path} ${request.body ?? ''}: ${error}`));
      }
      expect(errors).toEqual([]);
    });
  });
};
