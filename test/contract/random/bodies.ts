import fc from 'fast-check';
import {
  resolveReference,
  isJsonObject,
  toList,
  toJsonObject,
  type JsonObject,
  type OpenApiOperation,
} from '../../../src/lib/openapi-document.ts';
import { isValidText, createTexts, type ValuePool } from './parameter-values.ts';
import type { ServedDocument } from '../services/served-documents.ts';

/** The schema of the JSON body that an operation takes; undefined where it takes none. */
export const findBodySchema = (
  { contract: { document } }: Pick<ServedDocument, 'contract'>,
  { operation }: OpenApiOperation,
): JsonObject | undefined => {
  const body = toJsonObject(resolveReference(document, operation['requestBody']));
  const { schema } = toJsonObject(toJsonObject(body['content'])['application/json']);
  return schema === undefined ? undefined : toJsonObject(resolveReference(document, schema));
};

/** The bodies that a document shows for an operation. */
export const listBodyExamples = (
  { contract: { document } }: ServedDocument,
  { operation }: OpenApiOperation,
): readonly JsonObject[] => {
  const body = toJsonObject(resolveReference(document, operation['requestBody']));
  const media = toJsonObject(toJsonObject(body['content'])['application/json']);
  return Object.values(toJsonObject(media['examples'])).map((one) =>
    toJsonObject(toJsonObject(resolveReference(document, one))['value']),
  );
};

const typesOf = (schema: JsonObject): readonly unknown[] => [schema['type']].flat();

/** The members of an object schema, dereferenced. */
const membersOf = (
  document: JsonObject,
  schema: JsonObject,
): readonly (readonly [name: string, schema: JsonObject])[] =>
  Object.entries(toJsonObject(schema['properties'])).map(([name, one]) => [
    name,
    toJsonObject(resolveReference(document, one)),
  ]);

/** Values that a schema allows. */
const valuesFor = (document: JsonObject, schema: JsonObject, pool: ValuePool): fc.Arbitrary<unknown> => {
  const types = typesOf(schema);
  const told = (): fc.Arbitrary<unknown> => {
    if (types.includes('object')) return createObjects(document, schema, pool);
    const texts = createTexts(schema, { examples: [], pool, isItem: false });
    if (types.includes('integer') || types.includes('number')) return texts.map(Number);
    return types.includes('boolean') ? texts.map((text) => text === 'true') : texts;
  };
  return types.includes('null')
    ? fc.oneof({ weight: 5, arbitrary: told() }, { weight: 1, arbitrary: fc.constant(null) })
    : told();
};

/** Objects that a schema allows, with any of the members that can be left out. */
export const createObjects = (document: JsonObject, schema: JsonObject, pool: ValuePool): fc.Arbitrary<JsonObject> => {
  const members = membersOf(document, schema);
  const values = Object.fromEntries(members.map(([name, one]) => [name, valuesFor(document, one, pool)]));
  const required = toList(schema['required']).map(String);
  // As many as there are would most often be there at once, and seldom few.
  return fc
    .tuple(fc.record(values), fc.array(fc.nat({ max: 5 }), { minLength: members.length, maxLength: members.length }))
    .map(([all, dice]) =>
      Object.fromEntries(
        Object.entries(all).filter(([name], index) => required.includes(name) || (dice[index] ?? 0) < 2),
      ),
    );
};

/** The members of a body as texts by their names, those of members with a dot between; nulls are left out. */
export const flattenToTexts = (body: JsonObject, before = ''): readonly (readonly [name: string, text: string])[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (value === null) return [];
    if (isJsonObject(value)) return flattenToTexts(value, `${before}${name}.`);
    return [[`${before}${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });

const isAllowed = (schema: JsonObject, value: unknown): boolean => {
  const types = typesOf(schema);
  if (value === null) return types.includes('null');
  if (typeof value === 'string') return types.includes('string') && isValidText(schema, value);
  if (typeof value === 'boolean') return types.includes('boolean');
  if (typeof value === 'number')
    return types.includes('integer') && Number.isInteger(value) && isValidText(schema, String(value));
  return isJsonObject(value) && types.includes('object');
};

const strange = [
  null,
  true,
  'yes',
  '',
  'true',
  '1',
  '\u0000',
  'x'.repeat(5000),
  0.5,
  -1,
  1e9,
  1e300,
  [],
  ['x'],
  {},
  { x: 1 },
];

/** Objects in which one member is not as the schema has it, or is missing, with the name of that member. */
export type InvalidMember = { readonly name: string; readonly spoil: (body: JsonObject) => JsonObject };

/** Every way in which one member of an object can be wrong. */
export const createInvalidMembers = (
  document: JsonObject,
  schema: JsonObject,
): readonly fc.Arbitrary<InvalidMember>[] => {
  const missing = toList(schema['required']).map((one) => {
    const name = String(one);
    const spoil = (body: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
    return fc.constant({ name, spoil });
  });
  const wrong = membersOf(document, schema).flatMap(([name, member]) => {
    const values = strange.filter((value) => !isAllowed(member, value));
    const own = fc
      .constantFrom(...values)
      .map((value) => ({ name, spoil: (body: JsonObject) => ({ ...body, [name]: value }) }));
    // Where the body has no such object, one that is right in all else is spoiled.
    const inner = createInvalidMembers(document, member).map((one) =>
      fc.tuple(one, createObjects(document, member, [])).map(([found, right]) => ({
        name: `${name}.${found.name}`,
        spoil: (body: JsonObject) => ({
          ...body,
          [name]: found.spoil(isJsonObject(body[name]) ? toJsonObject(body[name]) : right),
        }),
      })),
    );
    return [own, ...inner];
  });
  return [...missing, ...wrong];
};
