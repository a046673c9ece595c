import { toJsonObject, type JsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { errorUnless, parseJson } from '../contract.ts';
import { toPage, checkLinks, checkPage, toRequestPath } from './envelope.ts';
import { countChecked } from './checker-counts.ts';
import { toInit, type ParameterValues, type TestRequest } from '../random/valid-requests.ts';
import { cursorRule, findBrokenRules } from './documented-rules.ts';
import { isCursor, listParameters } from '../random/parameter-values.ts';
import { findLifecycle, isList, type ServedDocument } from '../services/served-documents.ts';

export type SendRequest = (
  path: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    /** Whether the request is about the result of the previous one: test data is not restored between them. */
    readonly isFollowUp?: boolean;
  },
) => Promise<Response>;

const problemType = (kind: string): string => `/docs/errors#${kind}`;

/** Returns the expected deprecation headers of a version on a date; `name` is `<product>/<version>`. */
const expectedDeprecation = (name: string, day: string): Readonly<Record<string, string | undefined>> => {
  const { deprecatedOn, sunsetOn } = findLifecycle(name) ?? {};
  if (deprecatedOn === undefined || day < deprecatedOn) return {};
  return { deprecation: 'true', sunset: sunsetOn && new Date(`${sunsetOn}T00:00:00Z`).toUTCString() };
};

const checkDeprecation = ({ name, day }: ServedDocument, { headers }: Response): readonly string[] => {
  const version = headers.get('api-version');
  if (version !== null) countChecked('deprecation');
  const expected = version === null ? {} : expectedDeprecation(`${name.split('/')[0]}/${version}`, day);
  return ['deprecation', 'sunset'].flatMap((header) => {
    const [actual, value] = [headers.get(header) ?? undefined, expected[header]];
    return errorUnless(actual === value, `header ${header}: '${actual}' on ${day}, not '${value}'`);
  });
};

/** Checks a 405, which the introductions of the documents describe for all paths. */
const checkMethodNotAllowed = (
  { contract }: ServedDocument,
  { path }: OpenApiOperation,
  { response, body }: Pick<Exchange, 'response' | 'body'>,
): readonly string[] => {
  countChecked('405');
  const allow = (response.headers.get('allow') ?? '').split(', ');
  const methods = contract
    .operations()
    .filter((one) => one.path === path)
    .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  return [
    ...contract.check('#/components/schemas/Problem', body),
    ...errorUnless(response.headers.get('content-type') === 'application/problem+json', 'a 405 that is no problem'),
    ...errorUnless(sorted(allow) === sorted(methods), `a 405 that allows '${allow.join(', ')}'`),
  ];
};

/** Returns the names with which a valid request may be rejected: of violated rules or, without any, of an unknown cursor. */
const findRejectedNames = ({ contract }: ServedDocument, operation: OpenApiOperation, values: ParameterValues) => {
  const names = findBrokenRules(contract, operation, values);
  if (names.length > 0) return names;
  return listParameters(contract, operation)
    .filter((one) => isCursor(one) && one.description.includes(cursorRule) && values[one.name] !== undefined)
    .map(({ name }) => name);
};

const sorted = (names: readonly string[]): string => JSON.stringify([...new Set(names)].toSorted());

const errorNames = (body: unknown): string => sorted(Object.keys(toJsonObject(toJsonObject(body)['errors'])));

/** Returns whether a 400 is documented to depend on stored data: a covering alert, or a position not yet reached. */
const isDataDependent = ({ operation }: OpenApiOperation, body: unknown): boolean =>
  ['already-covered', 'cursor-invalid']
    .map(problemType)
    .some((type) => toJsonObject(body)['type'] === type && String(operation['description']).includes(type));

const checkValidRequest = (
  served: ServedDocument,
  operation: OpenApiOperation,
  { request, response, body }: Exchange,
): readonly string[] => {
  const names = findRejectedNames(served, operation, request.values);
  const { status } = response;
  // A list of all objects exists even when empty; a list within an object requires that object.
  const isTopLevelList = isList(served, operation) && !operation.path.includes('{');
  const isUnknown = status === 404 && !isTopLevelList && toJsonObject(body)['type'] === problemType('not-found');
  // The object that a body changes is looked up first: the rules need its values.
  if (isUnknown && request.body !== undefined) return [];
  if (status === 412 && 'if-match' in request.headers) return [];
  if (status === 400 && names.length === 0 && isDataDependent(operation, body)) return [];
  if (status === 400 || names.length > 0) {
    const isRule = status === 400 && names.length > 0 && errorNames(body) === sorted(names);
    const rules = names.length > 0 ? `for ${sorted(names)}` : 'not at all';
    const answer = `a valid request gets ${status} for ${errorNames(body)}`;
    return errorUnless(isRule, `${answer}; by the rules it is rejected ${rules}`);
  }
  // An object addressed by path or flight may not exist; a list without matches is empty.
  if (isUnknown) return [];
  if (status === 304 && ('if-none-match' in request.headers || 'if-modified-since' in request.headers)) return [];
  const type = String(toJsonObject(body)['type']);
  return errorUnless(isSuccess(operation, status), `a valid request gets ${status} ${type}`);
};

