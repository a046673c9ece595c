import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runTool } from '../../src/contract/run-tool.ts';
import { applyEdits, buildErrorResponses, tinyDocument, writeSpec, type Edit } from './tiny-spec.ts';

const list = ['paths', '/tiny-things', 'get'];
const ok = [...list, 'responses', '200'];
const media = [...ok, 'content', 'application/json'];
const schemas = ['components', 'schemas'];
const problem = 'application/problem+json';
const text = { description: 'A text.', schema: { type: 'string' } };

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  name,
  in: 'header',
  required: true,
  ...text,
}));
const posted = {
  operationId: 'receiveThing',
  summary: 'A thing',
  description: 'Posted when there is a thing.',
  tags: ['Things'],
  security: [],
  parameters: signed,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Thing' },
        examples: { one: { summary: 'One', value: { kind: 'Big' } } },
      },
    },
  },
  responses: {
    '2XX': { description: 'Taken.' },
    '410': { description: 'No more.' },
    '503': { description: 'Not now.' },
  },
};
const hook = ['webhooks', 'thing'];

/** Each planted fault, the only rule that must report it, and the edits that plant it. */
const faults: readonly (readonly [name: string, rule: string, ...edits: readonly Edit[]])[] = [
  ['a list without paging', 'contract/paged-lists', [[...schemas, 'ThingPage', 'required'], ['data']]],
  [
    'a list with a paging of its own',
    'contract/paged-lists',
    [[...schemas, 'ThingPage', 'properties', 'paging'], { type: 'object', description: 'Mine.' }],
  ],
  [
    'a bare array',
    'contract/paged-lists',
    [[...media, 'schema'], { type: 'array', items: { $ref: '#/components/schemas/Thing' } }],
  ],
  [
    'a list without Limit and cursor',
    'contract/paged-lists',
    [
      [...list, 'parameters'],
      [{ name: 'version', in: 'query', description: 'V.', schema: { type: 'string', enum: ['v1'] } }],
    ],
  ],
  [
    'a deprecated version without a Sunset header',
    'contract/deprecated-headers',
    [['x-lifecycle'], { releasedOn: '2024-01-01', deprecatedOn: '2025-01-01', sunsetOn: '2026-01-01' }],
  ],
  [
    'a response that does not name its version',
    'contract/identity-headers',
    [[...ok, 'headers', 'API-Version'], undefined],
  ],
  [
    'a response without the remaining rate limit',
    'contract/limit-headers',
    [[...ok, 'headers', 'RateLimit'], undefined],
  ],
  [
    'a rejection without Retry-After',
    'contract/limit-headers',
    [[...list, 'responses', '429', 'headers', 'Retry-After'], undefined],
  ],
  [
    'a 401 with rate limit headers',
    'contract/limit-headers',
    [[...list, 'responses', '401', 'headers', 'RateLimit'], text],
  ],
  [
    'a 404 of a missing object without its version',
    'contract/identity-headers',
    [
      ['paths', '/tiny-things/{thing}', 'get'],
      { operationId: 'getThing', responses: { '404': { description: 'None.', headers: { 'X-Request-Id': text } } } },
    ],
  ],
  [
    'an error response without a request ID',
    'contract/identity-headers',
    [[...list, 'responses', '404', 'headers', 'X-Request-Id'], undefined],
  ],
  [
    'an unknown-version 404 that requires a version',
    'contract/identity-headers',
    [[...list, 'responses', '404', 'headers', 'API-Version', 'required'], true],
  ],
  [
    'an error response in plain JSON',
    'contract/problem-errors',
    [
      [...list, 'responses', '400', 'content'],
      {
        'application/json': {
          schema: { $ref: '#/components/schemas/Thing' },
          examples: { a: { value: { kind: 'Big' } } },
        },
      },
    ],
  ],
  [
    'an error response with another schema',
    'contract/problem-errors',
    [[...list, 'responses', '400', 'content', problem, 'schema'], { type: 'object', description: 'Mine.' }],
  ],
  ['a response without an example', 'contract/named-examples', [[...media, 'examples'], undefined]],
  ['an example without a request', 'contract/named-examples', [[...media, 'examples', 'one', 'x-request'], undefined]],
  [
    'a body without an example',
    'contract/named-examples',
    [[...list, 'requestBody'], { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } }],
  ],
  [
    'a property without a description',
    'contract/described',
    [[...schemas, 'Thing', 'properties', 'size'], { type: 'integer' }],
  ],
  [
    'a header without a description',
    'contract/described',
    [[...ok, 'headers', 'X-Extra'], { schema: { type: 'string' } }],
  ],
  [
    'a parameter without a description',
    'contract/described',
    [['components', 'parameters', 'Stray'], { name: 'Stray', in: 'query', schema: { type: 'string' } }],
    [['paths', '/tiny-things', 'parameters'], [{ $ref: '#/components/parameters/Stray' }]],
  ],
  [
    'an operation without a version parameter',
    'contract/version-parameter',
    [['paths', '/tiny/health', 'get', 'parameters'], []],
  ],
  ['an operation that accepts another version', 'contract/version-parameter', [['info', 'version'], 'v2']],
  [
    'an operation that requires a key and does not declare 401',
    'contract/declared-responses',
    [[...list, 'responses', '401'], undefined],
  ],
  [
    'an operation without a 503',
    'contract/declared-responses',
    [['paths', '/tiny/health', 'get', 'responses', '503'], undefined],
  ],
  [
    'a 304 without a conditional header',
    'contract/conditional-requests',
    [
      [...list, 'responses', '304'],
      { description: 'As before.', headers: { 'API-Version': text, 'X-Request-Id': text } },
    ],
  ],
  ['an ETag without a 304', 'contract/conditional-requests', [[...ok, 'headers', 'ETag'], text]],
  [
    'a Last-Modified header without a conditional request',
    'contract/conditional-requests',
    [[...ok, 'headers', 'Last-Modified'], text],
  ],
  [
    'an update that can conflict and does not declare it',
    'contract/guarded-updates',
    [
      ['paths', '/tiny-things', 'parameters'],
      [{ name: 'If-Match', in: 'header', description: 'A tag.', schema: { type: 'string' } }],
    ],
  ],
  [
    'a 422 for an idempotency key without the header',
    'contract/guarded-updates',
    [
      [...list, 'responses', '422'],
      { description: 'Another request.', headers: { 'API-Version': text, 'X-Request-Id': text } },
    ],
  ],
  [
    'an operation with a body and without a 413',
    'contract/declared-responses',
    [
      [...list, 'requestBody'],
      {
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Thing' },
            examples: { a: { value: { kind: 'Big' } } },
          },
        },
      },
    ],
    [
      [...list, 'responses', '415'],
      { description: 'Another form.', headers: { 'API-Version': text, 'X-Request-Id': text } },
    ],
  ],
  ['a 64-bit integer', 'contract/plain-integers', [[...schemas, 'Thing', 'properties', 'size', 'format'], 'int64']],
  [
    'a null that the enum lacks',
    'contract/nullable-enums',
    [[...schemas, 'Thing', 'properties', 'mark', 'enum'], ['x']],
  ],
  ['a webhook that is not a POST', 'contract/signed-webhooks', [hook, { put: posted }]],
  [
    'a webhook without a signature',
    'contract/signed-webhooks',
    [hook, { post: { ...posted, parameters: signed.slice(0, 2) } }],
  ],
  [
    'a webhook with an optional signature',
    'contract/signed-webhooks',
    [hook, { post: { ...posted, parameters: signed.map((one) => ({ ...one, required: false })) } }],
  ],
  ['a webhook without a body', 'contract/signed-webhooks', [hook, { post: { ...posted, requestBody: undefined } }]],
  ['a webhook that requires a key', 'contract/signed-webhooks', [hook, { post: { ...posted, security: undefined } }]],
  [
    'a webhook that cannot be disabled',
    'contract/signed-webhooks',
    [hook, { post: { ...posted, responses: { '2XX': { description: 'Taken.' } } } }],
  ],
  ['a document without jsonSchemaDialect', 'contract/dialect', [['jsonSchemaDialect'], undefined]],
  [
    'an operationId that is not camel case',
    'rule/operation-id-in-camel-case',
    [[...list, 'operationId'], 'list-things'],
  ],
  [
    'an invalid example',
    'no-invalid-media-type-examples',
    [[...media, 'examples', 'one', 'value', 'data'], [{ kind: 'Huge' }]],
  ],
  [
    'an example with an undeclared property',
    'no-invalid-media-type-examples',
    [[...media, 'examples', 'one', 'value', 'data'], [{ kind: 'Big', colour: 'red' }]],
  ],
];

