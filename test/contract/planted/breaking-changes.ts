import type { JsonObject } from '../../../src/lib/openapi-document.ts';

type Schema = { [name: string]: unknown };
type ObjectSchema = Schema & { required: string[]; properties: Record<string, Schema> };
type Parameter = { name: string; in: string; required?: boolean; schema: Schema; [name: string]: unknown };
type Response = { description: string; headers?: Record<string, Schema>; content?: Record<string, { schema: Schema }> };

const text = (): Schema => ({ type: 'string' });

/** The search and the creation that each planted change modifies, with parts that a change can refer to. */
const pathBefore = () => {
  const limit: Parameter = { name: 'Limit', in: 'query', schema: { type: 'integer', maximum: 100, default: 50 } };
  const kind: Parameter = { name: 'Kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } };
  const codes: Parameter = { name: 'Codes', in: 'query', explode: false, schema: { type: 'array', items: text() } };
  const must: Parameter = { name: 'Must', in: 'query', required: true, schema: text() };
  const createdResponse: ObjectSchema = {
    type: 'object',
    required: ['id', 'state'],
    properties: {
      id: text(),
      state: { type: 'string', enum: ['on', 'off'] },
      size: { type: 'integer' },
      level: { type: 'integer', maximum: 9 },
      note: text(),
    },
  };
  const body: ObjectSchema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 50 }, size: { type: 'string', enum: ['s', 'm'] }, note: text() },
  };
  const headers: Record<string, Schema> = { ETag: { required: true, schema: text() }, Maybe: { schema: text() } };
  const content = { 'application/json': { schema: createdResponse }, 'text/csv': { schema: text() } };
  const responses: Record<string, Response> = {
    '200': { description: 'It is so.', headers, content },
    '400': { description: 'It failed.' },
  };
  const item: { get: Schema; post?: Schema; put?: Schema } = {
    get: { operationId: 'search', security: [{ key: [] }], parameters: [limit, kind, codes, must], responses },
    post: {
      operationId: 'create',
      requestBody: { required: false, content: { 'application/json': { schema: body } } },
      responses: { '201': { description: 'It is made.' } },
    },
  };
  return {
    item,
    parameters: [limit, kind, codes, must],
    limit,
    kind,
    codes,
    must,
    createdResponse,
    body,
    headers,
    content,
    responses,
  };
};

type Parts = ReturnType<typeof pathBefore>;

/** A change of a document and the rule that it breaks; `undefined` if it does not affect clients. */
export type PlantedChange = {
  readonly name: string;
  readonly rule: string | undefined;
  readonly make: (parts: Parts) => void;
};

const plant = (name: string, rule: string | undefined, make: (parts: Parts) => void): PlantedChange => ({
  name,
  rule,
  make,
});

const parametersOf = ({ item }: Parts): Parameter[] => item.get['parameters'] as Parameter[];

/** Changes that do not affect clients that follow the guides. */
const harmless: readonly PlantedChange[] = [
  plant('a description is rewritten', undefined, ({ item }) => (item.get['description'] = 'Better.')),
  plant(
    'an operation is added',
    undefined,
    ({ item }) => (item.put = { operationId: 'put', responses: { '204': { description: 'Done.' } } }),
  ),
  plant('an operation is deprecated', undefined, ({ item }) => (item.get['deprecated'] = true)),
  plant('an optional parameter is added', undefined, (parts) =>
    parametersOf(parts).push({ name: 'More', in: 'query', schema: text() }),
  ),
  plant('a parameter becomes optional', undefined, ({ must }) => (must.required = false)),
  plant(
    'a parameter accepts another enumerated value',
    undefined,
    ({ kind }) => (kind.schema['enum'] = ['a', 'b', 'c']),
  ),
  plant('a parameter accepts larger numbers', undefined, ({ limit }) => (limit.schema['maximum'] = 500)),
  plant('a default is documented', undefined, ({ kind }) => (kind.schema['default'] = 'a')),
  plant(
    'a property is added to a response',
    undefined,
    ({ createdResponse }) => (createdResponse.properties['more'] = text()),
  ),
  plant('a response property becomes required', undefined, ({ createdResponse }) =>
    createdResponse.required.push('size'),
  ),
  plant(
    'a response property gets another enumerated value',
    undefined,
    ({ createdResponse }) => (createdResponse.properties['state'] = { type: 'string', enum: ['on', 'off', 'idle'] }),
  ),
  plant(
    'a response property loses an enumerated value',
    undefined,
    ({ createdResponse }) => (createdResponse.properties['state'] = { type: 'string', enum: ['on'] }),
  ),
  plant('a response header is added', undefined, ({ headers }) => (headers['Age'] = { schema: text() })),
  plant(
    'an error status is added',
    undefined,
    ({ responses }) => (responses['409'] = { description: 'There are too many.' }),
  ),
  plant('a response media type is added', undefined, ({ content }) =>
    Object.assign(content, { 'text/plain': { schema: text() } }),
  ),
  plant('an optional body property is added', undefined, ({ body }) => (body.properties['more'] = text())),
  plant('a body property becomes optional', undefined, ({ body }) => (body.required = [])),
  plant(
    'a body property accepts longer texts',
    undefined,
    ({ body }) => (body.properties['name'] = { type: 'string', maxLength: 99 }),
  ),
  plant('a key is no longer needed', undefined, ({ item }) => (item.get['security'] = [])),
];

