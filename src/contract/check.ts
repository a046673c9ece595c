import { globSync } from 'node:fs';
import { findDocuments } from './addresses.ts';
import { runTool, root } from './run-tool.ts';

type Part = { readonly name: string; readonly what: string; readonly tool: string; readonly args: readonly string[] };

/** Parts of `make check`. Each reads and none writes, so that they can run side by side and in any order. */
const partsOf = (documents: readonly string[]): readonly Part[] => [
  { name: 'format', what: 'oxfmt', tool: 'oxfmt', args: ['--check'] },
  { name: 'lint', what: 'oxlint, with types', tool: 'oxlint', args: ['--quiet'] },
  { name: 'types', what: 'tsc', tool: 'tsc', args: ['-p', '.'] },
  { name: 'floors', what: 'who imports whom', tool: 'node', args: ['src/contract/layers.ts'] },
  { name: 'spec', what: 'redocly and the house rules', tool: 'redocly', args: ['lint', ...documents] },
  { name: 'generated', what: 'follows from spec/', tool: 'node', args: ['src/contract/generate.ts', '--check'] },
  { name: 'changes', what: 'nothing published is broken', tool: 'node', args: ['src/contract/changes.ts'] },
  { name: 'dead code', what: 'knip', tool: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const runPart = async ({ name, what, tool, args }: Part): Promise<boolean> => {
  const started = performance.now();
  const { code, output } = await runTool(tool, args);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${seconds(started).padStart(7)}  ${what}`);
  if (code !== 0) console.log(output.trimEnd().replaceAll(/^/gm, '     '));
  return code === 0;
};

const main = async (): Promise<void> => {
  const started = performance.now();
  const channels = globSync(`${root}/generated/*/*/asyncapi.yaml`);
  const documents = [...findDocuments(`${root}/spec`).map(({ file }) => file), ...channels];
  const outcomes = await Promise.all(partsOf(documents).map(runPart));
  const failed = outcomes.filter((isOk) => !isOk).length;
  console.log(`${outcomes.length - failed} of ${outcomes.length} checks passed in ${seconds(started)}`);
  if (failed > 0) process.exitCode = 1;
};

await main();
