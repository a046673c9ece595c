import fc from 'fast-check';
import { toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { findBodySchema, findTextBody, createInvalidMembers, type TextBody } from './bodies.ts';
import { createDrafts, keyHeader, listOwnHeaders, toTestRequest } from './valid-requests.ts';
import type { RequestDraft, ExpectedResponse, KnownData, TestRequest } from './valid-requests.ts';
import { createInvalidValues } from './invalid-values.ts';
import { isValidText, isCursor, listParameters, type Parameter, type ValuePool } from './parameter-values.ts';
import type { ServedDocument } from '../services/served-documents.ts';

type MakeInvalid = (draft: RequestDraft) => RequestDraft;

/** Sends raw values of a parameter in place of those of the draft. */
const invalidate =
  (parameter: Pick<Parameter, 'name' | 'in'>, raws: readonly string[], expected: ExpectedResponse): MakeInvalid =>
  ({ parts, segments, values: { [parameter.name]: _, ...values }, ...draft }) => {
    const { name } = parameter;
    if (parameter.in === 'path')
      return { ...draft, parts, values, segments: { ...segments, [name]: raws[0] ?? '' }, expected };
    const others = parts.filter((one) => decodeURIComponent(one.name).toLowerCase() !== name.toLowerCase());
    return { ...draft, segments, values, parts: [...others, ...raws.map((raw) => ({ name, raw }))], expected };
  };

const invalidateParameter = (parameter: Parameter, pool: ValuePool): readonly fc.Arbitrary<MakeInvalid>[] =>
  createInvalidValues(parameter, pool).map(({ fault, raw }) =>
    raw
      .filter((all) => parameter.in === 'query' || !/^\.*$/.test(decodeURIComponent(all[0] ?? '')))
      .map((all) => invalidate(parameter, all, { status: 400, fault, parameter: parameter.name })),
  );

/** Sends a cursor that was never issued, was altered, or belongs to another list. */
const invalidateCursor = (parameter: Parameter, { own, others }: KnownData['cursors']): fc.Arbitrary<MakeInvalid> => {
  const random = fc.oneof(
    fc.constantFrom('AAAA', 'null', '202310030945-1234567890123456789-0', '\0', '0'.repeat(64), 'é'.repeat(40), '==='),
    fc.base64String({ minLength: 4, maxLength: 200 }),
  );
  const reverse = (text: string): string => [...text].toReversed().join('');
  const altered = own.flatMap((cursor) => [`${cursor}A`, cursor.slice(1), cursor.toLowerCase(), reverse(cursor)]);
  const real = [...altered, ...others];
  const texts = real.length > 0 ? fc.oneof(random, fc.constantFrom(...real)) : random;
  const fault = 'a cursor that is none';
  const expected = { status: 400, fault, parameter: parameter.name, isCursor: true } as const;
  return texts.map((text) => invalidate(parameter, [encodeURIComponent(text)], expected));
};

const invalidateHeader = (
  name: string,
  values: readonly (string | undefined)[],
  expected: ExpectedResponse,
): fc.Arbitrary<MakeInvalid> =>
  fc.constantFrom(...values).map((value) => ({ headers, ...draft }) => {
    const { [name]: _, ...others } = headers;
    return { ...draft, headers: value === undefined ? others : { ...others, [name]: value }, expected };
  });

const invalidateMethod = ({ contract }: ServedDocument, { path }: OpenApiOperation): fc.Arbitrary<MakeInvalid> => {
  const own = contract
    .operations()
    .filter((one) => one.path === path)
    .map(({ method }) => method.toUpperCase());
  const others = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW'].filter((method) => !own.includes(method));
  return fc
    .constantFrom(...others)
    .map((method) => (draft) => ({ ...draft, method, expected: { status: 405, fault: 'a method it has not' } }));
};

/** Sends invalid values of the headers of an operation, or omits required ones. */
const invalidateOwnHeaders = (parameters: readonly Parameter[]): readonly fc.Arbitrary<MakeInvalid>[] =>
  listOwnHeaders(parameters).flatMap(({ name, schema, isRequired }) => {
    const texts = ['mine', 'two words', '0', 'k'.repeat(300), '-', '*'].filter((text) => !isValidText(schema, text));
    const values = [...texts, ...(isRequired ? [undefined, '', ' '] : [])];
    const expected = { status: 400, fault: 'a header it does not allow', parameter: name } as const;
    return values.length === 0 ? [] : [invalidateHeader(name.toLowerCase(), values, expected)];
  });

const noJson = ['', ' ', '{', '{"a":1,}', "{'a':1}", 'null,', 'undefined', '[1', '{"a" 1}', '\u0000', '"\n"'];
const noObjects = ['null', '[]', '[{}]', '"{}"', '0', 'true'];
const unsupportedTypes = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'json', 'text/json'];

