import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';

const problemMedia = {
  'application/problem+json': {
    schema: { $ref: '../../common/schemas.yaml#/Problem' },
    examples: { sorry: { summary: 'It failed', value: { title: 'It failed', status: 400 } } },
  },
};

const headers = {
  'API-Version': {
    description: 'The version that responded.',
    required: true,
    schema: { type: 'string' },
    example: 'v1',
  },
  'X-Request-Id': { description: 'The ID of the response.', required: true, schema: { type: 'string' }, example: 'a1' },
};

const ignored = {
  'Ignored-Parameters': { description: 'Names without a meaning.', schema: { type: 'string' }, example: '"Size"' },
};

const ages = {
  Age: { description: 'How old it is.', schema: { type: 'integer' }, example: 5 },
  'Data-As-Of': {
    description: 'As of when it is.',
    schema: { type: 'string' },
    example: 'Mon, 01 Jan 2024 00:00:00 GMT',
  },
};

const limits = {
  'RateLimit-Policy': { description: 'The limits.', schema: { type: 'string' }, example: '"minute";q=9;w=60' },
  RateLimit: { description: 'What is left.', schema: { type: 'string' }, example: '"minute";r=8;t=60' },
};

const wait = {
  'Retry-After': { description: 'How long to wait.', required: true, schema: { type: 'integer' }, example: 5 },
};

const headersOf = (status: string): JsonObject => {
  if (status === '404') return { ...headers, 'API-Version': { ...headers['API-Version'], required: false } };
  if (status === '503') return { ...headers, ...wait };
  return status === '429' ? { ...headers, ...limits, ...wait } : headers;
};

export const buildErrorResponses = (...statuses: readonly string[]): JsonObject =>
  Object.fromEntries(
    statuses.map((one) => [one, { description: 'It failed.', headers: headersOf(one), content: problemMedia }]),
  );

const text = { type: 'string' };

const createVersion = (name: string): JsonObject => ({
  name: 'version',
  in: 'query',
  description: 'The version.',
  schema: { ...text, enum: [name], default: name },
  example: name,
});

const limit = {
  name: 'Limit',
  in: 'query',
  description: 'The size of a page.',
  schema: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
};

const after = { name: 'After', in: 'query', description: 'A cursor.', schema: { type: 'string', maxLength: 9 } };

const kinds = {
  name: 'Kind',
  in: 'query',
  description: 'The kinds.',
  style: 'form',
  explode: false,
  schema: { type: 'array', maxItems: 9, items: { $ref: '#/components/schemas/Kind' } },
};

const page = {
  type: 'object',
  description: 'A page.',
  required: ['data', 'paging'],
  properties: {
    data: { type: 'array', description: 'The things.', items: { $ref: '#/components/schemas/Thing' } },
    paging: { $ref: '../../common/schemas.yaml#/Paging' },
  },
};

const thing = {
  type: 'object',
  description: 'A thing.',
  required: ['kind'],
  properties: {
    kind: { description: 'What it is.', $ref: '#/components/schemas/Kind' },
    size: { type: 'integer', description: 'How big it is.' },
    mark: { type: ['string', 'null'], enum: ['x', null], description: 'A mark.' },
  },
};

const value = { data: [{ kind: 'Big', size: 3 }], paging: { limit: 5, totalCount: 1, totalPages: 1 } };

/** Returns a document with one list and one health check that conforms to all rules. */
export const tinyDocument = (product = 'tiny', ofVersion = 'v1'): JsonObject => ({
  openapi: '3.1.0',
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  'x-product': product,
  'x-lifecycle': { releasedOn: '2024-01-01' },
  info: {
    title: 'Tiny',
    version: ofVersion,
    summary: 'Tiny.',
    description: 'Tiny.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: 'http://localhost:8080', description: 'Here.' }],
  security: [{ SubscriptionKey: [] }],
  tags: [{ name: 'Things', description: 'Things.' }],
  paths: {
    [`/${product}-things`]: {
      get: {
        operationId: 'listThings',
        summary: 'List things',
        description: 'Lists things.',
        tags: ['Things'],
        parameters: [createVersion(ofVersion), limit, after, kinds],
        responses: {
          '200': {
            description: 'A page.',
            headers: { ...headers, ...ignored, ...ages, ...limits },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/ThingPage' },
                examples: { one: { summary: 'One thing', 'x-request': `/${product}-things`, value } },
              },
            },
          },
          ...buildErrorResponses('400', '401', '403', '404', '406', '429', '500', '503'),
        },
      },
    },
    [`/${product}/health`]: {
      get: {
        operationId: 'getHealth',
        summary: 'Health',
        description: 'Health.',
        tags: ['Things'],
        'x-health': true,
        security: [],
        parameters: [createVersion(ofVersion)],
        responses: {
          '200': { description: 'Well.', headers: { ...headers, ...ignored } },
          ...buildErrorResponses('404', '406'),
          '503': { description: 'Unwell.', headers: { ...headers, ...wait } },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      SubscriptionKey: { type: 'apiKey', in: 'header', name: 'Subscription-Key', description: 'The key.' },
    },
    schemas: {
      Kind: { type: 'string', enum: ['Big', 'Small'], description: 'A kind.' },
      Thing: thing,
      ThingPage: page,
    },
  },
});

const shared = {
  Paging: {
    type: 'object',
    description: 'The position of the page.',
    required: ['limit', 'totalCount', 'totalPages'],
    properties: {
      limit: { type: 'integer', description: 'Its size.' },
      totalCount: { type: 'integer', description: 'All things.' },
      totalPages: { type: 'integer', description: 'All pages.' },
      next: { type: 'string', format: 'uri', description: 'The next page.' },
    },
  },
  Problem: {
    type: 'object',
    description: 'What failed.',
    required: ['title', 'status'],
    properties: {
      title: { type: 'string', description: 'In short.' },
      status: { type: 'integer', description: 'As a number.' },
    },
  },
};

/** An edit of a document: the keys to a member and its new value; `undefined` removes it. */
export type Edit = readonly [path: readonly string[], value: unknown];

/** Creates edits at locations like `list responses 200`, whose first word may be one of the short names. */
export const createEdit =
  (places: Readonly<Record<string, string>>) =>
  (location: string, value?: unknown): Edit => {
    const [place = '', ...rest] = location.split(' ');
    return [[...(places[place] ?? place).split(' '), ...rest], value];
  };

const setMember = (node: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown => {
  if (key === '') return value;
  if (Array.isArray(node)) {
    const items: readonly unknown[] = Object.assign([...node], { [key]: setMember(node[Number(key)], rest, value) });
    return items.filter((one) => one !== undefined);
  }
  const { [key]: child, ...others } = toJsonObject(node);
  const changed = setMember(child, rest, value);
  return changed === undefined ? others : { ...toJsonObject(node), [key]: changed };
};

/** Applies edits to a document; missing steps are created. */
export const applyEdits = (document: JsonObject, ...edits: readonly Edit[]): JsonObject =>
  edits.reduce((before, [path, value]) => toJsonObject(setMember(before, path, value)), document);

/** Writes documents, by `<product>/<version>`, and their shared schemas into a spec folder. JSON is valid YAML. */
export const writeSpec = (specDir: string, documents: Readonly<Record<string, JsonObject | string>>): void => {
  const write = (path: string, content: JsonObject | string): void => {
    mkdirSync(join(specDir, path, '..'), { recursive: true });
    writeFileSync(join(specDir, path), typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  };
  write('common/schemas.yaml', shared);
  for (const [name, document] of Object.entries(documents)) write(`${name}/openapi.yaml`, document);
};
