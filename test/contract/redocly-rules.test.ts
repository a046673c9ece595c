import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runTool } from '#contract/run-tool.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { applyEdits, buildErrorResponses, createEdit, tinyDocument, writeSpec, type Edit } from './tiny-spec.ts';

const problem = 'application/problem+json';
const text = { description: 'A text.', schema: { type: 'string' } };

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  ...text,
  name,
  in: 'header',
  required: true,
}));
const thingSchema = { schema: { $ref: '#/components/schemas/Thing' } };
const exampleMedia = { ...thingSchema, examples: { a: { summary: 'One', value: { kind: 'Big' } } } };
const posted = {
  operationId: 'receiveThing',
  summary: 'A thing',
  description: 'Posted when there is a thing.',
  tags: ['Things'],
  security: [],
  parameters: signed,
  requestBody: { required: true, content: { 'application/json': exampleMedia } },
  responses: {
    '2XX': { description: 'Taken.' },
    '410': { description: 'No more.' },
    '503': { description: 'Not now.' },
  },
};
const edit = createEdit({
  list: 'paths /tiny-things get',
  responses: 'paths /tiny-things get responses',
  ok: 'paths /tiny-things get responses 200',
  media: 'paths /tiny-things get responses 200 content application/json',
  example: 'paths /tiny-things get responses 200 content application/json examples one value',
  things: 'paths /tiny-things',
  health: 'paths /tiny/health get',
  thing: 'components schemas Thing properties',
  page: 'components schemas ThingPage',
});

const json = (media: object): object => ({ content: { 'application/json': media } });
const plain = { description: 'It is so.', headers: { 'API-Version': text, 'X-Request-Id': text } };
const versionOnly = [{ name: 'version', in: 'query', description: 'V.', schema: { type: 'string', enum: ['v1'] } }];
const dates = { releasedOn: '2024-01-01', deprecatedOn: '2025-01-01', sunsetOn: '2026-01-01' };
const unnamed = {
  operationId: 'getThing',
  responses: { '404': { description: 'None.', headers: { 'X-Request-Id': text } } },
};
const ownObject = { type: 'object', description: 'Mine.' };
const unsupported = edit('responses 415', plain);
const stray = { name: 'Stray', in: 'query', schema: { type: 'string' } };
const ifMatch = { name: 'If-Match', in: 'header', ...text };
const post = (change: object): Edit => edit('webhooks thing', { post: { ...posted, ...change } });
const optional = signed.map((one) => ({ ...one, required: false }));

const boundless = [
  { type: 'string' },
  { type: 'string', pattern: '^a*$' },
  { type: 'string', pattern: '^a{2,}$' },
  { type: 'string', pattern: '^a|b$' },
  { type: 'string', pattern: '[ab]' },
  { type: 'array', items: { type: 'string', enum: ['a'] } },
  { type: 'array', maxItems: 2, items: { type: 'string' } },
  { type: 'integer', minimum: 0 },
  { type: 'number', maximum: 0 },
];
type Fault = readonly [name: string, rule: string, ...edits: readonly Edit[]];

