import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { toJsonObject } from '../lib/openapi-document.ts';
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
 * Writes a copy of an AsyncAPI document with `send` and `receive` swapped to `path`; returns other documents as they are. Our documents
 * have the consumer's view, while `redocly diff` assumes the service's: it would treat messages as requests.
 */
const swapDirections = async (file: string, path: string): Promise<string> => {
  const document = toJsonObject(parse(await readFile(file, 'utf8')));
  if (document['asyncapi'] === undefined) return file;
  const operations = Object.entries(toJsonObject(document['operations'])).map(([name, operation]) => {
    const { action, ...rest } = toJsonObject(operation);
    return [name, { ...rest, action: action === 'receive' ? 'send' : 'receive' }] as const;
  });
  await writeFile(path, JSON.stringify({ ...document, operations: Object.fromEntries(operations) }));
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
      await swapDirections(base, join(work, 'base.json')),
      await swapDirections(revision, join(work, 'revision.json')),
    ];
    const { stdout, output } = await runTool('redocly', ['diff', ...files, '--format', 'json', '--fail-on', 'none']);
    if (!stdout.trimStart().startsWith('{'))
      throw new Error(`redocly could not compare ${base} with ${revision}: ${output}`);
    return report.parse(JSON.parse(stdout)).changes;
  } finally {
    await rm(work, { recursive: true });
  }
};
