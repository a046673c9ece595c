/**
 * `make check`: spelling and plain English in comments, texts, names, documents and test names. cspell.jsonc holds the words and the allowances;
 * this file adds the phrases, which cspell cannot express.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, runTool } from './run-tool.ts';

/** Phrases with their replacements. */
const PHRASES: readonly (readonly [phrase: string, replacement: string])[] = [
  ['for ever', 'permanently'],
  ['for the time being', 'temporarily'],
  ['so many', 'a limit of N, N of M'],
  ['once more', 'again, retry'],
  ['by and by', 'later'],
  ['at home in', 'lives in'],
  ['is to be', 'must be'],
  ['are to be', 'must be'],
  ['rests on', 'depends on'],
  ['take turns', 'leader lease'],
  ['lay out days', 'expand schedules'],
];

/** Phrases may continue on the next line of a comment. */
const phrasePattern = new RegExp(
  `\\b(${PHRASES.map(([phrase]) => phrase.replaceAll(' ', '[\\s*/#]+')).join('|')})\\b`,
  'gi',
);

/** Prose is checked in these files. */
const INCLUDED = [
  '*.ts',
  '*.js',
  '*.md',
  '*.yaml',
  '*.jsonc',
  '*.css',
  '*.html',
  '*.service',
  'Makefile',
  '*Dockerfile',
  '.ci/run',
];

const EXCLUDED = [
  // Generated, published or recorded files.
  'generated',
  'spec/published',
  'src/server/store/schema/migrations',
  // Tables that tools write, with quotations of code.
  'docs/reference/benchmark-results.md',
  'docs/reference/surviving-mutants.md',
  // These define or contain what is rejected.
  'cspell.jsonc',
  'src/contract/check-prose.ts',
  'test/contract/check-prose.test.ts',
];

const normalize = (text: string): string => text.toLowerCase().replaceAll(/[\s*/#]+/g, ' ');

const findPhrases = (file: string, name: string): readonly string[] => {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(phrasePattern)].map(({ 0: found, index }) => {
    const before = text.slice(0, index).split('\n');
    const [phrase, replacement] = PHRASES.find(([each]) => each === normalize(found)) ?? [found, ''];
    return `${name}:${before.length}:${(before.at(-1)?.length ?? 0) + 1} - Forbidden phrase (${phrase}) fix: (${replacement})`;
  });
};

/**
 * Checks files, absolute paths, and returns one line for each violation: file, line, column, word and replacements. File names are relative to
 * `folder`. `cache` is the file in which cspell records unchanged files.
 */
export const checkProse = async (
  files: readonly string[],
  { folder, cache }: { readonly folder: string; readonly cache?: string },
): Promise<readonly string[]> => {
  const cached =
    cache === undefined ? ['--no-cache'] : ['--cache', '--cache-strategy', 'content', '--cache-location', cache];
  const options = ['--config', join(root, 'cspell.jsonc'), '--no-config-search', '--root', folder, '--dot'];
  const { code, output } = await runTool('cspell', [
    'lint',
    '--quiet',
    '--no-color',
    ...options,
    ...cached,
    '--file',
    ...files,
  ]);
  const spelling = output.split('\n').filter((line) => line !== '');
  if (code !== 0 && spelling.length === 0) throw new Error(`cspell exited with ${code}`);
  return [...spelling, ...files.flatMap((file) => findPhrases(file, relative(folder, file)))];
};

/** Returns the absolute paths of the tracked files with prose. */
const listFiles = async (): Promise<readonly string[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(
    'git',
    ['ls-files', '-z', '--', ...INCLUDED, ...EXCLUDED.map((path) => `:!${path}`)],
    { cwd: root },
    (error, stdout) => (error ? reject(error) : resolve(stdout)),
  );
  return (await promise)
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => join(root, name))
    .filter((file) => existsSync(file));
};

if (import.meta.main) {
  const violations = await checkProse(await listFiles(), {
    folder: root,
    cache: join(root, 'node_modules/.cache/cspell'),
  });
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
