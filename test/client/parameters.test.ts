import { afterAll, expect, test } from 'vitest';
import { createFlightDataClient, type FlightDataClientOptions } from '#client/index.ts';
import { resolveReference, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { findBodyType } from '../contract/random/bodies.ts';
import { servedOperations, type ServedDocument } from '../contract/services/served-documents.ts';

type OperationArguments = Readonly<Record<string, unknown>>;

const valueOf = ({ contract }: ServedDocument, parameter: JsonObject): unknown => {
  const { type } = toJsonObject(resolveReference(contract.document, parameter['schema']));
  if (type === 'array') return ['a b', 'ü&,'];
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? 7 : 'x/y z';
};

const formatQuery = (parameter: JsonObject, value: unknown): string => {
  const name = String(parameter['name']);
  const values = (Array.isArray(value) ? value : [value]).map((one) => encodeURIComponent(String(one)));
  return parameter['explode'] === false || values.length === 1
    ? `${name}=${values.join(',')}`
    : values.map((one) => `${name}=${one}`).join('&');
};

const parametersIn = ({ parameters }: OpenApiOperation, location: string): readonly JsonObject[] =>
  parameters.filter((one) => one['in'] === location && one['name'] !== 'version');

const captureRequest = async (
  served: ServedDocument,
  operationId: string,
  args: OperationArguments,
): Promise<Request> => {
  let request = new Request('http://nothing.test');
  const fetch: FlightDataClientOptions['fetch'] = async (url, init) => {
    request = new Request(url, init);
    return Response.json({ data: [], paging: {} });
  };
  const client = createFlightDataClient({ baseUrl: 'http://flights.test/air', subscriptionKey: 'the-key', fetch });
  const product = served.name.replace(/\/.*$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const operations = toJsonObject(toJsonObject(client)[product]);
  const operation = operations[operationId];
  if (typeof operation !== 'function') throw new Error(`the client has no ${product}.${operationId}`);
  const result: unknown = await Reflect.apply(operation, operations, [args]);
  if (typeof result === 'object' && result !== null && 'pages' in result && typeof result.pages === 'function')
    await result.pages().next();
  return request;
};

const PlatformRequest = globalThis.Request;

class StrictRequest extends PlatformRequest {
  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    if ('client' in init) throw new TypeError('`client` must be an HttpClient');
    super(input, init);
  }
}
globalThis.Request = StrictRequest;
afterAll(() => void (globalThis.Request = PlatformRequest));

const current = servedOperations.filter(([, served]) => served.isCurrent && served.day === '2026-06-01');

test.each(current)(
  'sends %s with every documented parameter, serialized by the default rules of OpenAPI',
  async (_, served, operation) => {
    const values = (location: string): OperationArguments =>
      Object.fromEntries(parametersIn(operation, location).map((one) => [String(one['name']), valueOf(served, one)]));
    const bodyType = findBodyType(served, operation);
    const isText = bodyType !== undefined && bodyType !== 'application/json';
    const body = bodyType !== undefined && { body: isText ? 'ü' : { a: 'ü' } };
    const args = { path: values('path'), query: values('query'), headers: values('header'), ...body };
    const request = await captureRequest(served, String(operation.operation['operationId']), args);
    const path = operation.path.replaceAll(/\{(.+?)\}/g, () => encodeURIComponent('x/y z'));
    const query = parametersIn(operation, 'query').map((one) => formatQuery(one, valueOf(served, one)));
    const isPublic = JSON.stringify(operation.operation['security']) === '[]';
    expect(request.method).toBe(operation.method.toUpperCase());
    expect(request.url).toBe(`http://flights.test/air${path}?${[...query, `version=${served.version}`].join('&')}`);
    expect(request.headers.get('subscription-key')).toBe(isPublic ? null : 'the-key');
    expect(Object.keys(args.headers).map((name) => request.headers.get(name))).toEqual(
      Object.values(args.headers).map(String),
    );
    expect([request.headers.get('content-type'), await request.text()]).toEqual(
      bodyType === undefined ? [null, ''] : [bodyType, isText ? 'ü' : '{"a":"ü"}'],
    );
  },
);
