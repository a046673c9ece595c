import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** A change of the source that a test should notice. */
export type Mutant = {
  /** The number that switches it on in the instrumented sources; it depends on the sample. */
  readonly id: string;
  /** The same in each run: a hash of the file, the mutator, both texts and the occurrence. */
  readonly key: string;
  readonly folder: string;
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
};

export type Sample = { readonly folders: readonly string[]; readonly size: number; readonly seed: string };

type Position = { readonly line: number; readonly column: number };

const ignore = (): void => {};
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
};

const textBetween = (text: string, start: Position, end: Position): string => {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column) ?? '';
  lines[0] = lines[0]?.slice(start.column) ?? '';
  return lines.join('\n');
};

type Collector = { collect: (...args: readonly unknown[]) => { readonly id: string; ignoreReason?: string } };

/** An instrumenter that places the mutants with these numbers only: each placed mutant makes the sources slower. */
const createInstrumenter = (ids: ReadonlySet<string>): Instrumenter => {
  const instrumenter = new Instrumenter(logger);
  const transform = Reflect.get(instrumenter, '_transform');
  // The instrumenter selects by range, and several mutants share a range.
  const transformSelected = (ast: unknown, collector: Collector, context: unknown): void => {
    const collect = collector.collect.bind(collector);
    collector.collect = (...args) => {
      const mutant = collect(...args);
      if (!ids.has(mutant.id)) mutant.ignoreReason = 'not in the sample';
      return mutant;
    };
    transform(ast, collector, context);
    collector.collect = collect;
  };
  Reflect.set(instrumenter, '_transform', transformSelected);
  return instrumenter;
};

const hash = (parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

const options = { plugins: null, ignorers: [], excludedMutations: [] };

/** Replaces the sources in the tree `root` by instrumented ones. Returns the mutants of the sample and their number without sampling. */
export const placeMutants = async (
  root: string,
  { folders, size, seed }: Sample,
): Promise<{ readonly mutants: readonly Mutant[]; readonly total: ReadonlyMap<string, number> }> => {
  const files = folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }).toSorted())
    .map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') }));
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  const all = await createInstrumenter(new Set()).instrument(files, options);
  const seen = new Map<string, number>();
  const mutants = all.mutants.map(({ id, fileName, location, mutatorName, replacement }): Mutant => {
    const original = textBetween(contents.get(fileName) ?? '', location.start, location.end);
    const parts = [fileName, mutatorName, original, replacement ?? ''];
    const occurrence = seen.get(parts.join('\n')) ?? 0;
    seen.set(parts.join('\n'), occurrence + 1);
    const folder = folders.find((name) => fileName.startsWith(`${name}/`)) ?? '';
    const text = { original, replacement: replacement ?? '' };
    const line = location.start.line + 1;
    return { id, key: hash([...parts, occurrence]), folder, file: fileName, line, mutator: mutatorName, ...text };
  });
  const byFolder = Map.groupBy(mutants, ({ folder }) => folder);
  // A mutant keeps its rank when others come or go, so that the same ones are compared before and after a change.
  const sample = [...byFolder.values()].flatMap((list) =>
    list
      .map((mutant) => ({ mutant, rank: hash([seed, mutant.key]) }))
      .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, size)
      .map(({ mutant }) => mutant),
  );
  const placed = await createInstrumenter(new Set(sample.map(({ id }) => id))).instrument(files, options);
  for (const { name, content } of placed.files) writeFileSync(join(root, name), content);
  return { mutants: sample, total: new Map([...byFolder].map(([folder, list]) => [folder, list.length])) };
};
