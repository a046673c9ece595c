import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Address } from './addresses.ts';
import { resolveReference, isJsonObject, toJsonObject, type JsonObject } from '../lib/openapi-document.ts';

const schemaPrefix = '#/components/schemas/';

/** Members of a schema that hold data and no schemas, and those that hold schemas by names that are free. */
const dataKeys = new Set(['enum', 'const', 'default', 'example', 'examples', 'required']);
const namedKeys = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

/**
 * A schema of OpenAPI 3.1 as AsyncAPI 3 has it. There, nothing counts beside a `$ref`, so that a description moves one level up, and
 * a discriminator is only a name, so that it goes: what it says is in the enumerations of the schemas.
 */
const messageSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(messageSchema);
  if (!isJsonObject(value)) return value;
  const { $ref: reference, ...rest } = value;
  const members = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => name !== 'discriminator' && !name.startsWith('x-'))
      .map(([name, member]) => [name, memberOf(name, member)]),
  );
  if (reference === undefined) return members;
  return Object.keys(members).length === 0 ? { $ref: reference } : { ...members, allOf: [{ $ref: reference }] };
};

const memberOf = (name: string, member: unknown): unknown => {
  if (dataKeys.has(name)) return member;
  if (!namedKeys.has(name)) return messageSchema(member);
  return Object.fromEntries(Object.entries(toJsonObject(member)).map(([key, one]) => [key, messageSchema(one)]));
};

/** The names of the schemas that a value refers to. */
const schemasIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  return Object.entries(toJsonObject(value)).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' && member.startsWith(schemaPrefix)
      ? [member.slice(schemaPrefix.length)]
      : schemasIn(member),
  );
};

/** The schemas that a value needs, those that they need in turn included, by name. */
const neededSchemas = (bundle: JsonObject, value: unknown): JsonObject => {
  const all = toJsonObject(toJsonObject(bundle['components'])['schemas']);
  const needed = new Map<string, unknown>();
  const open = [...schemasIn(value)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue;
    if (!(name in all)) throw new Error(`the schema '${name}' of a message is none of the OpenAPI document`);
    needed.set(name, messageSchema(all[name]));
    open.push(...schemasIn(all[name]));
  }
  return Object.fromEntries([...needed].toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/** The examples of the webhook that has the same body. */
const examplesOf = (bundle: JsonObject, { payload }: JsonObject): readonly JsonObject[] => {
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

/** The AsyncAPI document that the channels of a product and its bundled OpenAPI document make: no schema and no example is written twice. */
export const asyncApiOf = (channels: JsonObject, bundle: JsonObject): JsonObject => {
  const components = toJsonObject(channels['components']);
  const messages = Object.entries(toJsonObject(components['messages'])).map(([name, one]) => {
    const message = toJsonObject(one);
    const examples = examplesOf(bundle, message);
    if (examples.length === 0) throw new Error(`no webhook has examples of the message '${name}'`);
    return [name, { ...message, examples }] as const;
  });
  return {
    ...channels,
    components: {
      ...components,
      messages: Object.fromEntries(messages),
      schemas: neededSchemas(bundle, components),
    },
  };
};

/** Writes asyncapi.yaml beside each bundle at `<outDir>/<product>/<version>/openapi.yaml` whose document has a hub-channels.yaml beside it. */
export const writeAsyncApi = async (documents: readonly Address[], outDir: string): Promise<void> => {
  for (const { product, version, file } of documents) {
    const channels = join(dirname(file), 'hub-channels.yaml');
    if (!existsSync(channels)) continue;
    const folder = join(outDir, product, version);
    const [own, bundle] = [channels, join(folder, 'openapi.yaml')].map((path) =>
      toJsonObject(parse(readFileSync(path, 'utf8'), { merge: true })),
    );
    const text = stringify(asyncApiOf(toJsonObject(own), toJsonObject(bundle)), {
      aliasDuplicateObjects: false,
      lineWidth: 0,
      version: '1.1',
    });
    await writeFile(
      join(folder, 'asyncapi.yaml'),
      `# Generated from spec/ by \`make generate\`; do not edit.\n${text}`,
    );
  }
};
