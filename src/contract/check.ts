import { globSync } from 'node:fs';
import { findDocuments } from './find-documents.ts';
import { runTool, root } from './run-tool.ts';

type Part = {
  readonly name: string;
  readonly description: string;
  readonly tool: string;
  readonly args: readonly string[];
};

const TYPES_SEEN = `${root}/build/types.tsbuildinfo`;

/** Returns the parts of `make check`. They write nothing and run in parallel. */
const createParts = (documents: readonly string[]): readonly Part[] => [
  { name: 'format', description: 'oxfmt', tool: 'oxfmt', args: ['--check'] },
  { name: 'ignored', description: 'no source is ignored', tool: 'node', args: ['src/contract/check-ignored.ts'] },
  { name: 'lint', description: 'oxlint, with types', tool: 'oxlint', args: ['--quiet'] },
  // Unchanged files are not checked again: a second check takes a sixth of the processor time.
  {
    name: 'types',
    description: 'tsc',
    tool: 'tsc',
    args: ['-p', '.', '--incremental', '--tsBuildInfoFile', TYPES_SEEN],
  },
  { name: 'layers', description: 'imports, cycles, type names', tool: 'node', args: ['src/contract/layers.ts'] },
  { name: 'spec', description: 'redocly and our own rules', tool: 'redocly', args: ['lint', ...documents] },
  {
    name: 'generated',
    description: 'equal to their sources',
    tool: 'node',
    args: ['src/contract/generate.ts', '--check'],
  },
  {
    name: 'changes',
    description: 'no breaking change of a published version',
    tool: 'node',
    args: ['src/contract/check-changes.ts'],
  },
  {
    name: 'migrations',
    description: 'none changed since it was recorded',
    tool: 'node',
    args: ['src/contract/check-migrations.ts'],
  },
  {
    name: 'prose',
    description: 'spelling, and words that the style replaces',
    tool: 'node',
    args: ['src/contract/check-prose.ts'],
  },
  { name: 'dead code', description: 'knip', tool: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const runPart = async ({ name, description, tool, args }: Part): Promise<boolean> => {
  const started = performance.now();
  const { code, output } = await runTool(tool, args);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${seconds(started).padStart(7)}  ${description}`);
  if (code !== 0) console.log(output.trimEnd().replaceAll(/^/gm, '     '));
  return code === 0;
};

const main = async (): Promise<void> => {
  const started = performance.now();
  const channels = globSync(`${root}/generated/*/*/asyncapi.json`);
  const recipes = globSync(`${root}/spec/recipes/*.yaml`);
  const documents = [...findDocuments(`${root}/spec`).map(({ file }) => file), ...channels, ...recipes];
  const results = await Promise.all(createParts(documents).map(runPart));
  const failed = results.filter((isOk) => !isOk).length;
  console.log(`${results.length - failed} of ${results.length} checks passed in ${seconds(started)}`);
  if (failed > 0) process.exitCode = 1;
};

await main();
