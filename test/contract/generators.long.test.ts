/** Generates clients from every document with the generators that integrators use, and checks the types of the results. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { servedDocuments } from './services/served-documents.ts';

type Generator = {
  readonly tool: string;
  /** Pinned; undefined for the version that the project uses. */
  readonly version?: string;
  /** Arguments for a document, and for a file or folder without ending. */
  readonly buildArguments: (document: string, output: string) => readonly string[];
};

/** They are not dependencies of the project: they would add 400 packages to it. */
const generators: readonly Generator[] = [
  { tool: 'openapi-ts', buildArguments: (document, output) => ['-i', document, '-o', output] },
  {
    tool: 'openapi-typescript',
    version: '7.13.0',
    buildArguments: (document, output) => [document, '-o', `${output}.ts`],
  },
  { tool: 'oazapfts', version: '7.5.0', buildArguments: (document, output) => [document, `${output}.ts`] },
  {
    tool: 'orval',
    version: '7.13.2',
    buildArguments: (document, output) => ['--input', document, '--output', `${output}.ts`, '--client', 'fetch'],
  },
  {
    tool: 'swagger-typescript-api',
    version: '13.13.0',
    buildArguments: (document, output) => [
      'generate',
      '-p',
      document,
      '-o',
      join(output, '..'),
      '-n',
      `${output.split('/').at(-1)}.ts`,
    ],
  },
];

const { folder, write } = createTemporaryFolder();
const bin = join(folder, 'node_modules/.bin');

/** Runs a program; throws with its output when it fails. */
const run = async (program: string, args: readonly string[]): Promise<void> => {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [code, ...outputs] = await Promise.all([
    new Promise<number | null>((resolve) => child.once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error([program, ...args, ...outputs].join(' '));
};

beforeAll(async () => {
  write('package.json', '{ "type": "module" }');
  const packages = generators.flatMap(({ tool, version }) => (version === undefined ? [] : [`${tool}@${version}`]));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...packages]);
  symlinkSync(join(root, 'node_modules/.bin/openapi-ts'), join(bin, 'openapi-ts'));
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: 'esnext',
        moduleResolution: 'bundler',
        skipLibCheck: true,
        types: [],
      },
      include: ['out'],
    }),
  );
}, 300_000);

test('five generators make code without type errors from every document', { timeout: 300_000 }, async () => {
  const calls = generators.flatMap(({ tool, buildArguments }) => {
    const output = join(folder, 'out', tool);
    mkdirSync(output, { recursive: true });
    return servedDocuments.map(({ name }) => ({
      tool,
      args: buildArguments(join(root, 'generated', name, 'openapi.json'), join(output, name.replace('/', '-'))),
    }));
  });
  const seconds = new Map<string, number>();
  const queue = calls.values();
  const work = async (): Promise<void> => {
    for (const { tool, args } of queue) {
      const started = performance.now();
      await run(join(bin, tool), args);
      seconds.set(tool, (seconds.get(tool) ?? 0) + (performance.now() - started) / 1000);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]);
  const counts = generators.map(({ tool }) => {
    const files = readdirSync(join(folder, 'out', tool), { recursive: true }).filter((name) =>
      String(name).endsWith('.ts'),
    );
    return { tool, files: files.length, seconds: Math.round(seconds.get(tool) ?? 0) };
  });
  console.table(counts);
  expect(counts.filter(({ files }) => files < servedDocuments.length)).toEqual([]);
});
