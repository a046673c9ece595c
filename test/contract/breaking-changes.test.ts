import { beforeAll, describe, expect, test } from 'vitest';
import { findBreakingChanges } from '#contract/breaking-changes.ts';
import { diffDocuments, type DocumentChange } from '#contract/diff-documents.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { applyEdits, createEdit } from './tiny-spec.ts';
import type { JsonObject } from '#lib/openapi-document.ts';
import { escapePointer } from './find-schemas.ts';

const { write: put } = createTemporaryFolder();

const text = { type: 'string' };
const header = (name: string, required: boolean): JsonObject => ({ name, in: 'header', required, schema: text });
/** A change: its name, the rule it breaks (`undefined` for none), the location, and the new value; `undefined` removes it. */
type PlantedChange = readonly [name: string, rule: string | undefined, location: string, value: unknown];

/** The search, the creation and the health check that each planted change modifies. */
const planted = {
  get: {
    operationId: 'search',
    security: [{ key: [] }],
    parameters: [
      { name: 'Limit', in: 'query', schema: { type: 'integer', maximum: 100, default: 50 } },
      { name: 'Kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } },
      { name: 'Codes', in: 'query', explode: false, schema: { type: 'array', items: text } },
      { name: 'Must', in: 'query', required: true, schema: text },
      { name: 'Code', in: 'query', schema: { type: 'string', pattern: '^[A-Z]{2}$' } },
    ],
    responses: {
      '200': {
        description: 'It is so.',
        headers: { ETag: { required: true, schema: text }, Maybe: { schema: text } },
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['id', 'state'],
              properties: {
                id: text,
                state: { type: 'string', enum: ['on', 'off'] },
                size: { type: 'integer' },
                level: { type: 'integer', maximum: 9 },
                note: text,
              },
            },
          },
          'text/csv': { schema: text },
        },
      },
      '400': { description: 'It failed.' },
    },
  },
  post: {
    operationId: 'create',
    requestBody: {
      required: false,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', maxLength: 50 },
              size: { type: 'string', enum: ['s', 'm'] },
              note: text,
              label: text,
              count: { type: 'integer' },
            },
          },
        },
      },
    },
    responses: { '201': { description: 'It is made.' } },
  },
  delete: { operationId: 'open', security: [], responses: { '204': { description: 'Done.' } } },
};

const edit = createEdit({
  code: 'get parameters 4',
  limit: 'get parameters 0',
  kind: 'get parameters 1',
  codes: 'get parameters 2',
  must: 'get parameters 3',
  responses: 'get responses',
  ok: 'get responses 200',
  created: 'get responses 200 content application/json schema',
  body: 'post requestBody content application/json schema',
});

const added = { operationId: 'put', responses: { '204': { description: 'Done.' } } };
const later = { description: 'Later.' };
const more = { name: 'More', in: 'query', schema: text };
const otherKey = [{ key: [], other: [] }];

