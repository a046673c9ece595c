import { describe, expect, test } from 'vitest';
import { toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';
import type { Exchange } from '../support/recorded-exchanges.ts';
import { Contract } from './contract.ts';
import { renderCoverageTable, findCoverageErrors } from './coverage/coverage-table.ts';
import { createExchangeCoverage, type DocumentCoverage } from './coverage/exchange-coverage.ts';

const json = (schema: object): object => ({ 'application/json': { schema } });
const requestId = { 'X-Request-Id': { required: true, schema: { type: 'string' } } };

/** A document with two operations, in which there is one of everything that is counted. */
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

type Asked = {
  readonly path: string;
  readonly method?: string;
  readonly asks?: Record<string, string>;
  readonly status?: number;
  readonly answers?: Record<string, string>;
  readonly body?: object;
};

const exchange = ({ path, method = 'GET', asks = {}, status = 200, answers = {}, body }: Asked): Exchange => ({
  request: new Request(`http://service.test${path}`, { method, headers: asks }),
  response: new Response(body ? JSON.stringify(body) : null, {
    status,
    headers: { 'api-version': 'v1', 'content-type': 'application/json', 'x-request-id': 'a1', ...answers },
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

const big: Asked = { path: '/things?Kind=Big', answers: { etag: '"x"' }, body: { kind: 'Big' } };
const small: Asked = { path: '/things?Kind=small', asks: { 'if-match': '"x"' }, body: { kind: 'Small' } };
const none: Asked = { path: '/things?Kind=Big', status: 404, body: { title: 'None' } };
const gone: Asked = { path: '/things/7', method: 'DELETE', status: 204 };

const accountsOf = async (asked: readonly Asked[]): Promise<readonly DocumentCoverage[]> => {
  const coverage = createExchangeCoverage([new Contract('tiny/v1', withVersion)]);
  for (const one of asked) coverage.record(exchange(one));
  return coverage.results();
};

describe('the coverage of a document', () => {
  test('is whole when everything was asked', async () => {
    const accounts = await accountsOf([big, small, none, gone]);
    expect(findCoverageErrors(accounts, {})).toEqual([]);
    expect(renderCoverageTable(accounts, {})).toBe(
      [
        'declared/seen  operations  statuses  headers  parameters  parameter values  properties  values',
        'tiny/v1               2/2       3/3      7/7         3/3               2/2         2/2     2/2',
        'in total              2/2       3/3      7/7         3/3               2/2         2/2     2/2',
      ].join('\n'),
    );
  });

  test.each<readonly [string, readonly Asked[], readonly string[]]>([
    [
      'an operation that is never asked',
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
      'a status that never comes',
      [big, small, gone],
      [
        'statuses: tiny/v1 get /things 404',
        'headers: tiny/v1 get /things 404 API-Version',
        'headers: tiny/v1 get /things 404 X-Request-Id',
        'properties: tiny/v1 get /things.title',
      ],
    ],
    [
      'a header that never comes',
      [{ ...big, answers: {} }, small, none, gone],
      ['headers: tiny/v1 get /things 200 ETag'],
    ],
    [
      'a parameter that is never sent',
      [big, { ...small, asks: {} }, none, gone],
      ['parameters: tiny/v1 get /things If-Match'],
    ],
    [
      'a parameter that is sent under another name',
      [big, small, none, gone].map((one) => ({ ...one, path: one.path.replace('Kind', 'Kinds') })),
      [
        'parameters: tiny/v1 get /things Kind',
        'parameter values: tiny/v1 get /things Kind = Big',
        'parameter values: tiny/v1 get /things Kind = Small',
      ],
    ],
    [
      'a value of a parameter that is only refused',
      [{ ...big, path: '/things' }, small, none, gone],
      ['parameter values: tiny/v1 get /things Kind = Big'],
    ],
    [
      'a value that no answer has',
      [big, { ...small, body: {} }, none, gone],
      ['values: tiny/v1 get /things.kind = Small'],
    ],
    [
      'an answer that is not as declared',
      [big, small, { ...none, answers: { 'x-powered-by': 'luck' } }, gone],
      [
        'statuses: tiny/v1 get /things 404',
        'headers: tiny/v1 get /things 404 API-Version',
        'headers: tiny/v1 get /things 404 X-Request-Id',
        'properties: tiny/v1 get /things.title',
      ],
    ],
  ])('%s is found missing', async (_, asked, missing) => {
    const accounts = await accountsOf(asked);
    expect(findCoverageErrors(accounts, {})).toEqual(missing);
    for (const one of missing) expect(renderCoverageTable(accounts, {})).toContain(`  ${one}: MISSING`);
  });

  const untitled: Asked = { ...none, body: {} };
  const title = 'tiny/v1 get /things.title';

  test('may lack properties and values for a reason, which is counted by itself and listed', async () => {
    const accounts = await accountsOf([big, small, untitled, gone]);
    const reasons = { [title]: 'nothing is said of what is not there' };
    expect(findCoverageErrors(accounts, {})).toEqual([`properties: ${title}`]);
    expect(findCoverageErrors(accounts, reasons)).toEqual([]);
    expect(renderCoverageTable(accounts, reasons)).toMatch(
      /^tiny\/v1 .* 2\/1\+1 [^]*\n {2}properties: tiny\/v1 get \/things\.title: nothing is said of what is not there$/m,
    );
  });

  test('has no reason for what was seen', async () => {
    const accounts = await accountsOf([big, small, none, gone]);
    expect(findCoverageErrors(accounts, { [title]: 'nothing is said' })).toEqual([`a reason for nothing: ${title}`]);
  });

  test('has no reason for a header that never comes, nor for anything but properties and values', async () => {
    const accounts = await accountsOf([{ ...big, answers: {} }, small, none, gone]);
    const etag = 'tiny/v1 get /things 200 ETag';
    expect(findCoverageErrors(accounts, { [etag]: 'things do not change' })).toEqual([
      `headers: ${etag}`,
      `a reason for nothing: ${etag}`,
    ]);
  });
});

test('an answer that names no version is one of every version with that path, and one that does is of that alone', async () => {
  const versions = ['v1', 'v2'].map((version) => new Contract(`tiny/${version}`, withVersion));
  const statuses = async (asked: Asked): Promise<readonly (readonly string[])[]> => {
    const coverage = createExchangeCoverage(versions);
    const { request, response } = exchange(asked);
    if (asked.answers?.['api-version'] === '') response.headers.delete('api-version');
    coverage.record({ request, response });
    return (await coverage.results()).map(({ seen }) => [...seen.statuses]);
  };
  const unnamed: Asked = { ...none, path: '/things?version=v9', answers: { 'api-version': '' } };
  expect(await statuses(unnamed)).toEqual([['get /things 404'], ['get /things 404']]);
  expect(await statuses({ ...unnamed, path: '/things?version=v2' })).toEqual([[], ['get /things 404']]);
  expect(await statuses(none)).toEqual([['get /things 404'], []]);
});
