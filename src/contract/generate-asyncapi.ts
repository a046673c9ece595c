import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { DocumentLocation } from './find-documents.ts';
import { resolveReference, isJsonObject, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';

const schemaPrefix = '#/components/schemas/';

/** Keywords of a schema whose values are data, and keywords whose values are schemas by arbitrary names. */
const dataKeys = new Set(['enum', 'const', 'default', 'example', 'examples', 'required']);
const namedKeys = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

/**
 * Converts a schema of OpenAPI 3.1 to AsyncAPI 3, which ignores keywords beside a `$ref`: they move to an enclosing `allOf`. The
 * discriminator is dropped; enumerations in the schemas say the same.
 */
const convertSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convertSchema);
  if (!isJsonObject(value)) return value;
  const { $ref: reference, ...rest } = value;
  const members = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => name !== 'discriminator' && !name.startsWith('x-'))
      .map(([name, member]) => [name, convertMember(name, member)]),
  );
  if (reference === undefined) return members;
  return Object.keys(members).length === 0 ? { $ref: reference } : { ...members, allOf: [{ $ref: reference }] };
};

const convertMember = (name: string, member: unknown): unknown => {
  if (dataKeys.has(name)) return member;
  if (!namedKeys.has(name)) return convertSchema(member);
  return Object.fromEntries(Object.entries(toJsonObject(member)).map(([key, one]) => [key, convertSchema(one)]));
};

const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Whether generators make a type of a schema. */
const isType = (schema: JsonObject): boolean => ['properties', 'enum', 'allOf'].some((name) => name in schema);

/**
 * Adds a title to each schema within a named one that generators make a type of: `EventFlight` and `departure` become
 * `EventFlightDeparture`. Without one, generators number such types.
 */
const addTitles = (schema: unknown, name: string): unknown => {
  if (!isJsonObject(schema)) return schema;
  const addTitle = (value: unknown, title: string): unknown =>
    isJsonObject(value) ? { ...(isType(value) && { title }), ...toJsonObject(addTitles(value, title)) } : value;
  const properties = Object.entries(toJsonObject(schema['properties'])).map(
    ([key, value]) => [key, addTitle(value, `${name}${capitalize(key)}`)] as const,
  );
  return {
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...('items' in schema && { items: addTitle(schema['items'], `${name}Item`) }),
  };
};

/** Lists the names of schemas that a value refers to. */
const findReferences = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(findReferences);
  return Object.entries(toJsonObject(value)).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' && member.startsWith(schemaPrefix)
      ? [member.slice(schemaPrefix.length)]
      : findReferences(member),
  );
};

/** Collects the schemas to which a value refers, directly and indirectly, by name. */
const collectSchemas = (bundle: JsonObject, value: unknown): JsonObject => {
  const all = toJsonObject(toJsonObject(bundle['components'])['schemas']);
  const needed = new Map<string, unknown>();
  const open = [...findReferences(value)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue;
    if (!(name in all)) throw new Error(`the schema '${name}' of a message is none of the OpenAPI document`);
    needed.set(name, addTitles(convertSchema(all[name]), name));
    open.push(...findReferences(all[name]));
  }
  return Object.fromEntries([...needed].toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/** Finds the examples of the webhook with the same body. */
const findExamples = (bundle: JsonObject, { payload }: JsonObject): readonly JsonObject[] => {
  const bodies = Object.values(toJsonObject(bundle['webhooks'])).flatMap((webhook) => {
    const { requestBody } = toJsonObject(toJsonObject(resolveReference(bundle, webhook))['post']);
    return Object.values(toJsonObject(toJsonObject(resolveReference(bundle, requestBody))['content'])).map(
      toJsonObject,
    );
  });
  const same = bodies.filter(({ schema }) => toJsonObject(schema)['$ref'] === toJsonObject(payload)['$ref']);
  return same.flatMap(({ examples }) =>
    Object.entries(toJsonObject(examples)).map(([name, one]) => {
      const { summary, value } = toJsonObject(resolveReference(bundle, one));
      return { name, summary, payload: value };
    }),
  );
};

/** Builds the AsyncAPI document of a product from its channels, and from the schemas and examples of its OpenAPI document. */
export const buildAsyncApi = (channels: JsonObject, bundle: JsonObject): JsonObject => {
  const components = toJsonObject(channels['components']);
  const messages = Object.entries(toJsonObject(components['messages'])).map(([name, one]) => {
    const message = toJsonObject(one);
    const examples = findExamples(bundle, message);
    if (examples.length === 0) throw new Error(`no webhook has examples of the message '${name}'`);
    return [name, { ...message, examples }] as const;
  });
  return {
    ...channels,
    components: {
      ...components,
      messages: Object.fromEntries(messages),
      schemas: collectSchemas(bundle, components),
    },
  };
};

/** Writes `<outDir>/<product>/<version>/asyncapi.json` for each document that has a hub-channels.yaml beside it. */
export const generateAsyncApi = async (documents: readonly DocumentLocation[], outDir: string): Promise<void> => {
  for (const { product, version, file } of documents) {
    const channels = join(dirname(file), 'hub-channels.yaml');
    if (!existsSync(channels)) continue;
    const folder = join(outDir, product, version);
    const own = toJsonObject(parse(readFileSync(channels, 'utf8'), { merge: true }));
    const bundle = toJsonObject(JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')));
    await writeFile(join(folder, 'asyncapi.json'), `${JSON.stringify(buildAsyncApi(own, bundle))}\n`);
  }
};
