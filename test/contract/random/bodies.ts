import fc from 'fast-check';
import { resolveReference, isJsonObject, toList, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { isValidText, createTexts, type ValuePool } from './parameter-values.ts';
import type { ServedDocument } from '../services/served-documents.ts';

const jsonMediaOf = (document: JsonObject, operation: JsonObject): JsonObject => {
  const body = toJsonObject(resolveReference(document, operation['requestBody']));
  return toJsonObject(toJsonObject(body['content'])['application/json']);
};

/** Finds the schema of the JSON body of an operation; undefined when it has no body. */
export const findBodySchema = (
  { contract: { document } }: Pick<ServedDocument, 'contract'>,
  { operation }: OpenApiOperation,
): JsonObject | undefined => {
  const { schema } = jsonMediaOf(document, operation);
  return schema === undefined ? undefined : toJsonObject(resolveReference(document, schema));
};

export const listBodyExamples = (
  { contract: { document } }: ServedDocument,
  { operation }: OpenApiOperation,
): readonly JsonObject[] => {
  const examples = Object.values(toJsonObject(jsonMediaOf(document, operation)['examples']));
  return examples.map((one) => toJsonObject(toJsonObject(resolveReference(document, one))['value']));
};

/** A body that is not JSON: its media type and the examples of the document. */
export type TextBody = {
  readonly mediaType: string;
  readonly examples: readonly string[];
  /** The names of the examples. */
  readonly names: readonly string[];
};

/** Finds the body of an operation whose body is not JSON. */
export const findTextBody = (
  { contract: { document } }: Pick<ServedDocument, 'contract'>,
  { operation }: OpenApiOperation,
): TextBody | undefined => {
  const { content } = toJsonObject(resolveReference(document, operation['requestBody']));
  const [first] = Object.entries(toJsonObject(content)).filter(([mediaType]) => mediaType !== 'application/json');
  if (!first) return undefined;
  const [mediaType, media] = first;
  const named = Object.entries(toJsonObject(toJsonObject(media)['examples']));
  const examples = named.map(([, one]) => String(toJsonObject(resolveReference(document, one))['value']));
  return { mediaType, examples, names: named.map(([name]) => name) };
};

/** Returns the media type of the body of an operation; undefined when it has none. */
export const findBodyType = (served: Pick<ServedDocument, 'contract'>, operation: OpenApiOperation) =>
  findBodySchema(served, operation) ? 'application/json' : findTextBody(served, operation)?.mediaType;

/** Lists the bodies of an operation's examples, as they are sent. */
export const listBodyTexts = (served: ServedDocument, operation: OpenApiOperation): readonly string[] =>
  findTextBody(served, operation)?.examples ?? listBodyExamples(served, operation).map((body) => JSON.stringify(body));

const typesOf = (schema: JsonObject): readonly unknown[] => [schema['type']].flat();

export const listMembers = (
  document: JsonObject,
  schema: JsonObject,
): readonly (readonly [name: string, schema: JsonObject])[] =>
  Object.entries(toJsonObject(schema['properties'])).map(([name, one]) => [
    name,
    toJsonObject(resolveReference(document, one)),
  ]);

const valuesFor = (document: JsonObject, schema: JsonObject, pool: ValuePool): fc.Arbitrary<unknown> => {
  const types = typesOf(schema);
  const createValue = (): fc.Arbitrary<unknown> => {
    if (types.includes('object')) return createObjects(document, schema, pool);
    const texts = createTexts(schema, { examples: [], pool, isItem: false });
    if (types.includes('integer') || types.includes('number')) return texts.map(Number);
    return types.includes('boolean') ? texts.map((text) => text === 'true') : texts;
  };
  return types.includes('null')
    ? fc.oneof({ weight: 5, arbitrary: createValue() }, { weight: 1, arbitrary: fc.constant(null) })
    : createValue();
};

/** Creates objects that are valid for a schema, with any subset of the optional properties. */
export const createObjects = (document: JsonObject, schema: JsonObject, pool: ValuePool): fc.Arbitrary<JsonObject> => {
  const members = listMembers(document, schema);
  const values = Object.fromEntries(members.map(([name, one]) => [name, valuesFor(document, one, pool)]));
  const required = toList(schema['required']).map(String);
  // Independent choices would mostly include about half of the properties, and rarely only a few.
  return fc
    .tuple(fc.record(values), fc.array(fc.nat({ max: 5 }), { minLength: members.length, maxLength: members.length }))
    .map(([all, dice]) =>
      Object.fromEntries(
        Object.entries(all).filter(([name], index) => required.includes(name) || (dice[index] ?? 0) < 2),
      ),
    );
};

/** Flattens a body to texts by property path, e.g. `header.name`, without nulls. */
export const flattenToTexts = (body: JsonObject, before = ''): readonly (readonly [name: string, text: string])[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (value === null) return [];
    if (isJsonObject(value)) return flattenToTexts(value, `${before}${name}.`);
    return [[`${before}${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });

const isAllowed = (schema: JsonObject, value: unknown): boolean => {
  const types = typesOf(schema);
  if (value === null) return types.includes('null');
  if (typeof value === 'string') return types.includes('string') && !value.includes('\0') && isValidText(schema, value);
  if (typeof value === 'boolean') return types.includes('boolean');
  if (typeof value === 'number')
    return types.includes('integer') && Number.isInteger(value) && isValidText(schema, String(value));
  return isJsonObject(value) && types.includes('object');
};

const unusualTexts = ['yes', '', 'true', '1', '\u0000', 'x'.repeat(5000)];
const unusualValues = [...unusualTexts, null, true, 0.5, -1, 1e9, 1e300, [], ['x'], {}, { x: 1 }];

/** A change that makes one property invalid or removes a required one. */
type InvalidMember = { readonly name: string; readonly invalidate: (body: JsonObject) => JsonObject };

export const createInvalidMembers = (
  document: JsonObject,
  schema: JsonObject,
): readonly fc.Arbitrary<InvalidMember>[] => {
  const missing = toList(schema['required']).map((one) => {
    const name = String(one);
    return fc.constant({ name, invalidate: ({ [name]: _, ...body }: JsonObject): JsonObject => body });
  });
  const invalid = listMembers(document, schema).flatMap(([name, member]) => {
    const values = unusualValues.filter((value) => !isAllowed(member, value));
    const own = fc
      .constantFrom(...values)
      .map((value) => ({ name, invalidate: (body: JsonObject) => ({ ...body, [name]: value }) }));
    // Without such an object in the body, a valid one is created and made invalid.
    const inner = createInvalidMembers(document, member).map((one) =>
      fc.tuple(one, createObjects(document, member, [])).map(([innerMember, validMember]) => ({
        name: `${name}.${innerMember.name}`,
        invalidate: (body: JsonObject) => ({
          ...body,
          [name]: innerMember.invalidate(isJsonObject(body[name]) ? toJsonObject(body[name]) : validMember),
        }),
      })),
    );
    return [own, ...inner];
  });
  return [...missing, ...invalid];
};
