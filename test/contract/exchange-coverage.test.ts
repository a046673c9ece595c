import { expect, test } from 'vitest';
import { toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';
import type { Exchange } from '../support/recorded-exchanges.ts';
import { Contract } from './contract.ts';
import { renderCoverageTable, findCoverageErrors } from './coverage/coverage-table.ts';
import { createExchangeCoverage } from './coverage/exchange-coverage.ts';

const json = (schema: object): object => ({ 'application/json': { schema } });
const requestId = { 'X-Request-Id': { required: true, schema: { type: 'string' } } };

/** A document with two operations that has one of every counted item. */
const document: JsonObject = {
  openapi: '3.1.1',
  paths: {
    '/things': {
      get: {
        parameters: [
          { name: 'Kind', in: 'query', schema: { type: 'array', items: { type: 'string', enum: ['Big', 'Small'] } } },
          { name: 'If-Match', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            headers: { ...requestId, ETag: { schema: { type: 'string' } } },
            content: json({ type: 'object', properties: { kind: { type: 'string', enum: ['Big', 'Small'] } } }),
          },
          404: { headers: requestId, content: json({ type: 'object', properties: { title: { type: 'string' } } }) },
        },
      },
    },
    '/things/{id}': {
      delete: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { headers: requestId } },
      },
    },
  },
};

type ExchangeOptions = {
  readonly path: string;
  readonly method?: string;
  readonly requestHeaders?: Record<string, string>;
  readonly status?: number;
  readonly responseHeaders?: Record<string, string>;
  readonly body?: object;
};

const exchange = ({
  path,
  method = 'GET',
  requestHeaders = {},
  status = 200,
  responseHeaders = {},
  body,
}: ExchangeOptions): Exchange => ({
  request: new Request(`http://service.test${path}`, { method, headers: requestHeaders }),
  response: new Response(body ? JSON.stringify(body) : null, {
    status,
    headers: { 'api-version': 'v1', 'content-type': 'application/json', 'x-request-id': 'a1', ...responseHeaders },
  }),
});

const withVersion = toJsonObject(
  JSON.parse(
    JSON.stringify(document).replaceAll(
      '"X-Request-Id":',
      '"API-Version":{"schema":{"type":"string"}},"X-Request-Id":',
    ),
  ),
);

const big: ExchangeOptions = { path: '/things?Kind=Big', responseHeaders: { etag: '"x"' }, body: { kind: 'Big' } };
const match = { 'if-match': '"x"' };
const small: ExchangeOptions = { path: '/things?Kind=small', requestHeaders: match, body: { kind: 'Small' } };
const none: ExchangeOptions = { path: '/things?Kind=Big', status: 404, body: { title: 'None' } };
const deleted: ExchangeOptions = { path: '/things/7', method: 'DELETE', status: 204 };

const coverageOf = async (exchanges: readonly ExchangeOptions[]) => {
  const coverage = createExchangeCoverage([new Contract('tiny/v1', withVersion)]);
  for (const one of exchanges) coverage.record(exchange(one));
  return { violations: await coverage.violations(), results: await coverage.results() };
};

const without404 = [
  'statuses: get /things 404',
  'headers: get /things 404 API-Version',
  'headers: get /things 404 X-Request-Id',
  'properties: get /things.title',
];
const neverDeleted = [
  'operations: delete /things/{id}',
  'statuses: delete /things/{id} 204',
  'headers: delete /things/{id} 204 API-Version',
  'headers: delete /things/{id} 204 X-Request-Id',
  'parameters: delete /things/{id} id',
];
const otherName = [big, small, none, deleted].map((one) => ({ ...one, path: one.path.replace('Kind', 'Kinds') }));
const notKind = [
  'parameters: get /things Kind',
  ...['Big', 'Small'].map((one) => `parameter values: get /things Kind = ${one}`),
];
const undeclared: ExchangeOptions = { ...none, responseHeaders: { 'x-powered-by': 'luck' } };

