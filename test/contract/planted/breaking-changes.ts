import type { JsonObject } from '../../../src/lib/openapi-document.ts';

type Schema = { [name: string]: unknown };
type ObjectSchema = Schema & { required: string[]; properties: Record<string, Schema> };
type Parameter = { name: string; in: string; required?: boolean; schema: Schema; [name: string]: unknown };
type Response = { description: string; headers?: Record<string, Schema>; content?: Record<string, { schema: Schema }> };

const text = (): Schema => ({ type: 'string' });

/** What each planted change is made to: a search and a creation, with parts that a change can be made to by name. */
const pathBefore = () => {
  const limit: Parameter = { name: 'Limit', in: 'query', schema: { type: 'integer', maximum: 100, default: 50 } };
  const kind: Parameter = { name: 'Kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } };
  const codes: Parameter = { name: 'Codes', in: 'query', explode: false, schema: { type: 'array', items: text() } };
  const must: Parameter = { name: 'Must', in: 'query', required: true, schema: text() };
  const answer: ObjectSchema = {
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
  const content = { 'application/json': { schema: answer }, 'text/csv': { schema: text() } };
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
    answer,
    body,
    headers,
    content,
    responses,
  };
};

type Parts = ReturnType<typeof pathBefore>;

/** One change of a document, and the rule that it breaks; `undefined` when subscribers do not notice it. */
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

/** Changes that subscribers who do what the guides say do not notice. */
const harmless: readonly PlantedChange[] = [
  plant('a description is written anew', undefined, ({ item }) => (item.get['description'] = 'Better.')),
  plant(
    'an operation is added',
    undefined,
    ({ item }) => (item.put = { operationId: 'put', responses: { '204': { description: 'Done.' } } }),
  ),
  plant('an operation is deprecated', undefined, ({ item }) => (item.get['deprecated'] = true)),
  plant('a parameter that may be left out is added', undefined, (parts) =>
    parametersOf(parts).push({ name: 'More', in: 'query', schema: text() }),
  ),
  plant('a parameter may be left out now', undefined, ({ must }) => (must.required = false)),
  plant('a parameter takes one more value', undefined, ({ kind }) => (kind.schema['enum'] = ['a', 'b', 'c'])),
  plant('a parameter takes larger numbers', undefined, ({ limit }) => (limit.schema['maximum'] = 500)),
  plant('a default is written down', undefined, ({ kind }) => (kind.schema['default'] = 'a')),
  plant('a property is added to a response', undefined, ({ answer }) => (answer.properties['more'] = text())),
  plant('a property of a response is always there now', undefined, ({ answer }) => answer.required.push('size')),
  plant(
    'a property of a response has a new value',
    undefined,
    ({ answer }) => (answer.properties['state'] = { type: 'string', enum: ['on', 'off', 'idle'] }),
  ),
  plant(
    'a property of a response never has a value any more',
    undefined,
    ({ answer }) => (answer.properties['state'] = { type: 'string', enum: ['on'] }),
  ),
  plant('a response header is added', undefined, ({ headers }) => (headers['Age'] = { schema: text() })),
  plant(
    'a status of failure is added',
    undefined,
    ({ responses }) => (responses['409'] = { description: 'There are too many.' }),
  ),
  plant('a form of the response is added', undefined, ({ content }) =>
    Object.assign(content, { 'text/plain': { schema: text() } }),
  ),
  plant(
    'a property that may be left out is added to a body',
    undefined,
    ({ body }) => (body.properties['more'] = text()),
  ),
  plant('a property of a body may be left out now', undefined, ({ body }) => (body.required = [])),
  plant(
    'a property of a body takes longer texts',
    undefined,
    ({ body }) => (body.properties['name'] = { type: 'string', maxLength: 99 }),
  ),
  plant('a key is no longer needed', undefined, ({ item }) => (item.get['security'] = [])),
];

const breaking: readonly PlantedChange[] = [
  plant('an operation is removed', 'operation-removed', ({ item }) => delete item.post),
  plant('an operation has another id', 'operation-id-changed', ({ item }) => (item.get['operationId'] = 'find')),
  plant('a parameter that must be sent is added', 'parameter-became-required', (parts) =>
    parametersOf(parts).push({ name: 'More', in: 'query', required: true, schema: text() }),
  ),
  plant('a header that must be sent is added', 'parameter-became-required', (parts) =>
    parametersOf(parts).push({ name: 'X-More', in: 'header', required: true, schema: text() }),
  ),
  plant('a parameter must be sent now', 'parameter-became-required', ({ kind }) => (kind.required = true)),
  plant('a parameter is removed', 'parameter-removed', (parts) => parametersOf(parts).shift()),
  plant('a parameter is renamed', 'parameter-removed', ({ limit }) => (limit.name = 'Size')),
  plant(
    'a list is written in another way',
    'parameter-serialization-changed',
    ({ codes }) => (codes['explode'] = true),
  ),
  plant('a parameter takes a value less', 'enum-values-removed', ({ kind }) => (kind.schema['enum'] = ['a'])),
  plant(
    'a parameter takes only smaller numbers',
    'schema-constraint-changed',
    ({ limit }) => (limit.schema['maximum'] = 10),
  ),
  plant('a parameter is of another type', 'schema-type-changed', ({ must }) => (must.schema = { type: 'integer' })),
  plant(
    'a parameter has to fit a pattern',
    'schema-constraint-changed',
    ({ must }) => (must.schema = { type: 'string', pattern: '^[A-Z]{3}$' }),
  ),
  plant('a parameter takes fewer items', 'schema-constraint-changed', ({ codes }) => (codes.schema['maxItems'] = 3)),
  plant('a default is another one', 'default-changed', ({ limit }) => (limit.schema['default'] = 10)),
  plant('a default is gone', 'default-changed', ({ limit }) => delete limit.schema['default']),
  plant('a property of a response is removed', 'property-removed', ({ answer }) => delete answer.properties['note']),
  plant(
    'a property of a response may be absent now',
    'required-properties-removed',
    ({ answer }) => (answer.required = ['id']),
  ),
  plant(
    'a property of a response is of another type',
    'schema-type-changed',
    ({ answer }) => (answer.properties['size'] = { type: 'number' }),
  ),
  plant(
    'a property of a response can be null',
    'schema-type-changed',
    ({ answer }) => (answer.properties['note'] = { type: ['string', 'null'] }),
  ),
  plant(
    'a property of a response has larger numbers',
    'schema-constraint-changed',
    ({ answer }) => (answer.properties['level'] = { type: 'integer', maximum: 10 }),
  ),
  plant('a response can be anything', 'schema-removed', ({ content }) =>
    Object.assign(content, { 'application/json': {} }),
  ),
  plant('a response header is removed', 'response-header-removed', ({ headers }) => delete headers['Maybe']),
  plant(
    'a response header may be absent now',
    'header-no-longer-sure',
    ({ headers }) => (headers['ETag'] = { schema: text() }),
  ),
  plant('a declared failure is removed', 'response-removed', ({ responses }) => delete responses['400']),
  plant(
    'another status of success is added',
    'success-added',
    ({ responses }) => (responses['202'] = { description: 'Later.' }),
  ),
  plant(
    'a form of the response is removed',
    'media-type-removed',
    ({ content }) => delete (content as Partial<typeof content>)['text/csv'],
  ),
  plant('a body must be sent now', 'request-body-became-required', ({ item }) =>
    Object.assign(item.post?.['requestBody'] ?? {}, { required: true }),
  ),
  plant('a property must be in the body now', 'required-properties-added', ({ body }) => body.required.push('note')),
  plant(
    'a property is no longer read in a body',
    'body-property-removed',
    ({ body }) => delete body.properties['note'],
  ),
  plant(
    'a body takes a value less',
    'enum-values-removed',
    ({ body }) => (body.properties['size'] = { type: 'string', enum: ['s'] }),
  ),
  plant(
    'a property of a body takes only shorter texts',
    'schema-constraint-changed',
    ({ body }) => (body.properties['name'] = { type: 'string', maxLength: 9 }),
  ),
  plant(
    'a body may hold nothing but what is known',
    'schema-constraint-changed',
    ({ body }) => (body['additionalProperties'] = false),
  ),
  plant(
    'a body may hold nothing unevaluated',
    'schema-constraint-changed',
    ({ body }) => (body['unevaluatedProperties'] = false),
  ),
  plant(
    'another key is needed',
    'security-requirement-changed',
    ({ item }) => (item.get['security'] = [{ key: [], other: [] }]),
  ),
];

/** Every planted change; each is made at a path of its own, so that one comparison judges all of them. */
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

/** A document, before and after every planted change at once, as files hold them; `more` are further members, e.g. `webhooks`. */
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