const breaking: readonly PlantedChange[] = [
  plant('an operation is removed', 'operation-removed', ({ item }) => delete item.post),
  plant('an operation has another id', 'operation-id-changed', ({ item }) => (item.get['operationId'] = 'find')),
  plant('a required parameter is added', 'parameter-became-required', (parts) =>
    parametersOf(parts).push({ name: 'More', in: 'query', required: true, schema: text() }),
  ),
  plant('a required header is added', 'parameter-became-required', (parts) =>
    parametersOf(parts).push({ name: 'X-More', in: 'header', required: true, schema: text() }),
  ),
  plant('a parameter becomes required', 'parameter-became-required', ({ kind }) => (kind.required = true)),
  plant('a parameter is removed', 'parameter-removed', (parts) => parametersOf(parts).shift()),
  plant('a parameter is renamed', 'parameter-removed', ({ limit }) => (limit.name = 'Size')),
  plant(
    'the serialization of a list changes',
    'parameter-serialization-changed',
    ({ codes }) => (codes['explode'] = true),
  ),
  plant('a parameter rejects an enumerated value', 'enum-values-removed', ({ kind }) => (kind.schema['enum'] = ['a'])),
  plant(
    'a parameter accepts only smaller numbers',
    'schema-constraint-changed',
    ({ limit }) => (limit.schema['maximum'] = 10),
  ),
  plant('the type of a parameter changes', 'schema-type-changed', ({ must }) => (must.schema = { type: 'integer' })),
  plant(
    'a parameter gets a pattern',
    'schema-constraint-changed',
    ({ must }) => (must.schema = { type: 'string', pattern: '^[A-Z]{3}$' }),
  ),
  plant('a parameter accepts fewer items', 'schema-constraint-changed', ({ codes }) => (codes.schema['maxItems'] = 3)),
  plant('a default changes', 'default-changed', ({ limit }) => (limit.schema['default'] = 10)),
  plant('a default is removed', 'default-changed', ({ limit }) => delete limit.schema['default']),
  plant(
    'a response property is removed',
    'property-removed',
    ({ createdResponse }) => delete createdResponse.properties['note'],
  ),
  plant(
    'a response property becomes optional',
    'required-properties-removed',
    ({ createdResponse }) => (createdResponse.required = ['id']),
  ),
  plant(
    'the type of a response property changes',
    'schema-type-changed',
    ({ createdResponse }) => (createdResponse.properties['size'] = { type: 'number' }),
  ),
  plant(
    'a response property becomes nullable',
    'schema-type-changed',
    ({ createdResponse }) => (createdResponse.properties['note'] = { type: ['string', 'null'] }),
  ),
  plant(
    'a response property allows larger numbers',
    'schema-constraint-changed',
    ({ createdResponse }) => (createdResponse.properties['level'] = { type: 'integer', maximum: 10 }),
  ),
  plant('a response loses its schema', 'schema-removed', ({ content }) =>
    Object.assign(content, { 'application/json': {} }),
  ),
  plant('a response header is removed', 'response-header-removed', ({ headers }) => delete headers['Maybe']),
  plant(
    'a response header becomes optional',
    'header-no-longer-sure',
    ({ headers }) => (headers['ETag'] = { schema: text() }),
  ),
  plant('a declared error status is removed', 'response-removed', ({ responses }) => delete responses['400']),
  plant(
    'another success status is added',
    'success-added',
    ({ responses }) => (responses['202'] = { description: 'Later.' }),
  ),
  plant(
    'a response media type is removed',
    'media-type-removed',
    ({ content }) => delete (content as Partial<typeof content>)['text/csv'],
  ),
  plant('a body becomes required', 'request-body-became-required', ({ item }) =>
    Object.assign(item.post?.['requestBody'] ?? {}, { required: true }),
  ),
  plant('a body property becomes required', 'required-properties-added', ({ body }) => body.required.push('note')),
  plant('a body property is removed', 'body-property-removed', ({ body }) => delete body.properties['note']),
  plant(
    'a body property rejects an enumerated value',
    'enum-values-removed',
    ({ body }) => (body.properties['size'] = { type: 'string', enum: ['s'] }),
  ),
  plant(
    'a body property accepts only shorter texts',
    'schema-constraint-changed',
    ({ body }) => (body.properties['name'] = { type: 'string', maxLength: 9 }),
  ),
  plant(
    'a body rejects additional properties',
    'schema-constraint-changed',
    ({ body }) => (body['additionalProperties'] = false),
  ),
  plant(
    'a body rejects unevaluated properties',
    'schema-constraint-changed',
    ({ body }) => (body['unevaluatedProperties'] = false),
  ),
  plant(
    'another key is required',
    'security-requirement-changed',
    ({ item }) => (item.get['security'] = [{ key: [], other: [] }]),
  ),
];

/** All planted changes. Each is made at a path of its own, so that one comparison covers all of them. */
export const plantedChanges: readonly PlantedChange[] = [...harmless, ...breaking];

export const toPlantedPath = ({ name }: PlantedChange): string => `/${name.replaceAll(' ', '-')}`;

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'Subscription-Key' },
  other: { type: 'http', scheme: 'basic' },
};

const documentOf = (paths: JsonObject, more: JsonObject): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Planted', version: 'v1' },
  servers: [{ url: 'http://localhost:8080' }],
  ...more,
  paths,
  components: { securitySchemes },
});

/**
 * Returns the files of a document before and after all planted changes; `more` has further members, e.g. `webhooks`.
 */
export const plantedDocuments = (more: {
  readonly before: JsonObject;
  readonly after: JsonObject;
}): readonly [string, string] => {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const change of plantedChanges) {
    before[toPlantedPath(change)] = pathBefore().item;
    const parts = pathBefore();
    change.make(parts);
    after[toPlantedPath(change)] = parts.item;
  }
  return [JSON.stringify(documentOf(before, more.before)), JSON.stringify(documentOf(after, more.after))];
};