test('the coverage is complete when everything was requested', async () => {
  const { results, violations } = await coverageOf([big, small, none, deleted]);
  expect([findCoverageErrors(results, {}), violations]).toEqual([[], []]);
  expect(renderCoverageTable(results, {})).toBe(
    [
      'declared/seen  operations  statuses  headers  parameters  parameter values  properties  values',
      'tiny/v1               2/2       3/3      7/7         3/3               2/2         2/2     2/2',
      'in total              2/2       3/3      7/7         3/3               2/2         2/2     2/2',
    ].join('\n'),
  );
});

test.each<readonly [string, readonly ExchangeOptions[], readonly string[]]>([
  ['an operation that is never requested', [big, small, none], neverDeleted],
  ['a status that never occurs', [big, small, deleted], without404],
  ['a header', [{ ...big, responseHeaders: {} }, small, none, deleted], ['headers: get /things 200 ETag']],
  ['a parameter', [big, { ...small, requestHeaders: {} }, none, deleted], ['parameters: get /things If-Match']],
  ['a parameter that is sent under another name', otherName, notKind],
  [
    'a parameter value that is always rejected',
    [{ ...big, path: '/things' }, small, none, deleted],
    ['parameter values: get /things Kind = Big'],
  ],
  ['a value', [big, { ...small, body: {} }, none, deleted], ['values: get /things.kind = Small']],
  ['a response that does not conform to the document', [big, small, undeclared, deleted], without404],
])('reports %s as missing', async (_, exchanges, expected) => {
  const { results } = await coverageOf(exchanges);
  const missing = expected.map((one) => one.replace(': ', ': tiny/v1 '));
  expect(findCoverageErrors(results, {})).toEqual(missing);
  for (const one of missing) expect(renderCoverageTable(results, {})).toContain(`  ${one}: MISSING`);
});

test('reports the violations of responses', async () => {
  expect((await coverageOf([undeclared])).violations).toEqual([
    'GET http://service.test/things?Kind=Big: 404: undeclared header x-powered-by',
  ]);
});

test('a reason excuses missing properties and values only, and must be needed', async () => {
  const [title, etag] = ['tiny/v1 get /things.title', 'tiny/v1 get /things 200 ETag'];
  const untitled = (await coverageOf([big, small, { ...none, body: {} }, deleted])).results;
  expect(findCoverageErrors(untitled, { [title]: 'the object does not exist' })).toEqual([]);
  expect(renderCoverageTable(untitled, { [title]: 'the object does not exist' })).toMatch(
    /^tiny\/v1 .* 2\/1\+1 [^]*\n {2}properties: tiny\/v1 get \/things\.title: the object does not exist$/m,
  );
  const complete = (await coverageOf([big, small, none, deleted])).results;
  expect(findCoverageErrors(complete, { [title]: 'no reason' })).toEqual([`a reason for nothing: ${title}`]);
  const untagged = (await coverageOf([{ ...big, responseHeaders: {} }, small, none, deleted])).results;
  const reasons = { [etag]: 'things do not change' };
  expect(findCoverageErrors(untagged, reasons)).toEqual([`headers: ${etag}`, `a reason for nothing: ${etag}`]);
});

test('a response without a version counts for every version with its path, otherwise for its version only', async () => {
  const statuses = async (options: ExchangeOptions): Promise<readonly (readonly string[])[]> => {
    const coverage = createExchangeCoverage(
      ['v1', 'v2'].map((version) => new Contract(`tiny/${version}`, withVersion)),
    );
    const { request, response } = exchange(options);
    if (options.responseHeaders?.['api-version'] === '') response.headers.delete('api-version');
    coverage.record({ request, response });
    return (await coverage.results()).map(({ observed }) => [...observed.statuses]);
  };
  const unnamed: ExchangeOptions = { ...none, path: '/things?version=v9', responseHeaders: { 'api-version': '' } };
  expect(await statuses(unnamed)).toEqual([['get /things 404'], ['get /things 404']]);
  expect(await statuses({ ...unnamed, path: '/things?version=v2' })).toEqual([[], ['get /things 404']]);
  expect(await statuses(none)).toEqual([['get /things 404'], []]);
});