/** Each planted fault, the rule that must report it, and the edits that plant it. */
const faults: readonly Fault[] = [
  ['a list without paging', 'paged-lists', edit('page required', ['data'])],
  ['a paging of its own', 'paged-lists', edit('page properties paging', ownObject)],
  ['a bare array', 'paged-lists', edit('media schema', { type: 'array', items: thingSchema.schema })],
  ['a list without Limit and cursor', 'paged-lists', edit('list parameters', versionOnly)],
  ['a deprecated version without a Sunset header', 'deprecated-headers', edit('x-lifecycle', dates)],
  ['a response that does not name its version', 'identity-headers', edit('ok headers API-Version')],
  ['a response without the remaining rate limit', 'limit-headers', edit('ok headers RateLimit')],
  ['a rejection without Retry-After', 'limit-headers', edit('responses 429 headers Retry-After')],
  ['a 401 with rate limit headers', 'limit-headers', edit('responses 401 headers RateLimit', text)],
  ['a success that names no ignored parameters', 'service-headers', edit('ok headers Ignored-Parameters')],
  ['a page without its age', 'service-headers', edit('ok headers Age')],
  ['a page without the time of its data', 'service-headers', edit('ok headers Data-As-Of')],
  ['a 201 without its location', 'service-headers', edit('responses 201', plain)],
  ['a health check without Retry-After', 'service-headers', edit('health responses 503 headers Retry-After')],
  ['a 404 without its version', 'identity-headers', edit('paths /tiny-things/{thing} get', unnamed)],
  ['an error response without a request ID', 'identity-headers', edit('responses 404 headers X-Request-Id')],
  ['a 404 that requires a version', 'identity-headers', edit('responses 404 headers API-Version required', true)],
  ['an error in plain JSON', 'problem-errors', edit('responses 400 content', { 'application/json': exampleMedia })],
  ['an error with another schema', 'problem-errors', edit(`responses 400 content ${problem} schema`, ownObject)],
  ['a response without an example', 'named-examples', edit('media examples')],
  ['an example without a request', 'named-examples', edit('media examples one x-request')],
  ['a body without an example', 'named-examples', edit('list requestBody', json(thingSchema))],
  ['a property without a description', 'described', edit('thing size', { type: 'integer' })],
  ['a header without a description', 'described', edit('ok headers X-Extra', { schema: { type: 'string' } })],
  ['a parameter without a description', 'described', edit('things parameters', [stray])],
  ['an operation without a version parameter', 'version-parameter', edit('health parameters', [])],
  ['an operation that accepts another version', 'version-parameter', edit('info version', 'v2')],
  ['an operation with a key and without a 401', 'declared-responses', edit('responses 401')],
  ['an operation without a 503', 'declared-responses', edit('health responses 503')],
  ['a 304 without a conditional header', 'conditional-requests', edit('responses 304', plain)],
  ['an ETag without a 304', 'conditional-requests', edit('ok headers ETag', text)],
  ['a Last-Modified header without a condition', 'conditional-requests', edit('ok headers Last-Modified', text)],
  ['an update with an undeclared conflict', 'guarded-updates', edit('things parameters', [ifMatch])],
  ['a 422 for an idempotency key without the header', 'guarded-updates', edit('responses 422', plain)],
  ['a body without a 413', 'declared-responses', edit('list requestBody', json(exampleMedia)), unsupported],
  ...boundless.map((schema): Fault => [
    `a parameter without bounds: ${JSON.stringify(schema)}`,
    'bounded-requests',
    edit('things parameters', [{ ...stray, description: 'Stray.', schema }]),
  ]),
  ['a body with a number without bounds', 'bounded-requests', edit('list requestBody', json(exampleMedia))],
  ['a 64-bit integer', 'plain-integers', edit('thing size format', 'int64')],
  ['a null that the enum lacks', 'nullable-enums', edit('thing mark enum', ['x'])],
  ['a health check that falls back to the key of the document', 'public-health', edit('health security')],
  ['a health check with a key', 'public-health', edit('health security', [{ SubscriptionKey: [] }])],
  ['a health check that is not marked', 'public-health', edit('health x-health')],
  ['a webhook that is not a POST', 'signed-webhooks', edit('webhooks thing', { put: posted })],
  ['a webhook without a signature', 'signed-webhooks', post({ parameters: signed.slice(0, 2) })],
  ['a webhook with an optional signature', 'signed-webhooks', post({ parameters: optional })],
  ['a webhook without a body', 'signed-webhooks', post({ requestBody: undefined })],
  ['a webhook that requires a key', 'signed-webhooks', post({ security: undefined })],
  ['a webhook that cannot be disabled', 'signed-webhooks', post({ responses: { '2XX': posted.responses['2XX'] } })],
  ['a document without jsonSchemaDialect', 'dialect', edit('jsonSchemaDialect')],
  ['an operationId in another case', 'rule/operation-id-in-camel-case', edit('list operationId', 'list-things')],
  ['an invalid example', 'no-invalid-media-type-examples', edit('example data', [{ kind: 'Huge' }])],
  ['an undeclared property', 'no-invalid-media-type-examples', edit('example data', [{ kind: 'Big', colour: 'red' }])],
];

