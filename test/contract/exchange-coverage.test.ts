import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/openapi-document.ts';
import type { Exchange } from '../support/recorded-exchanges.ts';
import { Contract } from './contract.ts';
import { renderCoverageTable, findCoverageErrors } from './coverage/coverage-table.ts';
import { createExchangeCoverage } from './coverage/exchange-coverage.ts';

const json = (schema: object): object => ({ 'application/json': { schema } });
const text = { schema: { type: 'string' } };
const headers = { 'API-Version': text, 'X-Request-Id': { required: true, ...text } };
const kinds = { type: 'string', enum: ['Big', 'Small'] };

/** A document with two operations that has one of every counted item. */
const document: JsonObject = {
  openapi: '3.1.1',
  paths: {
    '/things': {
      get: {
        parameters: [
          { name: 'Kind', in: 'query', schema: { type: 'array', items: kinds } },
          { name: 'If-Match', in: 'header', ...text },
        ],
        responses: {
          200: { headers: { ...headers, ETag: text }, content: json({ type: 'object', properties: { kind: kinds } }) },
          404: { headers, content: json({ type: 'object', properties: { title: { type: 'string' } } }) },
        },
      },
    },
    '/things/{id}': {
      delete: { parameters: [{ name: 'id', in: 'path', required: true, ...text }], responses: { 204: { headers } } },
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

const exchange = ({ path, method = 'GET', requestHeaders = {}, status = 200, ...sent }: ExchangeOptions): Exchange => ({
  request: new Request(`http://service.test${path}`, { method, headers: requestHeaders }),
  response: new Response(sent.body ? JSON.stringify(sent.body) : null, {
    status,
    headers: { 'api-version': 'v1', 'content-type': 'application/json', 'x-request-id': 'a1', ...sent.responseHeaders },
  }),
});

const big: ExchangeOptions = { path: '/things?Kind=Big', responseHeaders: { etag: '"x"' }, body: { kind: 'Big' } };
const match = { 'if-match': '"x"' };
const small: ExchangeOptions = { path: '/things?Kind=small', requestHeaders: match, body: { kind: 'Small' } };
const none: ExchangeOptions = { path: '/things?Kind=Big', status: 404, body: { title: 'None' } };
const deleted: ExchangeOptions = { path: '/things/7', method: 'DELETE', status: 204 };

const coverageOf = async (exchanges: readonly ExchangeOptions[]) => {
  const coverage = createExchangeCoverage([new Contract('tiny/v1', { document })]);
  for (const one of exchanges) coverage.record(exchange(one));
  return { violations: await coverage.violations(), results: await coverage.results() };
};

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

test('reports each kind of item that was not requested, or whose response does not conform to the document', async () => {
  const { results, violations } = await coverageOf([{ ...small, path: '/things?Kinds=Small' }, undeclared]);
  expect(violations).toEqual(['GET http://service.test/things?Kind=Big: 404: undeclared header x-powered-by']);
  const missing = findCoverageErrors(results, {});
  expect(missing.map((one) => one.replace('tiny/v1 ', ''))).toEqual([
    'operations: delete /things/{id}',
    'statuses: get /things 404',
    'statuses: delete /things/{id} 204',
    'headers: get /things 200 ETag',
    ...['API-Version', 'X-Request-Id'].map((name) => `headers: get /things 404 ${name}`),
    ...['API-Version', 'X-Request-Id'].map((name) => `headers: delete /things/{id} 204 ${name}`),
    'parameters: get /things Kind',
    'parameters: delete /things/{id} id',
    ...['Big', 'Small'].map((value) => `parameter values: get /things Kind = ${value}`),
    'properties: get /things.title',
    'values: get /things.kind = Big',
  ]);
  for (const one of missing) expect(renderCoverageTable(results, {})).toContain(`  ${one}: MISSING`);
});

test('reports a tag that two bodies share, and a body with two tags', async () => {
  const tagged = (kind: string, etag: string): ExchangeOptions => ({
    ...big,
    responseHeaders: { etag },
    body: { kind },
  });
  const { violations } = await coverageOf([tagged('Big', '"a"'), tagged('Small', '"a"'), tagged('Small', '"b"')]);
  expect(violations.map((one) => one.replace('GET http://service.test/things?Kind=Big: 200: ', ''))).toEqual([
    'the tag "a" of 16 bytes is that of another body',
    'the tag "b" of 16 bytes is not "a", the one that the same body has had',
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
