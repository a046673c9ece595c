import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { toJsonObject } from '../lib/openapi-document.ts';
import { runTool } from './run-tool.ts';

const impact = z.enum(['major', 'minor', 'patch']);

const change = z.object({
  /** Where, as a pointer into the documents with every `$ref` followed, e.g. `#/paths/~1flights/get/parameters/0`. */
  path: z.string(),
  /** What stands there, e.g. `Parameter`, `Schema`, `SpecExtension`. */
  typeName: z.string(),
  kind: z.enum(['added', 'removed', 'modified']),
  impact,
  /** Why the impact is what it is; absent where no rule had anything to say. */
  verdicts: z.array(z.object({ ruleId: z.string(), impact, message: z.string() })).default([]),
  /** The member that was modified; `key` when it is the name under which the thing stands. */
  property: z.string().optional(),
  base: z.object({ value: z.unknown().optional() }).optional(),
  revision: z.object({ value: z.unknown().optional() }).optional(),
});

const report = z.object({ changes: z.array(change) });

/** One difference between two documents, as `redocly diff` reports it. */
export type DocumentChange = z.infer<typeof change>;

/**
 * A copy of an AsyncAPI document in which who receives sends, at `path`; the file itself where it is another document. Ours
 * are written as consumers see them, and the tool judges them as if the service received: what it takes for a request is a response.
 */
const asServiceSees = async (file: string, path: string): Promise<string> => {
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
 * The differences between two documents, OpenAPI or AsyncAPI, both files of their own without references to others. Impacts are
 * set in redocly.yaml. Takes about a second of a processor. Throws with what the tool said when it could not compare them.
 */
export const diffDocuments = async (base: string, revision: string): Promise<readonly DocumentChange[]> => {
  const work = await mkdtemp(join(tmpdir(), 'diff-'));
  try {
    const files = [
      await asServiceSees(base, join(work, 'base.json')),
      await asServiceSees(revision, join(work, 'revision.json')),
    ];
    const { stdout, output } = await runTool('redocly', ['diff', ...files, '--format', 'json', '--fail-on', 'none']);
    if (!stdout.trimStart().startsWith('{'))
      throw new Error(`redocly could not compare ${base} with ${revision}: ${output}`);
    return report.parse(JSON.parse(stdout)).changes;
  } finally {
    await rm(work, { recursive: true });
  }
};
