import fc from 'fast-check';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { listBodyExamples, findBodySchema, findTextBody, createObjects, flattenToTexts } from './bodies.ts';
import { isValidText, isCursor, listParameters, createTexts, listEnumValues } from './parameter-values.ts';
import type { Parameter, ValuePool } from './parameter-values.ts';
import type { ServedDocument } from '../services/served-documents.ts';

/** The response that the document requires: 200 is any success of a valid request, other statuses one specific error. */
export type ExpectedResponse =
  | { readonly status: 200 }
  /** `parameter` is the name in `errors`, undefined for none. A cursor is reported only when no rule of several parameters is violated. */
  | { readonly status: 400; readonly fault: string; readonly parameter?: string; readonly isCursor?: true }
  | { readonly status: 401 | 404 | 405 | 406 | 413 | 415; readonly fault: string };

/** The values of a request by parameter or body property, as texts without blanks. */
export type ParameterValues = Readonly<Record<string, readonly string[]>>;

export type TestRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or any other text. */
  readonly body: string | undefined;
  readonly values: ParameterValues;
  readonly expected: ExpectedResponse;
};

/** Data of the service under test from which requests are created. */
export type KnownData = {
  readonly key: string;
  readonly pool: ValuePool;
  /** The values of each record in its lists. */
  readonly records: readonly ValuePool[];
  /** Values that match a record only when sent together. */
  readonly together: readonly ParameterValues[];
  /** Objects that can be changed, by ID: rules apply to their values merged with those of the request. */
  readonly objects: ReadonlyMap<string, ParameterValues>;
  /** Parameters without which the operation rejects a request. */
  readonly needed: readonly string[];
  /** Cursors of this list, and of other lists, which this one rejects. */
  readonly cursors: { readonly own: readonly string[]; readonly others: readonly string[] };
};

type Piece = { readonly name: string; readonly raw: string };

/** The parts of a request, each of which can be made invalid. */
export type RequestDraft = {
  readonly method: string;
  readonly slashes: readonly [before: string, after: string];
  readonly segments: Readonly<Record<string, string>>;
  readonly parts: readonly Piece[];
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when absent; texts are sent as they are. */
  readonly body: JsonObject | string | undefined;
  readonly values: ParameterValues;
  readonly expected: ExpectedResponse;
};

type QueryPart = { readonly parts: readonly Piece[]; readonly values: ParameterValues };

type RequestContext = {
  readonly known: KnownData;
  /** Unusual letter case, escapes, blanks, repetitions, slashes and unknown parameters, which do not change the meaning. */
  readonly isOdd: boolean;
};

export const keyHeader = 'subscription-key';

const applyEscapeStyle = (raw: string, style: number): string => {
  if (style === 1) return raw.replaceAll(/%2F|%3A|%2C/g, decodeURIComponent);
  if (style === 2) return raw.replaceAll('%20', '+');
  return style === 3
    ? raw.replaceAll(/%[0-9A-F]{2}|[A-Za-z]/g, (match) =>
        match.length === 3 ? match.toLowerCase() : `%${match.charCodeAt(0).toString(16)}`,
      )
    : raw;
};

const inAnyCase = (parameter: Parameter, isOdd: boolean, texts: fc.Arbitrary<string>) =>
  isOdd && listEnumValues(parameter.items ?? parameter.schema).length > 0 ? fc.mixedCase(texts) : texts;

type SentValue = { readonly texts: readonly string[]; readonly raw: string };

/** Creates values of one parameter, and the raw text in which they are sent. */
const valueOf = (parameter: Parameter, { known: { pool }, isOdd }: RequestContext): fc.Arbitrary<SentValue> => {
  const { schema, items, examples } = parameter;
  const isItem = items !== undefined;
  const text = inAnyCase(parameter, isOdd, createTexts(items ?? schema, { examples, pool, isItem }));
  if (!isItem) return text.map((one) => ({ texts: [one], raw: encodeURIComponent(one) }));
  const most = Math.min(Number(schema['maxItems'] ?? 5), 5);
  const separators = isOdd ? fc.constantFrom(',', ',', ',', '%2C', ',,', ',%20') : fc.constant(',');
  return fc
    .tuple(fc.uniqueArray(text, { minLength: 1, maxLength: most }), separators)
    .map(([texts, separator]) => ({ texts, raw: texts.map(encodeURIComponent).join(separator) }));
};

