import { isJsonObject, resolveReference, toJsonObject, type JsonObject } from '../lib/openapi-document.ts';

/** Keywords that describe a value for people or for code generators; a model does not need them. */
const dropped = new Set(['example', 'examples', 'discriminator', 'contentMediaType', 'title']);

/** Keywords whose values are schemas by name. */
const named = new Set(['properties', 'patternProperties', '$defs']);

/** Returns the first sentence of a description, on one line. */
export const toFirstSentence = (text: unknown): string => {
  const [first = ''] = (typeof text === 'string' ? text : '').trim().split(/\n\n|(?<=[.!?])\s+(?=[A-Z`*])/);
  return first.replaceAll(/\s+/g, ' ').trim();
};

/**
 * Returns a schema of a document without references, as a client of the Model Context Protocol reads it: descriptions are shortened to their
 * first sentence. Throws when a schema contains itself.
 */
export const inlineSchema = (document: JsonObject, value: unknown, parents: readonly unknown[] = []): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => inlineSchema(document, item, parents));
  if (!isJsonObject(value)) return value;
  const { $ref: reference, ...own } = value;
  if (typeof reference === 'string' && parents.includes(reference)) throw new Error(`${reference} contains itself`);
  const path = reference === undefined ? parents : [...parents, reference];
  const referred = reference === undefined ? {} : toJsonObject(resolveReference(document, value));
  const members = Object.entries({ ...referred, ...own })
    .filter(([name]) => !dropped.has(name) && !name.startsWith('x-'))
    .map(([name, member]): readonly [string, unknown] => {
      if (name === 'description') return [name, toFirstSentence(member)];
      if (!named.has(name)) return [name, inlineSchema(document, member, path)];
      const byName = Object.entries(toJsonObject(member)).map(([key, one]) => [key, inlineSchema(document, one, path)]);
      return [name, Object.fromEntries(byName)];
    });
  return Object.fromEntries(members);
};
