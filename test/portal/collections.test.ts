/** Collections of API clients: all their requests are sent to the mock. */
import { describe, expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { isJsonObject, listOperations, toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { buildCollections, type Collections } from '#portal/collections.ts';
import { readPortalSources } from '#portal/read-sources.ts';
import { serveMock } from '../mock/serve-mock.ts';

const sources = readPortalSources(root).versions.filter(({ version }) => version.sunsetOn === undefined);
const mock = serveMock();

/** Identifiers of the examples of all documents, by name. */
const values: Readonly<Record<string, string>> = Object.fromEntries([
  ...sources
    .flatMap(({ document }) => listOperations(document))
    .flatMap(({ parameters }) => parameters)
    .filter(({ example }) => typeof example === 'string')
    .map(({ name, example }) => [String(name), String(example)]),
  ['baseUrl', 'http://localhost:8080'],
  ['apiKey', 'any'],
  ['today', '2027-03-01'],
]);

const fill = (text: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the variable ${name} has no value`);
    return value;
  });

type CollectionRequest = {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

const listItems = (collection: JsonObject, name: 'items' | 'item'): readonly JsonObject[] =>
  toList(collection[name])
    .map(toJsonObject)
    .flatMap((one) => (name in one ? listItems(one, name) : [one]));

const pairs = (value: unknown, name: string) =>
  toList(value)
    .map(toJsonObject)
    .map((one) => ({ type: String(one['type']), name: String(one[name]), value: fill(String(one['value'])) }));

const isPublic = (auth: unknown): boolean =>
  ['none', 'noauth'].includes(String(toJsonObject(auth)['mode'] ?? toJsonObject(auth)['type']));

const withKey = (auth: unknown, headers: Readonly<Record<string, string>>) =>
  isPublic(auth) ? headers : { ...headers, 'Subscription-Key': fill('{{apiKey}}') };

const toHeaders = (list: ReturnType<typeof pairs>) => Object.fromEntries(list.map(({ name, value }) => [name, value]));

/** Replaces the path parameters of a URL, as both clients do: what else they send of a URL is its text. */
const toSentUrl = (url: unknown, path: ReturnType<typeof pairs>): string =>
  path.reduce((text, one) => text.replace(`:${one.name}`, encodeURIComponent(one.value)), fill(String(url)));

/** Builds the request that Bruno sends. */
const fromBruno = ({ name, request }: JsonObject): CollectionRequest => {
  const { method, url, headers, params, body, auth } = toJsonObject(request);
  const { mode, ...content } = toJsonObject(body);
  const text = mode === 'none' ? undefined : content[String(mode)];
  const type: Readonly<Record<string, string>> = mode === 'json' ? { 'content-type': 'application/json' } : {};
  return {
    name: String(name),
    method: String(method),
    url: toSentUrl(
      url,
      pairs(params, 'name').filter((one) => one.type === 'path'),
    ),
    headers: withKey(auth, { ...type, ...toHeaders(pairs(headers, 'name')) }),
    body: typeof text === 'string' ? fill(text) : undefined,
  };
};

/** Builds the request that Postman sends. */
const fromPostman = ({ name, request }: JsonObject): CollectionRequest => {
  const { method, url, header, body, auth } = toJsonObject(request);
  const { raw, variable } = toJsonObject(url);
  const text = isJsonObject(body) ? body['raw'] : undefined;
  const { language } = toJsonObject(toJsonObject(toJsonObject(body)['options'])['raw']);
  return {
    name: String(name),
    method: String(method),
    url: toSentUrl(raw, pairs(variable, 'key')),
    headers: withKey(auth, {
      ...(language === 'json' && { 'content-type': 'application/json' }),
      ...toHeaders(pairs(header, 'key')),
    }),
    body: typeof text === 'string' ? fill(text) : undefined,
  };
};

describe.each(sources.map((source) => [`${source.product.product}/${source.version.version}`, source] as const))(
  '%s',
  (_, source) => {
    const { bruno, postman } = buildCollections(source);
    const operations = listOperations(source.document).map(({ operation }) => String(operation['summary']));

    test.each([
      ['Bruno', listItems(bruno, 'items').map(fromBruno)],
      ['Postman', listItems(postman, 'item').map(fromPostman)],
    ] as const)('the %s collection has a request of each operation, and all succeed', async (_client, requests) => {
      expect(requests.map(({ name }) => name).toSorted()).toEqual(operations.toSorted());
      const failed: unknown[] = [];
      for (const { name, method, url, headers, body } of requests) {
        const response = await mock.fetch(new Request(url, { method, headers, ...(body !== undefined && { body }) }));
        // The mock has no carrier of the demo world.
        const isExpected = response.ok || (response.status === 404 && new URL(url).pathname === '/carriers/X2');
        if (!isExpected) failed.push([name, method, url, headers, body, response.status, await response.text()]);
        else await response.body?.cancel();
      }
      expect(failed).toEqual([]);
    });
  },
);

const [{ bruno, postman }] = sources
  .filter(({ product }) => product.product === 'flight-info-alerts')
  .map(buildCollections) as [Collections];

const uid: unknown = expect.stringMatching(/^[a-z0-9]{21}$/);

test('a request of the Bruno collection has its parameters in the URL and as a list', () => {
  const [request] = listItems(bruno, 'items').filter(({ name }) => name === 'Get an alert');
  expect(request).toEqual({
    uid,
    name: 'Get an alert',
    type: 'http-request',
    seq: 4,
    request: {
      url: '{{baseUrl}}/flight-info-alerts/alerts/:alertId?version=v1',
      method: 'GET',
      headers: [],
      params: [
        { uid, name: 'alertId', value: '{{alertId}}', enabled: true, type: 'path' },
        { uid, name: 'version', value: 'v1', enabled: true, type: 'query' },
      ],
      auth: { mode: 'inherit' },
      body: { mode: 'none' },
    },
  });
});

test('a request of the Postman collection has its parameters in the URL and as a list', () => {
  const [request] = listItems(postman, 'item').filter(({ name }) => name === 'Get an alert');
  expect(request).toEqual({
    name: 'Get an alert',
    request: {
      method: 'GET',
      header: [],
      url: {
        raw: '{{baseUrl}}/flight-info-alerts/alerts/:alertId?version=v1',
        host: ['{{baseUrl}}'],
        path: ['flight-info-alerts', 'alerts', ':alertId'],
        query: [{ key: 'version', value: 'v1' }],
        variable: [{ key: 'alertId', value: '{{alertId}}' }],
      },
    },
  });
});

test('collections have the key as a variable without a value, a secret in Bruno', () => {
  const [environment] = toList(bruno['environments']).map(toJsonObject);
  const variables = toList(environment?.['variables']).map(toJsonObject);
  const key = { uid, name: 'apiKey', value: '', type: 'text', enabled: true, secret: true };
  expect(variables.find(({ name }) => name === 'apiKey')).toEqual(key);
  expect(toList(postman['variable'])).toContainEqual({ key: 'apiKey', value: '', description: '' });
  expect(toJsonObject(bruno['root'])['request']).toEqual({
    auth: { mode: 'apikey', apikey: { key: 'Subscription-Key', value: '{{apiKey}}', placement: 'header' } },
  });
  expect(postman['auth']).toEqual({
    type: 'apikey',
    apikey: [
      { key: 'key', value: 'Subscription-Key', type: 'string' },
      { key: 'value', value: '{{apiKey}}', type: 'string' },
      { key: 'in', value: 'header', type: 'string' },
    ],
  });
});

test('every build gives the same collections, with IDs that Bruno accepts', () => {
  const [first, second] = [sources, sources].map((all) => all.map(buildCollections));
  expect(second).toEqual(first);
  for (const collections of first ?? []) {
    const ids = [...JSON.stringify(collections.bruno).matchAll(/"uid":"([^"]*)"/g)].map(([, id = '']) => id);
    expect(ids.filter((id) => !/^[a-zA-Z0-9]{21}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  }
});