const absent: QueryPart = { parts: [], values: {} };

/** Creates one query parameter: present, repeated, empty, or absent. */
const createQueryPart = (parameter: Parameter, context: RequestContext): fc.Arbitrary<QueryPart> => {
  const { name } = parameter;
  const value = valueOf(parameter, context);
  const plain = value.map(({ texts, raw }): QueryPart => ({ parts: [{ name, raw }], values: { [name]: texts } }));
  const isNeeded = context.known.needed.includes(name);
  const absentWeight = parameter.isRequired ? 0 : isNeeded ? 3 : isCursor(parameter) ? 100 : 16;
  if (!context.isOdd)
    return fc.oneof({ weight: absentWeight, arbitrary: fc.constant(absent) }, { weight: 7, arbitrary: plain });
  const odd = fc
    .tuple(value, fc.mixedCase(fc.constant(name)), fc.nat({ max: 3 }), fc.nat({ max: 5 }))
    .map(([{ texts, raw }, spelledName, style, twice]): QueryPart => {
      const piece = { name: spelledName, raw: applyEscapeStyle(raw, style) };
      const parts = twice === 0 ? [piece, { name, raw }] : [piece];
      return { parts, values: { [name]: texts } };
    });
  const empty = fc.constantFrom('', '%20', '+').map((raw): QueryPart => ({ parts: [{ name, raw }], values: {} }));
  return fc.oneof(
    { weight: absentWeight, arbitrary: fc.constant(absent) },
    { weight: parameter.isRequired ? 0 : 1, arbitrary: empty },
    { weight: 3, arbitrary: plain },
    { weight: 4, arbitrary: odd },
  );
};

const unknownParameter = fc
  .tuple(
    fc.constantFrom('FlightIdentities', 'constructor', '__proto__', 'x', 'utm_source[]', '%00', 'ÜBERSICHT'),
    fc.constantFrom('', '1', '%', 'a%20b', '%E2%9C%88'),
  )
  .map(([name, raw]) => ({ name: encodeURIComponent(name), raw }));