/** Rules of the project have a prefix. */
const toRuleId = (rule: string): string => (/^(rule|no)\b/.test(rule) ? rule : `contract/${rule}`);

/** A deprecated version with its headers in its own responses; its 404s and the 400 of its health are not its own. */
const ending: readonly Edit[] = [
  edit('x-lifecycle', dates),
  ...['list', 'health'].flatMap((one) => [
    edit(`${one} deprecated`, true),
    edit(`${one} responses 404 headers API-Version`),
    ...(one === 'list' ? ['200', '400', '401', '403', '406', '429', '500', '503'] : ['200', '406', '503']).flatMap(
      (status) =>
        ['Deprecation', 'Sunset'].map((header) =>
          edit(`${one} responses ${status} headers ${header}`, { ...text, example: 'true' }),
        ),
    ),
  ]),
  edit('health responses 400', buildErrorResponses('400')['400']),
];

const sound: Readonly<Record<string, readonly Edit[]>> = {
  'sound/v1': [],
  'bare/v1': [edit('media schema', { type: 'array', items: thingSchema.schema }), edit('list x-bare-list', true)],
  'endless/v1': [edit('page required', ['data']), edit('list x-event-stream', true)],
  'hooked/v1': [edit('webhooks thing', { post: posted })],
  'ending/v1': ending,
};

const { folder } = createTemporaryFolder();
const rulesByDocument = new Map<string, ReadonlySet<string>>();

const report = z.object({ problems: z.array(z.object({ ruleId: z.string() })) });

/** Redocly prints one JSON report for each document, one after the other. */
const reportsOf = (stdout: string) => stdout.split(/(?<=^\})(?=\s*\{)/m).map((text) => report.parse(JSON.parse(text)));

beforeAll(async () => {
  const edits = { ...sound, ...Object.fromEntries(faults.map(([, , ...own], index) => [`fault-${index}/v1`, own])) };
  const documents = Object.entries(edits).map(([name, own]) => [name, applyEdits(tinyDocument(), ...own)] as const);
  writeSpec(folder, Object.fromEntries(documents));
  const files = documents.map(([name]) => join(folder, name, 'openapi.yaml'));
  const { stdout } = await runTool('redocly', ['lint', '--format', 'json', ...files]);
  reportsOf(stdout).forEach(({ problems }, index) =>
    rulesByDocument.set(documents[index]?.[0] ?? '', new Set(problems.map(({ ruleId }) => ruleId))),
  );
});

test.each([
  ['a document that conforms to the rules', 'sound/v1', []],
  ['a webhook that conforms to the rules', 'hooked/v1', []],
  ['a deprecated version whose 404 without a lookup has no version and no Sunset header', 'ending/v1', []],
  [
    'a declared bare list, which is not paginated',
    'bare/v1',
    ['no-invalid-media-type-examples', 'no-unused-components'],
  ],
  ['a declared endless list, which is not paginated', 'endless/v1', []],
])('accepts %s', (_, name, others) => {
  expect([...(rulesByDocument.get(name) ?? ['not linted'])]).toEqual(others);
});

test.each(faults.map(([name, rule], index) => ({ name, rule, index })))('reports $name by $rule', ({ rule, index }) => {
  expect([...(rulesByDocument.get(`fault-${index}/v1`) ?? [])]).toContain(toRuleId(rule));
});
