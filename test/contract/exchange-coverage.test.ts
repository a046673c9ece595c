import { describe, expect, test } from 'vitest';
import { toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';
import type { Exchange } from '../support/recorded-exchanges.ts';
import { Contract } from './contract.ts';
import { renderCoverageTable, findCoverageErrors } from './coverage/coverage-table.ts';
import { createExchangeCoverage, type DocumentCoverage } from './coverage/exchange-coverage.ts';

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
const small: ExchangeOptions = {
  path: '/things?Kind=small',
  requestHeaders: { 'if-match': '"x"' },
  body: { kind: 'Small' },
};
const none: ExchangeOptions = { path: '/things?Kind=Big', status: 404, body: { title: 'None' } };
const deleted: ExchangeOptions = { path: '/things/7', method: 'DELETE', status: 204 };

const accountsOf = async (exchanges: readonly ExchangeOptions[]): Promise<readonly DocumentCoverage[]> => {
  const coverage = createExchangeCoverage([new Contract('tiny/v1', withVersion)]);
  for (const one of exchanges) coverage.record(exchange(one));
  return coverage.results();
};

describe('the coverage of a document', () => {
  test('is complete when everything was requested', async () => {
    const accounts = await accountsOf([big, small, none, deleted]);
    expect(findCoverageErrors(accounts, {})).toEqual([]);
    expect(renderCoverageTable(accounts, {})).toBe(
      [
        'declared/seen  operations  statuses  headers  parameters  parameter values  properties  values',
        'tiny/v1               2/2       3/3      7/7         3/3               2/2         2/2     2/2',
        'in total              2/2       3/3      7/7         3/3               2/2         2/2     2/2',
      ].join('\n'),
    );
  });

  test.each<readonly [string, readonly ExchangeOptions[], readonly string[]]>([
    [
      'an operation that is never requested',
      [big, small, none],
      [
        'operations: tiny/v1 delete /things/{id}',
        'statuses: tiny/v1 delete /things/{id} 204',
        'headers: tiny/v1 delete /things/{id} 204 API-Version',
        'headers: tiny/v1 delete /things/{id} 204 X-Request-Id',
        'parameters: tiny/v1 delete /things/{id} id',
      ],
    ],
    [
      'a status that never occurs',
      [big, small, deleted],
      [
        'statuses: tiny/v1 get /things 404',
        'headers: tiny/v1 get /things 404 API-Version',
        'headers: tiny/v1 get /things 404 X-Request-Id',
        'properties: tiny/v1 get /things.title',
      ],
    ],
    [
      'a header that never occurs',
      [{ ...big, responseHeaders: {} }, small, none, deleted],
      ['headers: tiny/v1 get /things 200 ETag'],
    ],
    [
      'a parameter that is never sent',
      [big, { ...small, requestHeaders: {} }, none, deleted],
      ['parameters: tiny/v1 get /things If-Match'],
    ],
    [
      'a parameter that is sent under another name',
      [big, small, none, deleted].map((one) => ({ ...one, path: one.path.replace('Kind', 'Kinds') })),
      [
        'parameters: tiny/v1 get /things Kind',
        'parameter values: tiny/v1 get /things Kind = Big',
        'parameter values: tiny/v1 get /things Kind = Small',
      ],
    ],
    [
      'a parameter value that is always rejected',
      [{ ...big, path: '/things' }, small, none, deleted],
      ['parameter values: tiny/v1 get /things Kind = Big'],
    ],
    [
      'a value that no response has',
      [big, { ...small, body: {} }, none, deleted],
      ['values: tiny/v1 get /things.kind = Small'],
    ],
    [
      'a response that does not conform to the document',
      [big, small, { ...none, responseHeaders: { 'x-powered-by': 'luck' } }, deleted],
      [
        'statuses: tiny/v1 get /things 404',
        'headers: tiny/v1 get /things 404 API-Version',
        'headers: tiny/v1 get /things 404 X-Request-Id',
        'properties: tiny/v1 get /things.title',
      ],
    ],
  ])('reports %s as missing', async (_, exchanges, missing) => {
    const accounts = await accountsOf(exchanges);
    expect(findCoverageErrors(accounts, {})).toEqual(missing);
    for (const one of missing) expect(renderCoverageTable(accounts, {})).toContain(`  ${one}: MISSING`);
  });

  const untitled: ExchangeOptions = { ...none, body: {} };
  const title = 'tiny/v1 get /things.title';

  test('accepts a reason for missing properties and values, counts them separately and lists them', async () => {
    const accounts = await accountsOf([big, small, untitled, deleted]);
    const reasons = { [title]: 'the object does not exist' };
    expect(findCoverageErrors(accounts, {})).toEqual([`properties: ${title}`]);
    expect(findCoverageErrors(accounts, reasons)).toEqual([]);
    expect(renderCoverageTable(accounts, reasons)).toMatch(
      /^tiny\/v1 .* 2\/1\+1 [^]*\n {2}properties: tiny\/v1 get \/things\.title: the object does not exist$/m,
    );
  });

  test('rejects a reason for an observed value', async () => {
    const accounts = await accountsOf([big, small, none, deleted]);
    expect(findCoverageErrors(accounts, { [title]: 'no reason' })).toEqual([`a reason for nothing: ${title}`]);
  });

  test('rejects a reason for a missing header, or for anything but properties and values', async () => {
    const accounts = await accountsOf([{ ...big, responseHeaders: {} }, small, none, deleted]);
    const etag = 'tiny/v1 get /things 200 ETag';
    expect(findCoverageErrors(accounts, { [etag]: 'things do not change' })).toEqual([
      `headers: ${etag}`,
      `a reason for nothing: ${etag}`,
    ]);
  });
});

test('a response without a version counts for every version with its path, otherwise for its version only', async () => {
  const versions = ['v1', 'v2'].map((version) => new Contract(`tiny/${version}`, withVersion));
  const statuses = async (options: ExchangeOptions): Promise<readonly (readonly string[])[]> => {
    const coverage = createExchangeCoverage(versions);
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