const health = ['paths', '/tiny/health', 'get'];
const statuses = ['200', '400', '401', '403', '406', '429', '500', '503'].map((status) => [
  ...list,
  'responses',
  status,
]);
const healthResponses = ['200', '406', '503'].map((status) => [...health, 'responses', status]);
/**
 * A deprecated version with its headers in all of its own responses; its 404s and the 400 of its health are not its
 * own.
 */
const ending: readonly Edit[] = [
  [['x-lifecycle'], { releasedOn: '2024-01-01', deprecatedOn: '2025-01-01', sunsetOn: '2026-01-01' }],
  ...[list, health].map((operation): Edit => [[...operation, 'deprecated'], true]),
  ...[...statuses, ...healthResponses].flatMap((response): readonly Edit[] =>
    ['Deprecation', 'Sunset'].map((header) => [[...response, 'headers', header], { ...text, example: 'true' }]),
  ),
  ...[list, health].map((operation): Edit => [[...operation, 'responses', '404', 'headers', 'API-Version'], undefined]),
  [[...health, 'responses', '400'], buildErrorResponses('400')['400']],
];

const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
const rulesByDocument = new Map<string, ReadonlySet<string>>();

const report = z.object({
  problems: z.array(
    z.object({ ruleId: z.string(), location: z.array(z.object({ source: z.object({ ref: z.string() }) })) }),
  ),
});

