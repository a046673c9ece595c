import { toJsonObject, type JsonObject } from '../../../src/lib/openapi-document.ts';

/**
 * A change of a document, the rule that it breaks (`undefined` if it does not affect clients), the location, and the new
 * value there; `undefined` removes it.
 */
export type PlantedChange = readonly [name: string, rule: string | undefined, location: string, value: unknown];

const text = { type: 'string' };

/** The search, the creation and the health check that each planted change modifies. */
const before = {
  get: {
    operationId: 'search',
    security: [{ key: [] }],
    parameters: [
      { name: 'Limit', in: 'query', schema: { type: 'integer', maximum: 100, default: 50 } },
      { name: 'Kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } },
      { name: 'Codes', in: 'query', explode: false, schema: { type: 'array', items: text } },
      { name: 'Must', in: 'query', required: true, schema: text },
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
            },
          },
        },
      },
    },
    responses: { '201': { description: 'It is made.' } },
  },
  delete: { operationId: 'open', security: [], responses: { '204': { description: 'Done.' } } },
};

/** Short names of locations. */
const places: Readonly<Record<string, string>> = {
  limit: 'get parameters 0',
  kind: 'get parameters 1',
  codes: 'get parameters 2',
  must: 'get parameters 3',
  responses: 'get responses',
  ok: 'get responses 200',
  created: 'get responses 200 content application/json schema',
  body: 'post requestBody content application/json schema',
};

const put = { operationId: 'put', responses: { '204': { description: 'Done.' } } };
const later = { description: 'Later.' };
const more = { name: 'More', in: 'query', schema: text };
const otherKey = [{ key: [], other: [] }];

/** All planted changes. Each is made at a path of its own, so that one comparison covers all of them. */
export const plantedChanges: readonly PlantedChange[] = [
  ['a description is rewritten', undefined, 'get description', 'Better.'],
  ['an operation is added', undefined, 'put', put],
  ['an operation is deprecated', undefined, 'get deprecated', true],
  ['an optional parameter is added', undefined, 'get parameters 4', more],
  ['a parameter becomes optional', undefined, 'must required', false],
  ['a parameter accepts another enumerated value', undefined, 'kind schema enum', ['a', 'b', 'c']],
  ['a parameter accepts larger numbers', undefined, 'limit schema maximum', 500],
  ['a default is documented', undefined, 'kind schema default', 'a'],
  ['a property is added to a response', undefined, 'created properties more', text],
  ['a response property becomes required', undefined, 'created required', ['id', 'state', 'size']],
  ['a response property gets another enumerated value', undefined, 'created properties state enum', ['on', 'off', 'x']],
  ['a response property loses an enumerated value', undefined, 'created properties state enum', ['on']],
  ['a response header is added', undefined, 'ok headers Age', { schema: text }],
  ['an error status is added', undefined, 'responses 409', later],
  ['a response media type is added', undefined, 'ok content text/plain', { schema: text }],
  ['an optional body property is added', undefined, 'body properties more', text],
  ['a body property becomes optional', undefined, 'body required', []],
  ['a body property accepts longer texts', undefined, 'body properties name maxLength', 99],
  ['a key is no longer needed', undefined, 'get security', []],
  ['an operation is removed', 'operation-removed', 'post', undefined],
  ['an operation has another id', 'operation-id-changed', 'get operationId', 'find'],
  ['a required parameter is added', 'parameter-became-required', 'get parameters 4', { ...more, required: true }],
  [
    'a required header is added',
    'parameter-became-required',
    'get parameters 4',
    { ...more, in: 'header', required: true },
  ],
  ['a parameter becomes required', 'parameter-became-required', 'kind required', true],
  ['a parameter is removed', 'parameter-removed', 'limit', undefined],
  ['a parameter is renamed', 'parameter-removed', 'limit name', 'Size'],
  ['the serialization of a list changes', 'parameter-serialization-changed', 'codes explode', true],
  ['a parameter rejects an enumerated value', 'enum-values-removed', 'kind schema enum', ['a']],
  ['a parameter accepts only smaller numbers', 'schema-constraint-changed', 'limit schema maximum', 10],
  ['the type of a parameter changes', 'schema-type-changed', 'must schema type', 'integer'],
  ['a parameter gets a pattern', 'schema-constraint-changed', 'must schema pattern', '^[A-Z]{3}$'],
  ['a parameter accepts fewer items', 'schema-constraint-changed', 'codes schema maxItems', 3],
  ['a default changes', 'default-changed', 'limit schema default', 10],
  ['a default is removed', 'default-changed', 'limit schema default', undefined],
  ['a response property is removed', 'property-removed', 'created properties note', undefined],
  ['a response property becomes optional', 'required-properties-removed', 'created required', ['id']],
  ['the type of a response property changes', 'schema-type-changed', 'created properties size type', 'number'],
  ['a response property becomes nullable', 'schema-type-changed', 'created properties note type', ['string', 'null']],
  ['a response property allows larger numbers', 'schema-constraint-changed', 'created properties level maximum', 10],
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
  ['a body property accepts only shorter texts', 'schema-constraint-changed', 'body properties name maxLength', 9],
  ['a body rejects additional properties', 'schema-constraint-changed', 'body additionalProperties', false],
  ['a body rejects unevaluated properties', 'schema-constraint-changed', 'body unevaluatedProperties', false],
  ['another key is required', 'security-requirement-changed', 'get security', otherKey],
  ['a public operation requires a key', 'security-requirement-changed', 'delete security', otherKey],
  ['a public operation falls back to the key of the document', 'key-required', 'delete security', undefined],
];

/** Returns a copy of a node with another value at a path. */
const setAt = (node: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown => {
  if (Array.isArray(node)) {
    const all: readonly unknown[] = node;
    const index = Number(key);
    const items = [
      ...all.slice(0, index),
      rest.length > 0 ? setAt(all[index], rest, value) : value,
      ...all.slice(index + 1),
    ];
    return items.filter((one) => one !== undefined);
  }
  const { [key]: child, ...others } = toJsonObject(node);
  const changed = rest.length > 0 ? setAt(child, rest, value) : value;
  return changed === undefined ? others : { ...toJsonObject(node), [key]: changed };
};

const apply = ([, , location, value]: PlantedChange): unknown => {
  const [place = '', ...rest] = location.split(' ');
  return setAt(before, [...(places[place] ?? place).split(' '), ...rest], value);
};

export const toPlantedPath = ([name]: PlantedChange): string => `/${name.replaceAll(' ', '-')}`;

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'Subscription-Key' },
  other: { type: 'http', scheme: 'basic' },
};

const documentOf = (paths: JsonObject, extra: JsonObject): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Planted', version: 'v1' },
    servers: [{ url: 'http://localhost:8080' }],
    security: [{ key: [] }],
    ...extra,
    paths,
    components: { securitySchemes },
  });

/**
 * Returns the files of a document before and after all planted changes, with further members, e.g. `webhooks`.
 */
export const plantedDocuments = (extra: {
  readonly before: JsonObject;
  readonly after: JsonObject;
}): readonly [string, string] => [
  documentOf(Object.fromEntries(plantedChanges.map((one) => [toPlantedPath(one), before])), extra.before),
  documentOf(Object.fromEntries(plantedChanges.map((one) => [toPlantedPath(one), apply(one)])), extra.after),
];