const createCommonHeaders = ({ isOdd, known }: RequestContext): fc.Arbitrary<Readonly<Record<string, string>>> => {
  const plain = { [keyHeader]: known.key };
  if (!isOdd) return fc.constant(plain);
  const others = fc.constantFrom<Readonly<Record<string, string>>[]>(
    {},
    {},
    { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    { traceparent: 'nonsense' },
    ...['application/json', 'text/html, application/json;q=0.1', '*/*;q=0.8', 'Application/JSON; charset=utf-8'].map(
      (accept) => ({ accept }),
    ),
    ...['Thu, 01 Jan 1998 00:00:00 GMT', 'Mon, 01 Jun 2026 12:00:00 GMT'].map((date) => ({
      'if-modified-since': date,
    })),
    { 'content-type': 'text/plain', 'cache-control': 'max-age=600' },
    { 'accept-encoding': 'br;q=0', range: 'bytes=0-9', origin: 'https://elsewhere.test' },
    { 'if-none-match': '*' },
    { 'if-none-match': '"x", W/"y"', 'if-modified-since': 'yesterday' },
  );
  return others.map((more) => ({ ...plain, ...more }));
};

/** Lists the headers of an operation without those of conditional requests, which any request can have. */
export const listOwnHeaders = (parameters: readonly Parameter[]): readonly Parameter[] =>
  parameters.filter((one) => one.in === 'header' && !/^If-(None-Match|Modified-Since)$/.test(one.name));

/** `*` matches any object, the other tags match none. */
const tags = fc.constantFrom('*', '"x", W/"y"');

const createOwnHeaders = (
  parameters: readonly Parameter[],
  context: RequestContext,
): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc
    .tuple(
      ...listOwnHeaders(parameters).map((one) => {
        const texts = one.name === 'If-Match' ? tags : valueOf(one, context).map(({ raw }) => decodeURIComponent(raw));
        const header = texts.map((text) => ({ [one.name.toLowerCase()]: text }));
        return one.isRequired ? header : fc.oneof(header, fc.constant({}));
      }),
    )
    .map((all) => Object.assign({}, ...all));

/** Returns the values of a body, merged with those of the object that it changes. */
const mergeBodyValues = (body: JsonObject, objects: KnownData['objects']): ParameterValues => {
  const before = Object.entries(body).map(([name, value]) => (name.endsWith('Id') ? objects.get(String(value)) : {}));
  const merged: Record<string, readonly string[]> = Object.assign({}, ...before);
  for (const [name, value] of Object.entries(body)) if (value === null) delete merged[name];
  return { ...merged, ...Object.fromEntries(flattenToTexts(body).map(([name, text]) => [name, [text]])) };
};

/** Creates bodies with their media type: the examples of the document and any other valid body. */
const createBodies = (
  served: ServedDocument,
  operation: OpenApiOperation,
  { known, isOdd }: RequestContext,
): fc.Arbitrary<{ readonly body?: JsonObject | string; readonly type: Readonly<Record<string, string>> }> => {
  const text = findTextBody(served, operation);
  if (text)
    return fc.record({
      body: fc.constantFrom(...text.examples),
      type: fc.constant({ 'content-type': text.mediaType }),
    });
  const schema = findBodySchema(served, operation);
  if (!schema) return fc.constant({ type: {} });
  const generated = createObjects(served.contract.document, schema, known.pool);
  const unknownMembers = fc.constantFrom<JsonObject[]>({}, {}, { stranger: 1 }, { 'x y': [null, {}] });
  const body = isOdd ? fc.tuple(generated, unknownMembers).map(([all, more]) => ({ ...more, ...all })) : generated;
  const types = ['application/json', ...(isOdd ? ['Application/JSON; charset=utf-8'] : [])];
  return fc.record({
    body: fc.oneof({ weight: 5, arbitrary: body }, fc.constantFrom(...listBodyExamples(served, operation))),
    type: fc.constantFrom(...types).map((type) => ({ 'content-type': type })),
  });
};

/** Names the version unless it is the default. */
const createVersion = (
  { version, isCurrent, contract }: ServedDocument,
  declared: Parameter,
  { isOdd }: RequestContext,
): fc.Arbitrary<QueryPart> => {
  const names = listEnumValues(declared.schema).length > 0 ? listEnumValues(declared.schema) : [version, contract.name];
  const text = isOdd ? fc.mixedCase(fc.constantFrom(...names)) : fc.constantFrom(...names);
  const named = text.map((raw): QueryPart => ({ parts: [{ name: 'version', raw }], values: { version: [raw] } }));
  return isCurrent ? fc.oneof(fc.constant(absent), named) : named;
};

/** Creates path segments: mostly values of one record, so that it exists. */
const createSegments = (
  parameters: readonly Parameter[],
  context: RequestContext,
): fc.Arbitrary<Readonly<Record<string, SentValue>>> => {
  const anything = fc.record(Object.fromEntries(parameters.map((one) => [one.name, valueOf(one, context)])));
  const matching = context.known.records
    .map((record) => parameters.map(({ schema }) => record.filter((text) => text !== '' && isValidText(schema, text))))
    .filter((choices) => choices.every((texts) => texts.length > 0));
  if (parameters.length === 0 || matching.length === 0) return anything;
  const toSegment = (text: string, index: number): readonly [string, SentValue] => [
    parameters[index]?.name ?? '',
    { texts: [text], raw: encodeURIComponent(text) },
  ];
  const known = fc
    .constantFrom(...matching)
    .chain((choices) => fc.tuple(...choices.map((texts) => fc.constantFrom(...texts))))
    .map((texts) => Object.fromEntries(texts.map(toSegment)));
  return fc.oneof({ weight: 4, arbitrary: known }, anything);
};

/** Sets some parameters of a query to values that match a record together. */
const setTogether = (query: readonly QueryPart[], together: ParameterValues): QueryPart => {
  const names = new Set(Object.keys(together));
  const rest = query.filter(
    ({ values, parts }) => ![...Object.keys(values), ...parts.map(({ name }) => name)].some((name) => names.has(name)),
  );
  const parts = Object.entries(together).flatMap(([name, texts]) =>
    texts.map((text) => ({ name, raw: encodeURIComponent(text) })),
  );
  return {
    parts: [...rest.flatMap((one) => one.parts), ...parts],
    values: Object.assign({}, ...rest.map((one) => one.values), together),
  };
};

export const createDrafts = (
  served: ServedDocument,
  operation: OpenApiOperation,
  context: RequestContext,
): fc.Arbitrary<RequestDraft> => {
  const { known, isOdd } = context;
  const parameters = listParameters(served.contract, operation);
  const method = operation.method.toUpperCase();
  const query = parameters
    .filter((one) => one.in === 'query')
    .map((one) => (one.name === 'version' ? createVersion(served, one, context) : createQueryPart(one, context)));
  const inPath = parameters.filter((one) => one.in === 'path');
  const nothing: ParameterValues = {};
  const together =
    known.together.length === 0
      ? fc.constant(nothing)
      : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known.together) }, fc.constant(nothing));
  return fc
    .record({
      query: fc.tuple(fc.tuple(...query), together).map(([all, values]) => setTogether(all, values)),
      unknownParameters: isOdd ? fc.array(unknownParameter, { maxLength: 2 }) : fc.constant([]),
      segments: createSegments(inPath, context),
      slashes: isOdd
        ? fc.tuple(fc.constantFrom('', '', '', '/'), fc.constantFrom('', '', '', '/', '//'))
        : fc.constant(['', ''] as const),
      headers: fc
        .tuple(createCommonHeaders(context), createOwnHeaders(parameters, context))
        .map(([common, own]) => ({ ...common, ...own })),
      bodied: createBodies(served, operation, context),
      method:
        isOdd && method === 'GET'
          ? fc.oneof({ weight: 12, arbitrary: fc.constant('GET') }, fc.constant('HEAD'))
          : fc.constant(method),
      style: fc.nat({ max: isOdd ? 3 : 0 }),
    })
    .chain(({ query, unknownParameters, segments, style, bodied: { body, type }, headers, ...rest }) => {
      const parts = [...query.parts, ...unknownParameters];
      const sentSegments = Object.entries(segments);
      const values: ParameterValues = {
        ...query.values,
        ...(typeof body === 'object' && mergeBodyValues(body, method === 'PATCH' ? known.objects : new Map())),
        ...Object.fromEntries(sentSegments.map(([name, { texts }]) => [name, texts])),
      };
      const escaped = sentSegments.map(([name, { raw }]) => [name, applyEscapeStyle(raw, style === 2 ? 0 : style)]);
      const ordered = isOdd ? fc.shuffledSubarray(parts, { minLength: parts.length }) : fc.constant(parts);
      const sent = { ...rest, headers: { ...headers, ...type }, body, segments: Object.fromEntries(escaped), values };
      return ordered.map((parts): RequestDraft => ({ ...sent, parts, expected: { status: 200 } }));
    });
};

export const toTestRequest = (
  { path }: OpenApiOperation,
  { slashes: [before, after], segments, parts, ...rest }: RequestDraft,
): TestRequest => {
  const filled = path.replaceAll(/\{(.+?)\}/g, (_, name: string) => segments[name] ?? '');
  const query = parts.map(({ name, raw }) => `${name}=${raw}`).join('&');
  const { method, headers, values, expected } = rest;
  const body = rest.body === undefined || typeof rest.body === 'string' ? rest.body : JSON.stringify(rest.body);
  const fullPath = `${before}${filled}${after}${query === '' ? '' : `?${query}`}`;
  return { method, path: fullPath, headers, body, values, expected };
};

export const createValidRequests = (
  served: ServedDocument,
  operation: OpenApiOperation,
  context: RequestContext,
): fc.Arbitrary<TestRequest> =>
  createDrafts(served, operation, context).map((draft) => toTestRequest(operation, draft));

/** Returns the parts of a request that are not in its path. */
export const toInit = ({ method, headers, body }: Pick<TestRequest, 'method' | 'headers' | 'body'>) => ({
  method,
  headers: { ...headers },
  ...(body !== undefined && { body }),
});
