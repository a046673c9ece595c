import { expect, test } from 'vitest';
import { toJsonObject } from '../../src/lib/openapi-document.ts';
import { Contract } from './contract.ts';
import { applyEdits, shared, tinyDocument, type Edit } from './tiny-spec.ts';

/** Returns a contract of the bundled tiny document after some edits. */
const createContract = (...edits: readonly Edit[]): Contract => {
  const text = JSON.stringify(tinyDocument()).replaceAll('../../common/schemas.yaml#/', '#/components/schemas/');
  const schemas = Object.entries(shared).map(([name, schema]): Edit => [['components', 'schemas', name], schema]);
  return new Contract('tiny/v1', applyEdits(toJsonObject(JSON.parse(text)), ...schemas, ...edits));
};

const contract = createContract();
const paging = { limit: 5, totalCount: 1, totalPages: 1 };
const page = { data: [{ kind: 'Big', size: 1 }], paging };
const headers = { 'content-type': 'application/json; charset=utf-8', 'api-version': 'v1', 'x-request-id': 'a1' };

const createResponse = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { headers, ...init });

test('a response that conforms has no problems', async () => {
  expect(await contract.problems('get', '/tiny-things', createResponse(page))).toEqual([]);
  const failure = createResponse(
    { title: 'No', status: 400 },
    { status: 400, headers: { ...headers, 'content-type': 'application/problem+json' } },
  );
  expect(await contract.problems('GET', '/tiny-things', failure)).toEqual([]);
});

const without = (name: string): ResponseInit => ({ headers: Object.entries(headers).filter(([key]) => key !== name) });

const json = (more: Record<string, string>): ResponseInit => ({ headers: { ...headers, ...more } });
const things = (...data: readonly object[]): object => ({ ...page, data });

test.each<readonly [string, Response, readonly string[]]>([
  ['an undeclared status', createResponse(page, { status: 418 }), ['undeclared status 418']],
  ['a dropped header', createResponse(page, without('api-version')), ['missing header API-Version']],
  ['an undeclared header', createResponse(page, json({ 'x-by': 'luck' })), ['undeclared header x-by']],
  ['another media type', createResponse(page, json({ 'content-type': 'a/b' })), [`undeclared media type 'a/b'`]],
  ['no media type', createResponse(page, json({ 'content-type': '' })), [`undeclared media type ''`]],
  ['a body that is not JSON', createResponse('{'), ['a body that is not JSON']],
  [
    'a value outside its enum',
    createResponse(things({ kind: 'Huge' })),
    ['/data/0/kind must be equal to one of the allowed values {"allowedValues":["Big","Small"]}'],
  ],
  [
    'a renamed property',
    createResponse(things({ Kind: 'Big' })),
    [
      `/data/0 must have required property 'kind' {"missingProperty":"kind"}`,
      '/data/0 must NOT have unevaluated properties {"unevaluatedProperty":"Kind"}',
    ],
  ],
  [
    'an invalid next link',
    createResponse({ ...page, paging: { ...paging, next: 'there' } }),
    ['/paging/next must match format "uri" {"format":"uri"}'],
  ],
])('reports %s', async (_, response, problems) => {
  expect(await contract.problems('get', '/tiny-things', response)).toEqual(problems);
});

test('reports a body where none is declared', async () => {
  expect(await contract.problems('get', '/tiny/health', createResponse({}))).toEqual(['a body where none is declared']);
});

test('reports an operation that the document lacks', async () => {
  expect(await contract.problems('post', '/tiny-things', createResponse(page))).toEqual([
    'post /tiny-things is no operation of tiny/v1',
  ]);
});

test('parses a header by its type', async () => {
  const counted: Edit = [
    ['paths', '/tiny-things', 'get', 'responses', '200', 'headers', 'Retry-After'],
    { required: true, schema: { type: 'integer', minimum: 1 } },
  ];
  const withCount = createContract(counted);
  const problems = (value: string) =>
    withCount.problems('get', '/tiny-things', createResponse(page, { headers: { ...headers, 'retry-after': value } }));
  expect(await problems('5')).toEqual([]);
  expect(await problems('0')).toEqual(['header Retry-After: / must be >= 1 {"comparison":">=","limit":1}']);
  expect(await problems('soon')).toEqual(['header Retry-After: / must be integer {"type":"integer"}']);
});

test('closes an object composed of parts as a whole', async () => {
  const whole: Edit = [
    ['components', 'schemas', 'Thing'],
    { allOf: [{ $ref: '#/components/schemas/Named' }, { type: 'object', properties: { size: { type: 'integer' } } }] },
  ];
  const named: Edit = [
    ['components', 'schemas', 'Named'],
    { type: 'object', properties: { kind: { type: 'string' } } },
  ];
  const composed = createContract(whole, named);
  const check = (thing: unknown) => composed.check('#/components/schemas/Thing', thing);
  expect(check({ kind: 'Big', size: 1 })).toEqual([]);
  expect(check({ kind: 'Big', colour: 'red' })).toEqual([
    '/ must NOT have unevaluated properties {"unevaluatedProperty":"colour"}',
  ]);
});
