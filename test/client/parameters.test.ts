import { expect, test } from 'vitest';
import { createFlightDataClient, type FlightDataClientOptions } from '../../src/client/index.ts';
import {
  resolveReference,
  toJsonObject,
  type JsonObject,
  type OpenApiOperation,
} from '../../src/lib/openapi-document.ts';
import { servedOperations, type ServedDocument } from '../contract/services/served-documents.ts';

type Given = Readonly<Record<string, unknown>>;

const schemaOf = ({ contract }: ServedDocument, parameter: JsonObject): JsonObject =>
  toJsonObject(resolveReference(contract.document, parameter['schema']));

/** A value for a parameter that needs to be escaped; two of them for a list. */
const valueOf = (served: ServedDocument, parameter: JsonObject): unknown => {
  const { type } = schemaOf(served, parameter);
  if (type === 'array') return ['a b', 'ü&,'];
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? 7 : 'x/y z';
};

/** The value as the document says it is written. */
const written = (parameter: JsonObject, value: unknown): string => {
  const name = String(parameter['name']);
  const values = (Array.isArray(value) ? value : [value]).map((one) => encodeURIComponent(String(one)));
  return parameter['explode'] === false || values.length === 1
    ? `${name}=${values.join(',')}`
    : values.map((one) => `${name}=${one}`).join('&');
};

const within = ({ parameters }: OpenApiOperation, place: string): readonly JsonObject[] =>
  parameters.filter((one) => one['in'] === place && one['name'] !== 'version');

/** Asks one operation with what is given, of a service that answers nothing. */
const asked = async (served: ServedDocument, operationId: string, given: Given): Promise<Request> => {
  let seen = new Request('http://nothing.test');
  const fetch: FlightDataClientOptions['fetch'] = async (url, init) => {
    seen = new Request(url, init);
    return Response.json({ data: [], paging: {} });
  };
  const client = createFlightDataClient({ baseUrl: 'http://flights.test/air', subscriptionKey: 'the-key', fetch });
  const product = served.name.replace(/\/.*$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const operations = toJsonObject(toJsonObject(client)[product]);
  const ask = operations[operationId];
  if (typeof ask !== 'function') throw new Error(`the client has no ${product}.${operationId}`);
  const answer: unknown = await Reflect.apply(ask, operations, [given]);
  if (typeof answer === 'object' && answer !== null && 'pages' in answer && typeof answer.pages === 'function')
    await answer.pages().next();
  return seen;
};

const current = servedOperations.filter(([, served]) => served.isCurrent && served.day === '2026-06-01');

test.each(current)('%s is asked as its document says, with every parameter', async (_, served, operation) => {
  const values = (place: string): Given =>
    Object.fromEntries(within(operation, place).map((one) => [String(one['name']), valueOf(served, one)]));
  const hasBody = 'requestBody' in operation.operation;
  const given = {
    path: values('path'),
    query: values('query'),
    headers: values('header'),
    ...(hasBody && { body: { a: 'ü' } }),
  };
  const request = await asked(served, String(operation.operation['operationId']), given);
  const path = operation.path.replaceAll(/\{(.+?)\}/g, () => encodeURIComponent('x/y z'));
  const query = within(operation, 'query').map((one) => written(one, valueOf(served, one)));
  const isPublic = JSON.stringify(operation.operation['security']) === '[]';
  expect(request.method).toBe(operation.method.toUpperCase());
  expect(request.url).toBe(`http://flights.test/air${path}?${[...query, `version=${served.version}`].join('&')}`);
  expect(request.headers.get('subscription-key')).toBe(isPublic ? null : 'the-key');
  expect(Object.keys(given.headers).map((name) => request.headers.get(name))).toEqual(
    Object.values(given.headers).map(String),
  );
  expect([request.headers.get('content-type'), await request.text()]).toEqual(
    hasBody ? ['application/json', '{"a":"ü"}'] : [null, ''],
  );
});
