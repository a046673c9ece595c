import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isJsonObject, resolveReference, toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { runTool } from './run-tool.ts';

const impact = z.enum(['major', 'minor', 'patch']);

const change = z.object({
  /** A JSON pointer into the documents with every `$ref` resolved, e.g. `#/paths/~1flights/get/parameters/0`. */
  path: z.string(),
  /** The type of the node, e.g. `Parameter`, `Schema`, `SpecExtension`. */
  typeName: z.string(),
  kind: z.enum(['added', 'removed', 'modified']),
  impact,
  /** The rules that decided the impact; absent when none applied. */
  verdicts: z.array(z.object({ ruleId: z.string(), impact, message: z.string() })).default([]),
  /** The member that was modified; `key` when the node was renamed. */
  property: z.string().optional(),
  base: z.object({ value: z.unknown().optional() }).optional(),
  revision: z.object({ value: z.unknown().optional() }).optional(),
});

const report = z.object({ changes: z.array(change) });

/** One difference between two documents, as `redocly diff` reports it. */
export type DocumentChange = z.infer<typeof change>;

/**
 * Swaps `send` and `receive` in an AsyncAPI document. Our documents have the consumer's view, while `redocly diff` assumes the service's: it
 * would treat messages as requests.
 */
const swapDirections = (document: JsonObject): JsonObject => {
  const operations = Object.entries(toJsonObject(document['operations'])).map(([name, operation]) => {
    const { action, ...rest } = toJsonObject(operation);
    return [name, { ...rest, action: action === 'receive' ? 'send' : 'receive' }] as const;
  });
  return { ...document, operations: Object.fromEntries(operations) };
};

/** Returns the object of `oneOf: [object, null]`. */
const findNullableObject = (document: JsonObject, { oneOf }: JsonObject): JsonObject | undefined => {
  const [first, second, ...others] = toList(oneOf);
  const object = toJsonObject(resolveReference(document, first));
  const isNullable = object['type'] === 'object' && toJsonObject(second)['type'] === 'null' && others.length === 0;
  return isNullable ? object : undefined;
};

/**
 * Returns a value of an OpenAPI document with one form for what has two: `type: [object, 'null']` for `oneOf` of an object and `null`, and
 * the schema of a list parameter in its place. `redocly diff` reports another form as a removal.
 */
const unifyForms = (document: JsonObject, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => unifyForms(document, one));
  if (!isJsonObject(value)) return value;
  const { oneOf, schema, ...rest } = value;
  const nullable = findNullableObject(document, value);
  const list = toJsonObject(resolveReference(document, schema));
  const isListParameter = 'in' in value && list['type'] === 'array';
  const members = {
    ...(nullable
      ? { ...nullable, ...rest, type: ['object', 'null'] }
      : { ...(oneOf !== undefined && { oneOf }), ...rest }),
    ...(schema !== undefined && { schema: isListParameter ? list : schema }),
  };
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, unifyForms(document, member)]));
};

/** Writes a copy of a document for the comparison to `path`, as JSON. */
const writeComparable = async (file: string, path: string): Promise<string> => {
  const document = toJsonObject(parse(await readFile(file, 'utf8')));
  const comparable = document['asyncapi'] === undefined ? unifyForms(document, document) : swapDirections(document);
  await writeFile(path, JSON.stringify(comparable));
  return path;
};

/**
 * Lists the differences between two bundled documents, OpenAPI or AsyncAPI. redocly.yaml sets their impacts. Takes about one CPU second.
 * Throws the output of the tool when it could not compare them.
 */
export const diffDocuments = async (base: string, revision: string): Promise<readonly DocumentChange[]> => {
  const work = await mkdtemp(join(tmpdir(), 'diff-'));
  try {
    const files = [
      await writeComparable(base, join(work, 'base.json')),
      await writeComparable(revision, join(work, 'revision.json')),
    ];
    const { stdout, output } = await runTool('redocly', ['diff', ...files, '--format', 'json', '--fail-on', 'none']);
    if (!stdout.trimStart().startsWith('{'))
      throw new Error(`redocly could not compare ${base} with ${revision}: ${output}`);
    return report.parse(JSON.parse(stdout)).changes;
  } finally {
    await rm(work, { recursive: true });
  }
};
