import { isJsonObject, toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';

export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** A schema of a document, its pointer, and whether it is a part of another one (`allOf` and its like). */
type SchemaLocation = { readonly pointer: string; readonly schema: JsonObject; readonly isPart: boolean };

const parts = ['allOf', 'anyOf', 'oneOf'];
const singleParts = ['not', 'if', 'then', 'else'];
const named = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const single = ['items', 'additionalProperties', 'unevaluatedProperties', 'contains', 'propertyNames'];

function* below(pointer: string, value: unknown, isPart: boolean): Generator<SchemaLocation> {
  if (!isJsonObject(value)) return;
  yield { pointer, schema: value, isPart };
  for (const keyword of named)
    for (const [name, one] of Object.entries(toJsonObject(value[keyword])))
      yield* below(`${pointer}/${keyword}/${escapePointer(name)}`, one, false);
  for (const keyword of single) yield* below(`${pointer}/${keyword}`, value[keyword], false);
  for (const keyword of parts)
    for (const [index, one] of toList(value[keyword]).entries())
      yield* below(`${pointer}/${keyword}/${index}`, one, true);
  for (const keyword of singleParts) yield* below(`${pointer}/${keyword}`, value[keyword], true);
}

const dataKeys = new Set(['example', 'examples', 'value', 'default', 'enum', 'const']);

/** Yields every schema of a document, including nested ones, but no example data, which may look like a schema. */
export function* findSchemas(value: unknown, pointer = '#'): Generator<SchemaLocation> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* findSchemas(one, `${pointer}/${index}`);
    return;
  }
  for (const [key, one] of Object.entries(toJsonObject(value))) {
    const at = `${pointer}/${escapePointer(key)}`;
    if (key === 'schema') yield* below(at, one, false);
    else if (at === '#/components/schemas')
      for (const [name, schema] of Object.entries(toJsonObject(one)))
        yield* below(`${at}/${escapePointer(name)}`, schema, false);
    else if (!dataKeys.has(key)) yield* findSchemas(one, at);
  }
}

const addsProperties = (schema: JsonObject): boolean =>
  'properties' in schema || parts.some((keyword) => keyword in schema);

/** Closes every object schema that lists its properties. A part of another schema cannot be closed on its own. */
export const closeObjects = (document: JsonObject): JsonObject => {
  const closed = structuredClone(document);
  const locations = [...findSchemas(closed)];
  const partsByReference = new Set(
    locations.flatMap(({ schema, isPart }) =>
      typeof schema['$ref'] === 'string' && (isPart || addsProperties(schema)) ? [schema['$ref']] : [],
    ),
  );
  for (const { pointer, schema, isPart } of locations) {
    if (isPart || partsByReference.has(pointer) || !addsProperties(schema)) continue;
    if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) continue;
    Object.assign(schema, { unevaluatedProperties: false });
  }
  return closed;
};