/** All planted changes. Each is made at a path of its own, so that one comparison covers all of them. */
const plantedChanges: readonly PlantedChange[] = [
  ['a description is rewritten', undefined, 'get description', 'Better.'],
  ['an operation is added', undefined, 'put', added],
  ['an optional parameter is added', undefined, 'get parameters 5', more],
  ['a parameter becomes optional', undefined, 'must required', false],
  ['a parameter accepts another enumerated value', undefined, 'kind schema enum', ['a', 'b', 'c']],
  ['a parameter accepts another pattern too', undefined, 'code schema pattern', '^([A-Z]{2}|[A-Z]{3})$'],
  [
    'a parameter accepts another pattern instead',
    'schema-constraint-changed',
    'code schema pattern',
    '^([A-Z]{3}|[A-Z])$',
  ],
  ['a default is documented', undefined, 'kind schema default', 'a'],
  ['a property is added to a response', undefined, 'created properties more', text],
  ['a response property gets another enumerated value', undefined, 'created properties state enum', ['on', 'off', 'x']],
  ['a response header is added', undefined, 'ok headers Age', { schema: text }],
  ['an error status is added', undefined, 'responses 409', later],
  ['a response media type is added', undefined, 'ok content text/plain', { schema: text }],
  ['an optional body property is added', undefined, 'body properties more', text],
  [
    'a number is also accepted as text',
    undefined,
    'body properties count',
    { type: ['integer', 'string'], pattern: '^1$' },
  ],
  ['a key is no longer needed', undefined, 'get security', []],
  ['a parameter documents the limit of the server', undefined, 'must schema maxLength', 16_384],
  ['a list documents the limit of the server', undefined, 'codes schema maxItems', 8192],
  ['a parameter gets a tighter limit', 'schema-constraint-changed', 'must schema maxLength', 16_383],
  ['a list gets a tighter limit', 'schema-constraint-changed', 'codes schema maxItems', 8191],
  ['a body property gets a limit', 'schema-constraint-changed', 'body properties note maxLength', 2_000_000],
  ['a text gets a pattern', 'schema-constraint-changed', 'body properties label pattern', '^1$'],
  ['an operation is removed', 'operation-removed', 'post', undefined],
  ['an operation has another id', 'operation-id-changed', 'get operationId', 'find'],
  ['a required parameter is added', 'parameter-became-required', 'get parameters 5', { ...more, required: true }],
  ['a parameter becomes required', 'parameter-became-required', 'kind required', true],
  ['a parameter is removed', 'parameter-removed', 'limit', undefined],
  ['the serialization of a list changes', 'parameter-serialization-changed', 'codes explode', true],
  ['a parameter rejects an enumerated value', 'enum-values-removed', 'kind schema enum', ['a']],
  ['a parameter accepts only smaller numbers', 'schema-constraint-changed', 'limit schema maximum', 10],
  ['the type of a parameter changes', 'schema-type-changed', 'must schema type', 'integer'],
  ['a default changes', 'default-changed', 'limit schema default', 10],
  ['a response property is removed', 'property-removed', 'created properties note', undefined],
  ['a response property becomes optional', 'required-properties-removed', 'created required', ['id']],
  ['the type of a response property changes', 'schema-type-changed', 'created properties size type', 'number'],
  ['a response loses its schema', 'schema-removed', 'created', undefined],
  ['a response header is removed', 'response-header-removed', 'ok headers Maybe', undefined],
  ['a response header becomes optional', 'header-no-longer-sure', 'ok headers ETag required', undefined],
  ['a declared error status is removed', 'response-removed', 'responses 400', undefined],
  ['another success status is added', 'success-added', 'responses 202', later],
  ['a response media type is removed', 'media-type-removed', 'ok content text/csv', undefined],
  ['a body becomes required', 'request-body-became-required', 'post requestBody required', true],
  ['a body property becomes required', 'required-properties-added', 'body required', ['name', 'note']],
  ['a body property is removed', 'body-property-removed', 'body properties note', undefined],
  ['a body property rejects an enumerated value', 'enum-values-removed', 'body properties size enum', ['s']],
  ['a body rejects additional properties', 'schema-constraint-changed', 'body additionalProperties', false],
  ['another key is required', 'security-requirement-changed', 'get security', otherKey],
  ['a public operation requires a key', 'security-requirement-changed', 'delete security', otherKey],
  ['a public operation falls back to the key of the document', 'key-required', 'delete security', undefined],
];

const apply = ([, , location, value]: PlantedChange): unknown => applyEdits(planted, edit(location, value));

const toPlantedPath = ([name]: PlantedChange): string => `/${name.replaceAll(' ', '-')}`;

const plantedDocument = (toItem: (change: PlantedChange) => unknown, extra: JsonObject): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Planted', version: 'v1' },
    servers: [{ url: 'http://localhost:8080' }],
    security: [{ key: [] }],
    ...extra,
    paths: Object.fromEntries(plantedChanges.map((one) => [toPlantedPath(one), toItem(one)])),
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'Subscription-Key' },
        other: { type: 'http', scheme: 'basic' },
      },
    },
  });

const id = header('webhook-id', true);
const time = header('webhook-timestamp', true);
const taken = { '204': { description: 'Taken.' } };
const takenUp = { '202': { description: 'Taken up.' } };

const hook = (
  properties: JsonObject,
  required: readonly string[],
  parameters: readonly JsonObject[] = [],
): JsonObject => ({
  post: {
    parameters,
    requestBody: { content: { 'application/json': { schema: { type: 'object', required, properties } } } },
    responses: taken,
  },
});

const kind = (...values: readonly string[]): JsonObject => ({ type: 'string', enum: values });

type Hook = JsonObject | undefined;

