import { resolveReference, isJsonObject, toList, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject } from '#lib/openapi-document.ts';

/** Paths of properties and their enumerated values. Shared schemas have their own name, so that values count everywhere. */
export type ValuePaths = Set<string>;

const events = 'ScheduleEvent ScheduleEventSample StatusEvent StatusEventSample Delivery PushEndpoint Alert';
const records = 'FlightInstance Schedule Location Carrier Equipment Leg MctRecord MctSide MinimumConnectingTime';
const sharedSchemas = new Set(`${events} ${records} Paging PagingBothWays Problem Health`.split(' '));

type LocatedSchema = { readonly node: JsonObject; readonly path: string };

const locate = (document: JsonObject, schema: unknown, at: string): LocatedSchema => {
  const reference = toJsonObject(schema)['$ref'];
  const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : '';
  const isShared = sharedSchemas.has(name);
  return { node: toJsonObject(resolveReference(document, schema)), path: isShared ? name : at };
};

const valuesOf = (node: JsonObject): readonly unknown[] =>
  [node['type']].flat().includes('boolean') ? [true, false] : toList(node['enum']);

const listParts = (node: JsonObject): readonly unknown[] =>
  ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => toList(node[keyword]));

export const addDeclared = (
  document: JsonObject,
  { schema, at }: { schema: unknown; at: string },
  into: ValuePaths,
): void => {
  const { node, path } = locate(document, schema, at);
  for (const value of valuesOf(node)) into.add(`${path} = ${String(value)}`);
  for (const [name, one] of Object.entries(toJsonObject(node['properties']))) {
    into.add(`${path}.${name}`);
    addDeclared(document, { schema: one, at: `${path}.${name}` }, into);
  }
  for (const part of listParts(node)) addDeclared(document, { schema: part, at: path }, into);
  if (isJsonObject(node['items'])) addDeclared(document, { schema: node['items'], at: `${path}[]` }, into);
  if (isJsonObject(node['additionalProperties']))
    addDeclared(document, { schema: node['additionalProperties'], at: `${path}.*` }, into);
};

const hasContent = (value: unknown): boolean =>
  value !== '' && value !== null && !(Array.isArray(value) && value.length === 0);

/** Adds every path of a schema with content in a value: not null, an empty text or an empty list. */
export const addObserved = (
  document: JsonObject,
  { schema, at, value }: { schema: unknown; at: string; value: unknown },
  into: ValuePaths,
): void => {
  const { node, path } = locate(document, schema, at);
  for (const part of listParts(node)) addObserved(document, { schema: part, at: path, value }, into);
  if (valuesOf(node).includes(value)) into.add(`${path} = ${String(value)}`);
  if (Array.isArray(value))
    for (const one of value) addObserved(document, { schema: node['items'], at: `${path}[]`, value: one }, into);
  if (!isJsonObject(value)) return;
  const properties = toJsonObject(node['properties']);
  for (const [name, one] of Object.entries(value)) {
    const isListed = name in properties;
    if (isListed && hasContent(one)) into.add(`${path}.${name}`);
    const schemaOfOne = isListed ? properties[name] : node['additionalProperties'];
    if (isJsonObject(schemaOfOne))
      addObserved(document, { schema: schemaOfOne, at: `${path}.${isListed ? name : '*'}`, value: one }, into);
  }
};
