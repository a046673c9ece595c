import {
  resolveReference,
  isJsonObject,
  toList,
  toJsonObject,
  type JsonObject,
} from '../../../src/lib/openapi-document.ts';

/**
 * What can stand in an answer: its properties, and the values of its enumerations and booleans, by where they stand. Objects
 * that occur in several answers stand under their own name, so that what is seen of one anywhere is seen.
 */
export type ValuePaths = Set<string>;

const sharedSchemas = new Set([
  'Alert',
  'FlightInstance',
  'Schedule',
  'ScheduleEvent',
  'ScheduleEventSample',
  'StatusEvent',
  'StatusEventSample',
  'Location',
  'Carrier',
  'Equipment',
  'Leg',
  'MctRecord',
  'MctSide',
  'MinimumConnectingTime',
  'Paging',
  'PagingBothWays',
  'PushEndpoint',
  'Delivery',
  'Problem',
  'Health',
]);

type Placed = { readonly node: JsonObject; readonly place: string };

const placed = (document: JsonObject, schema: unknown, at: string): Placed => {
  const reference = toJsonObject(schema)['$ref'];
  const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : '';
  const isShared = sharedSchemas.has(name);
  return { node: toJsonObject(resolveReference(document, schema)), place: isShared ? name : at };
};

const valuesOf = (node: JsonObject): readonly unknown[] =>
  [node['type']].flat().includes('boolean') ? [true, false] : toList(node['enum']);

/** The schemas that a value has to fit besides: all of them, or one. */
const partsOf = (node: JsonObject): readonly unknown[] =>
  ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => toList(node[keyword]));

/** Notes every place of a schema. */
export const addDeclared = (
  document: JsonObject,
  { schema, at }: { schema: unknown; at: string },
  into: ValuePaths,
): void => {
  const { node, place } = placed(document, schema, at);
  for (const value of valuesOf(node)) into.add(`${place} = ${String(value)}`);
  for (const [name, one] of Object.entries(toJsonObject(node['properties']))) {
    into.add(`${place}.${name}`);
    addDeclared(document, { schema: one, at: `${place}.${name}` }, into);
  }
  for (const part of partsOf(node)) addDeclared(document, { schema: part, at: place }, into);
  if (isJsonObject(node['items'])) addDeclared(document, { schema: node['items'], at: `${place}[]` }, into);
  if (isJsonObject(node['additionalProperties']))
    addDeclared(document, { schema: node['additionalProperties'], at: `${place}.*` }, into);
};

const isTold = (value: unknown): boolean =>
  value !== '' && value !== null && !(Array.isArray(value) && value.length === 0);

/** Notes every place of a schema at which a value has something: null, a blank text and an empty list are nothing. */
export const addObserved = (
  document: JsonObject,
  { schema, at, value }: { schema: unknown; at: string; value: unknown },
  into: ValuePaths,
): void => {
  const { node, place } = placed(document, schema, at);
  for (const part of partsOf(node)) addObserved(document, { schema: part, at: place, value }, into);
  if (valuesOf(node).includes(value)) into.add(`${place} = ${String(value)}`);
  if (Array.isArray(value))
    for (const one of value) addObserved(document, { schema: node['items'], at: `${place}[]`, value: one }, into);
  if (!isJsonObject(value)) return;
  const properties = toJsonObject(node['properties']);
  for (const [name, one] of Object.entries(value)) {
    const isListed = name in properties;
    if (isListed && isTold(one)) into.add(`${place}.${name}`);
    const schemaOfOne = isListed ? properties[name] : node['additionalProperties'];
    if (isJsonObject(schemaOfOne))
      addObserved(document, { schema: schemaOfOne, at: `${place}.${isListed ? name : '*'}`, value: one }, into);
  }
};