const checkInvalidRequest = (
  served: ServedDocument,
  operation: OpenApiOperation,
  { request, response, body }: Exchange,
): readonly string[] => {
  const { expected, values } = request;
  if (expected.status === 200) return [];
  if (response.status !== expected.status)
    return [`'${expected.fault}' gets ${response.status}, not ${expected.status}`];
  if (expected.status !== 400) return [];
  const { parameter } = expected;
  const rejected = errorNames(body);
  if (parameter === undefined) return errorUnless(rejected === '[]', `'${expected.fault}' is rejected for ${rejected}`);
  const { [parameter]: _, ...rest } = values;
  const rules = expected.isCursor ? findBrokenRules(served.contract, operation, rest) : [];
  const names = rules.length > 0 ? rules : [parameter];
  return errorUnless(rejected === sorted(names), `'${expected.fault}' of ${parameter} is rejected for ${rejected}`);
};

const isSuccess = ({ operation }: OpenApiOperation, status: number): boolean =>
  status < 300 && String(status) in toJsonObject(operation['responses']);

type Exchange = { readonly request: TestRequest; readonly response: Response; readonly body: unknown };

const limitOf = ({ contract }: ServedDocument, operation: OpenApiOperation, values: ParameterValues): number => {
  const declared = listParameters(contract, operation).find(({ name }) => name === 'Limit');
  return Number(values['Limit']?.[0] ?? declared?.schema['default']);
};

const checkTraceId = ({ request, response, body }: Exchange): readonly string[] => {
  const id = response.headers.get('x-request-id');
  const sent = /^00-([0-9a-f]{32})-/.exec(request.headers['traceparent'] ?? '')?.[1];
  const { traceId } = toJsonObject(body);
  const isSame = response.status < 400 || traceId === undefined || traceId === id;
  return [
    ...errorUnless(sent === undefined || sent === id, `x-request-id '${id}' of the trace ${sent}`),
    ...errorUnless(isSame, `traceId ${JSON.stringify(traceId)} beside x-request-id '${id}'`),
  ];
};

/** Returns whether every member that both objects have is equal. */
const agrees = (one: JsonObject, other: JsonObject): boolean =>
  Object.entries(one).every(
    ([name, value]) => !(name in other) || JSON.stringify(other[name]) === JSON.stringify(value),
  );

/** Gets the created object from its address; it has the values of the response and of the request, and the new ID. */
const checkLocation = async (send: SendRequest, { request, response, body }: Exchange): Promise<readonly string[]> => {
  if (response.status !== 201) return [];
  countChecked('Location');
  const location = response.headers.get('location') ?? '';
  if (!URL.canParse(location, 'http://service.test')) return [`Location '${location}' is no address`];
  const headers = { 'subscription-key': request.headers['subscription-key'] ?? '' };
  const path = toRequestPath(new URL(location, 'http://service.test'));
  const found = await send(path, { method: 'GET', headers, isFollowUp: true });
  const object = toJsonObject(parseBody(await found.text()));
  const [id = ''] = Object.values(toJsonObject(body)).filter((value) =>
    location.split('?')[0]?.endsWith(`/${String(value)}`),
  );
  return [
    ...errorUnless(found.ok, `Location '${location}' gets ${found.status}`),
    ...errorUnless(id !== '', `Location '${location}' has no ID of the created object`),
    ...errorUnless(agrees(toJsonObject(body), object), `Location '${location}' is another object`),
  ];
};

/** Parses a body that may be empty, or no JSON. */
const parseBody = (text: string): unknown => (text === '' ? undefined : (parseJson(text) ?? { value: text }).value);

/** Headers that differ between two responses to the same request. */
const namesOfRequest: ReadonlySet<string> = new Set(['x-request-id', 'ratelimit']);

const checkHead = async ({ head, get }: { readonly head: Response; readonly get: Response }) => {
  countChecked('HEAD');
  const headers = ({ headers }: Response): string =>
    JSON.stringify([...headers].map(([name, value]) => (namesOfRequest.has(name) ? [name] : [name, value])));
  return [
    ...errorUnless(head.status === get.status, `HEAD answers ${head.status}, GET ${get.status}`),
    ...errorUnless(headers(head) === headers(get), 'HEAD has other headers than GET'),
    ...errorUnless((await head.text()) === '', 'HEAD has a body'),
  ];
};

/** Sends a request and returns in what the response violates the document; empty when it conforms. */
export const checkResponse = async (
  send: SendRequest,
  { served, operation }: { readonly served: ServedDocument; readonly operation: OpenApiOperation },
  request: TestRequest,
): Promise<readonly string[]> => {
  const { contract } = served;
  const init = toInit(request);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const response = await send(request.path, { ...init, method });
  const copy = response.clone();
  const body = parseBody(await response.text());
  const exchange = { request, response, body };
  const ofHead = request.method === 'HEAD' ? await checkHead({ head: await send(request.path, init), get: copy }) : [];
  const { status } = response;
  const isPage = status === 200 && isList(served, operation);
  if (isPage) countChecked('page');
  return [
    ...(status === 405 && method !== operation.method.toUpperCase()
      ? checkMethodNotAllowed(served, operation, exchange)
      : await contract.problems(operation.method, operation.path, copy)),
    ...errorUnless(status < 500, `a fault of the service: ${status}`),
    ...checkDeprecation(served, response),
    ...checkTraceId(exchange),
    ...(request.expected.status === 200
      ? checkValidRequest(served, operation, exchange)
      : checkInvalidRequest(served, operation, exchange)),
    ...(isPage ? checkPage(toPage(body), limitOf(served, operation, request.values)) : []),
    ...(isPage ? checkLinks(toPage(body), request.path, response.headers.get('ignored-parameters')) : []),
    ...(await checkLocation(send, exchange)),
    ...ofHead,
  ];
};