/** Sends a body that is not JSON with one error: it is empty, too large, or of another media type. */
const invalidateText = ({ mediaType }: TextBody): readonly fc.Arbitrary<MakeInvalid>[] => {
  const types = ['application/json', 'text/csv', 'json', ''].filter((type) => type !== mediaType);
  const withBody = (body: string, expected: ExpectedResponse): fc.Arbitrary<MakeInvalid> =>
    fc.constant((draft) => ({ ...draft, body, expected }));
  return [
    fc.oneof(
      { weight: 8, arbitrary: withBody('', { status: 400, fault: 'no body' }) },
      { weight: 8, arbitrary: invalidateHeader('content-type', types, { status: 415, fault: 'another media type' }) },
      { weight: 1, arbitrary: withBody(' '.repeat(5 * 1024 * 1024 + 1), { status: 413, fault: 'too much' }) },
    ),
  ];
};

/** Sends a body with one error: a property, the JSON, the type, the size, or the media type. */
const invalidateBody = (served: ServedDocument, operation: OpenApiOperation): readonly fc.Arbitrary<MakeInvalid>[] => {
  const schema = findBodySchema(served, operation);
  const text = findTextBody(served, operation);
  if (text) return invalidateText(text);
  if (!schema) return [];
  const members = createInvalidMembers(served.contract.document, schema).map((one) =>
    one.map(({ name, invalidate }): MakeInvalid => (draft) => ({
      ...draft,
      body: invalidate(toJsonObject(draft.body)),
      expected: { status: 400, fault: 'a member it does not allow', parameter: name },
    })),
  );
  const whole = (texts: readonly string[], expected: ExpectedResponse): fc.Arbitrary<MakeInvalid> =>
    fc.constantFrom(...texts).map((body) => (draft) => ({ ...draft, body, expected }));
  return [
    fc.oneof(...members),
    fc.oneof(
      { weight: 8, arbitrary: whole(noJson, { status: 400, fault: 'no JSON' }) },
      { weight: 4, arbitrary: whole(noObjects, { status: 400, fault: 'no object', parameter: '' }) },
      {
        weight: 4,
        arbitrary: invalidateHeader('content-type', unsupportedTypes, { status: 415, fault: 'another media type' }),
      },
      { weight: 1, arbitrary: whole([' '.repeat(1024 * 1024 + 1)], { status: 413, fault: 'too much' }) },
    ),
  ];
};

const version = { name: 'version', in: 'query' };
const invalidateVersion: fc.Arbitrary<MakeInvalid> = fc
  .oneof(
    fc.constantFrom(...'v0 v99 2 v latest v2. ｖ２ v2;v1 v1,v2 null %'.split(' '), 'v 2', '\0', 'x'.repeat(3000)),
    fc
      .string({ unit: 'binary', minLength: 1, maxLength: 12 })
      .filter((text) => text.trim() !== '' && !/^(v?\d+(\.\d+)?)$/i.test(text.trim())),
  )
  .map((text) => invalidate(version, [encodeURIComponent(text)], { status: 404, fault: 'a version that is none' }));

const twoVersions = fc.constant(
  invalidate(version, ['v1', 'v2'], { status: 400, fault: 'two versions', parameter: 'version' }),
);

const invalidateEscapes = (parameter: Parameter): fc.Arbitrary<MakeInvalid> =>
  fc
    .constantFrom('%', '%zz', '%E0%A4%A', '%ff')
    .map((raw) => invalidate(parameter, [raw], { status: 404, fault: 'a path that is not well encoded' }));

const unacceptableTypes =
  'text/csv image/png application/json;q=0 application/xml;q=0.9 application/problem+json nonsense'.split(' ');

/** Creates requests with one error: a parameter, cursor, body, version, method, key or accepted media type. */
export const createInvalidRequests = (
  served: ServedDocument,
  operation: OpenApiOperation,
  known: KnownData,
): fc.Arbitrary<TestRequest> => {
  const parameters = listParameters(served.contract, operation);
  const isPublic = Array.isArray(operation.operation['security']) && operation.operation['security'].length === 0;
  const ofParameters = parameters
    .filter((one) => one.name !== 'version' && one.in !== 'header')
    .flatMap((one) => [
      ...invalidateParameter(one, known.pool),
      ...(isCursor(one) ? [invalidateCursor(one, known.cursors)] : []),
      ...(one.in === 'path' ? [invalidateEscapes(one)] : []),
    ]);
  ofParameters.push(...invalidateOwnHeaders(parameters), ...invalidateBody(served, operation));
  const ofRequest = [
    invalidateMethod(served, operation),
    invalidateVersion,
    twoVersions,
    invalidateHeader('accept', unacceptableTypes, { status: 406, fault: 'a form there is not' }),
  ];
  const keys = [undefined, '', 'unknown', 'ä', `${known.key}x`, 'k'.repeat(5000)];
  if (!isPublic) ofRequest.push(invalidateHeader(keyHeader, keys, { status: 401, fault: 'no key' }));
  const anyOfRequest = fc.oneof(...ofRequest);
  const anyChange =
    ofParameters.length === 0
      ? anyOfRequest
      : fc.oneof({ weight: 3, arbitrary: fc.oneof(...ofParameters) }, { weight: 1, arbitrary: anyOfRequest });
  return fc
    .tuple(createDrafts(served, operation, { known, isOdd: true }), anyChange)
    .map(([draft, change]) => toTestRequest(operation, change(draft)));
};