/** Webhooks before and after a change, and the rules that it violates. */
const hooks: readonly (readonly [name: string, before: Hook, after: Hook, rules: readonly string[]])[] = [
  ['valueAdded', hook({ kind: kind('a') }, []), hook({ kind: kind('a', 'b') }, []), []],
  ['propertyAdded', hook({ id: text }, ['id']), hook({ id: text, more: text }, ['id', 'more']), []],
  ['propertyRemoved', hook({ id: text, note: text }, ['id']), hook({ id: text }, ['id']), ['property-removed']],
  ['maybeAbsent', hook({ id: text }, ['id']), hook({ id: text }, []), ['required-properties-removed']],
  ['gone', hook({ name: { type: 'number' } }, []), undefined, ['path-removed']],
  ['headerAdded', hook({}, [], [id]), hook({}, [], [id, time]), []],
  ['headerRemoved', hook({}, [], [id, time]), hook({}, [], [id]), ['event-header-removed']],
  ['headerMaybeAbsent', hook({}, [], [id]), hook({}, [], [header('webhook-id', false)]), ['header-no-longer-sure']],
  ['answerAdded', { post: { responses: taken } }, { post: { responses: { ...taken, ...takenUp } } }, []],
];

const otherLocations: readonly (readonly [string, readonly string[]])[] = [
  ...hooks.map(([name, , , rules]) => [`#/webhooks/${name}`, rules] as const),
  ['#/x-lifecycle', ['alias-removed', 'sunset-earlier']],
];

const webhooksOf = (which: 1 | 2): JsonObject =>
  Object.fromEntries(hooks.flatMap((row) => (row[which] === undefined ? [] : [[row[0], row[which]]])));

const lifecycle = { releasedOn: '2024-04-15', sunsetOn: '2027-04-15', aliases: ['1.0'] };
const before = { 'x-lifecycle': lifecycle, webhooks: webhooksOf(1) };
const after = { 'x-lifecycle': { ...lifecycle, sunsetOn: '2027-04-14', aliases: ['1'] }, webhooks: webhooksOf(2) };

describe('planted changes', () => {
  let changes: readonly DocumentChange[] = [];
  beforeAll(async () => {
    const [old, fresh] = [plantedDocument(() => planted, before), plantedDocument(apply, after)];
    changes = await diffDocuments(put('old.json', old), put('fresh.json', fresh));
  });

  const isWithin = (pointer: string) => (change: DocumentChange) =>
    change.path === pointer || change.path.startsWith(`${pointer}/`);
  const rulesAt = (pointer: string): readonly string[] => [
    ...new Set(findBreakingChanges(changes.filter(isWithin(pointer))).map(({ rule }) => rule)),
  ];

  test.each(plantedChanges)('%s: %s', (...planted) => {
    const pointer = `#/paths/${escapePointer(toPlantedPath(planted))}`;
    expect(changes.filter(isWithin(pointer)).length).toBeGreaterThan(0);
    expect(rulesAt(pointer)).toEqual(planted[1] === undefined ? [] : [planted[1]]);
  });

  test.each(otherLocations)('at %s: %j', (pointer, rules) => {
    expect(changes.filter(isWithin(pointer)).length).toBeGreaterThan(0);
    expect(rulesAt(pointer)).toEqual(rules);
  });
});

describe('channels', () => {
  type MessageOptions = { readonly properties: JsonObject; readonly headers?: JsonObject; readonly operation?: string };
  const channels = (name: string, { properties, headers, operation = 'receiveEvents' }: MessageOptions): string =>
    put(
      `channels-${name}.json`,
      JSON.stringify({
        asyncapi: '3.0.0',
        info: { title: 'Birds', version: 'v1' },
        channels: {
          events: {
            address: 'events',
            messages: { sighting: { headers, payload: { type: 'object', properties, required: ['id'] } } },
          },
        },
        operations: { [operation]: { action: 'receive', channel: { $ref: '#/channels/events' } } },
      }),
    );
  const rulesOf = async (...files: readonly [string, string]): Promise<readonly string[]> =>
    findBreakingChanges(await diffDocuments(...files)).map(({ rule }) => rule);

  test('may add properties', async () => {
    const fresh = channels('b', { properties: { id: text, note: text } });
    expect(await rulesOf(channels('a', { properties: { id: text } }), fresh)).toEqual([]);
  });

  test('may not remove properties or rename operations', async () => {
    const headers = { type: 'object', properties: { Position: text } };
    const old = channels('c', { properties: { id: text, note: text }, headers });
    const fresh = channels('d', { properties: { id: text }, operation: 'takeEvents' });
    expect(await rulesOf(old, fresh)).toEqual(['schema-removed', 'property-removed', 'operation-renamed']);
  });
});