/** Redocly prints one JSON report for each document, one after the other. */
const reportsOf = (stdout: string) => stdout.split(/(?<=^\})(?=\s*\{)/m).map((text) => report.parse(JSON.parse(text)));

beforeAll(async () => {
  const documents = faults.map(
    ([, , ...edits], index) => [`fault-${index}/v1`, applyEdits(tinyDocument(), ...edits)] as const,
  );
  const array = { type: 'array', items: { $ref: '#/components/schemas/Thing' } };
  const bare = applyEdits(tinyDocument(), [[...media, 'schema'], array], [[...list, 'x-bare-list'], true]);
  const withoutPaging: Edit = [[...schemas, 'ThingPage', 'required'], ['data']];
  const endless = applyEdits(tinyDocument(), withoutPaging, [[...list, 'x-event-stream'], true]);
  const hooked = applyEdits(tinyDocument(), [hook, { post: posted }]);
  writeSpec(folder, {
    'sound/v1': tinyDocument(),
    'bare/v1': bare,
    'endless/v1': endless,
    'hooked/v1': hooked,
    'ending/v1': applyEdits(tinyDocument(), ...ending),
    ...Object.fromEntries(documents),
  });
  const names = ['sound/v1', 'bare/v1', 'endless/v1', 'hooked/v1', 'ending/v1', ...documents.map(([name]) => name)];
  const files = names.map((name) => join(folder, name, 'openapi.yaml'));
  const { stdout } = await runTool('redocly', ['lint', '--format', 'json', ...files]);
  reportsOf(stdout).forEach(({ problems }, index) =>
    rulesByDocument.set(names[index] ?? '', new Set(problems.map(({ ruleId }) => ruleId))),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

test('accepts a document that conforms to the rules', () => {
  expect([...(rulesByDocument.get('sound/v1') ?? ['not linted'])]).toEqual([]);
});

test('accepts a webhook that conforms to the rules', () => {
  expect([...(rulesByDocument.get('hooked/v1') ?? ['not linted'])]).toEqual([]);
});

test('accepts a deprecated version whose 404 without a lookup has no version and no Sunset header', () => {
  expect([...(rulesByDocument.get('ending/v1') ?? ['not linted'])]).toEqual([]);
});

test('does not treat a declared bare array as a paginated list', () => {
  expect([...(rulesByDocument.get('bare/v1') ?? ['not linted'])]).not.toContain('contract/paged-lists');
});

test('does not treat an endless list as a paginated list', () => {
  expect([...(rulesByDocument.get('endless/v1') ?? ['not linted'])]).not.toContain('contract/paged-lists');
});

test.each(faults.map(([name, rule], index) => ({ name, rule, index })))('reports $name by $rule', ({ rule, index }) => {
  expect([...(rulesByDocument.get(`fault-${index}/v1`) ?? [])]).toContain(rule);
});
