import { isJsonObject, resolveReference, toJsonObject, toList } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { findBodyType } from '../random/bodies.ts';
import type { TestRequest } from '../random/valid-requests.ts';
import type { SendRequest } from '../responses/check-response.ts';
import { withFilters } from '../services/list-filters.ts';
import type { ServedDocument } from '../services/served-documents.ts';
import { removeMember, renameFirstMember, withBody, withHeaders, withStatus, withText } from './response-faults.ts';
import { withUnknownEnumValue } from './response-faults.ts';
import type { Planted } from './response-faults.ts';

export const responseFaults: readonly Planted[] = [
  ['an undeclared header', withHeaders({ 'x-powered-by': 'luck' }), /undeclared header x-powered-by/],
  ['a CORS header', withHeaders({ 'access-control-allow-origin': '*' }), /undeclared header access-control/],
  ['a header of another format', withHeaders({ 'api-version': '2.0' }), /header API-Version: .*pattern/],
  ['another media type', withHeaders({ 'content-type': 'text/json' }), /undeclared media type 'text\/json'/],
  ['an undeclared status', withStatus(203), /undeclared status 203/],
  ['a rejection', withStatus(400), /by the rules it is rejected not at all|undeclared status 400/],
  [
    'an undeclared internal error',
    async () => new Response('Internal Server Error', { status: 500 }),
    /undeclared (status 500|media type)[^]*a fault of the service: 500/,
  ],
  ['a missing body', withText(() => ''), /not JSON/],
  ['half a body', withText((text) => text.slice(0, text.length / 2)), /not JSON/],
];

/** Returns the required headers and the body schema of the declared success. */
export const successOf = (
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

/** Changes the body, or the first item if that is a list, or the first record if that is a page. */
const withObject = (change: (object: JsonObject) => unknown): Planted[1] =>
  withText((text) => {
    const body: unknown = JSON.parse(text);
    if (Array.isArray(body)) return JSON.stringify(body.with(0, change(toJsonObject(body[0]))));
    const { data } = toJsonObject(body);
    if (!Array.isArray(data)) return JSON.stringify(change(toJsonObject(body)));
    return JSON.stringify({ ...toJsonObject(body), data: data.with(0, change(toJsonObject(data[0]))) });
  });

const objectIn = (
  document: JsonObject,
  schema: unknown,
  body: unknown,
): readonly [schema: JsonObject, value: unknown] => {
  const node = toJsonObject(resolveReference(document, schema));
  if (Array.isArray(body)) return [toJsonObject(resolveReference(document, node['items'])), body[0]];
  const { data } = toJsonObject(body);
  if (!Array.isArray(data)) return [node, body];
  return objectIn(document, toJsonObject(node['properties'])['data'], data);
};

/** Faults of the object in a response; a text has none. */
export const bodyFaults = (document: JsonObject, schema: unknown, body: unknown): readonly Planted[] => {
  const [node, object] = objectIn(document, schema, body);
  if (!isJsonObject(object)) return [];
  const [required] = toList(node['required']).map(String);
  const strange = withUnknownEnumValue(document, node, object);
  const faults: Planted[] = [['an extra property', withObject((one) => ({ ...one, surprise: 1 })), /surprise/]];
  if (required !== undefined)
    faults.push(
      ['a missing property', withObject((one) => removeMember(one, required)), /must have required property/],
      ['a renamed property', withObject(renameFirstMember), /Renamed|must have required property/],
    );
  if (strange !== undefined)
    faults.push(['a value that is not enumerated', withObject(() => strange), /allowed values/]);
  return faults;
};

/** Creates requests that the operation rejects, whatever it is for. */
export const createRejected = (
  served: ServedDocument,
  one: OpenApiOperation,
  request: TestRequest,
): readonly TestRequest[] => {
  const { contract } = served;
  const { operation } = one;
  const { headers, path } = request;
  const invalid: readonly TestRequest[] =
    findBodyType(served, one) === 'application/json'
      ? [
          { ...request, body: '{', expected: { status: 400, fault: 'no JSON' } },
          { ...request, body: '[]', expected: { status: 400, fault: 'no object', parameter: '' } },
        ]
      : [{ ...request, body: '', expected: { status: 400, fault: 'no body' } }];
  const isPublic = toList(operation['security'] ?? contract.document['security']).length === 0;
  const withType = { ...headers, 'content-type': 'text/csv' };
  return [
    { ...request, path: withFilters(path, 'version=v99'), expected: { status: 404, fault: 'unknown version' } },
    { ...request, method: 'BREW', expected: { status: 405, fault: 'a method it has not' } },
    { ...request, headers: { ...headers, accept: 'text/csv' }, expected: { status: 406, fault: 'a form' } },
    ...(isPublic ? [] : [{ ...request, headers: {}, expected: { status: 401, fault: 'no key' } } as const]),
    ...(request.body === undefined
      ? []
      : [
          ...invalid,
          { ...request, headers: withType, expected: { status: 415, fault: 'another media type' } } as const,
          { ...request, body: ' '.repeat(5 * 1024 * 1024 + 1), expected: { status: 413, fault: 'too much' } } as const,
        ]),
  ];
};

export const problemFaults: readonly Planted[] = [
  ['another name', withBody((body) => ({ ...body, errors: { other: ['is wrong'] } })), /is rejected for \["other"\]/],
  ['another trace', withBody((body) => ({ ...body, traceId: '0'.repeat(32) })), /traceId/],
];

const withOtherLocation: Planted[1] = (response) => {
  const location = response.headers.get('location')?.replace(/[0-9a-f]{12}(?=\?|$)/, '000000000000') ?? '';
  return withHeaders({ location })(response, '');
};

export const locationFaults: readonly Planted[] = [
  ['no Location', withHeaders({ location: null }), /missing header Location/],
  ['the Location of another object', withOtherLocation, /Location '.*' gets 404/],
  ['a Location of another path', withHeaders({ location: '/locations' }), /has no ID of the created object/],
];

/** Simulates a service that has another name for a parameter, in any case. */
export const renameParameter =
  (send: SendRequest, name: string): SendRequest =>
  (path, init) => {
    const [address, query] = path.split('?');
    const parameters = query?.split('&').map((parameter) => {
      const [key = '', ...rest] = parameter.split('=');
      return decodeURIComponent(key).toLowerCase() === name.toLowerCase() ? [`X${key}`, ...rest].join('=') : parameter;
    });
    const headers = Object.entries(init.headers).filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    const renamed = parameters ? `${address}?${parameters.join('&')}` : (address ?? '');
    return send(renamed, { ...init, headers: Object.fromEntries(headers) });
  };
