import { escapePointer, isJsonObject, toList, toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';

/** A schema of a document: where it stands, and whether it is a part of another one (by `allOf` and its like). */
export type SchemaLocation = { readonly pointer: string; readonly schema: JsonObject; readonly isPart: boolean };

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

/** Every schema of a document, the nested ones too. Example data is passed over: it may look like anything. */
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

/**
 * The document with every object closed that lists its properties: what is published stays open to additions, what we
 * answer today is exactly what is written. A schema that is a part of another cannot be closed by itself.
 */
export const closeObjects = (document: JsonObject): JsonObject => {
  const closed = structuredClone(document);
  const places = [...findSchemas(closed)];
  const partsByReference = new Set(
    places.flatMap(({ schema, isPart }) =>
      typeof schema['$ref'] === 'string' && (isPart || addsProperties(schema)) ? [schema['$ref']] : [],
    ),
  );
  for (const { pointer, schema, isPart } of places) {
    if (isPart || partsByReference.has(pointer) || !addsProperties(schema)) continue;
    if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) continue;
    Object.assign(schema, { unevaluatedProperties: false });
  }
  return closed;
};
