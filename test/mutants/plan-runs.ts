import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toOwnPath } from '#contract/own-path.ts';
import { readTests } from '../support/vitest/test-groups.ts';
import type { FileCoverage, TestSelection } from './mutant-session.ts';
import type { Mutant } from './sample-mutants.ts';

/** The folders of tests that are run for the mutants of a folder: its own, and those that use it through the service. */
export const testFolders: Readonly<Record<string, readonly string[]>> = {
  'src/server/domain': ['test/domain', 'test/products', 'test/jobs/schedule-messages'],
  'src/server/http': ['test/http', 'test/products'],
  'src/server/products': ['test/products'],
  'src/server/delivery': ['test/delivery', 'test/jobs/deliveries', 'test/products/flight-info-alerts'],
};

/** At most this many test files for a mutant, and this much of their time in seconds: later ones rarely kill it. */
const LIMITS = { files: 12, isolatedFiles: 6, seconds: 20 } as const;

export type MutantPlan = {
  readonly mutant: Mutant;
  /** Whether the code runs when the module is loaded: such a mutant needs a process of its own. */
  readonly isolated: boolean;
  readonly hits: number;
  readonly selections: readonly TestSelection[];
};

type Candidate = TestSelection & { readonly milliseconds: number; readonly distance: number };

const isBelow = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

const importPattern = /(?:^(?:import|export)\s(?!type\b)[^'";]*|\bimport\()'([.#][^']+)'/gm;

/** Returns the number of imports from each test file to each module that it loads. */
const computeDistances = (root: string, files: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const modules = new Map(readTests(root));
  for (const path of globSync('{src,generated}/**/*.ts', { cwd: root }))
    modules.set(path, readFileSync(join(root, path), 'utf8'));
  const imports = new Map(
    [...modules].map(([path, text]) => [
      path,
      [...text.matchAll(importPattern)].flatMap(([, specifier = '']) => toOwnPath(path, specifier) ?? []),
    ]),
  );
  return new Map(
    files.map((file) => {
      const distances = new Map([[file, 0]]);
      // Iterating over a Map also visits entries added during the iteration.
      for (const [path, distance] of distances)
        for (const imported of imports.get(path) ?? [])
          if (!distances.has(imported)) distances.set(imported, distance + 1);
      return [file, distances];
    }),
  );
};

/** Earlier killers first, then tests of the module itself, then quick ones. */
const compareCandidates =
  (killer: string | undefined) =>
  (a: Candidate, b: Candidate): number =>
    Number(b.file === killer) - Number(a.file === killer) ||
    Math.min(a.distance, 3) - Math.min(b.distance, 3) ||
    a.milliseconds - b.milliseconds;

const limitCandidates = (candidates: readonly Candidate[], files: number): readonly Candidate[] => {
  let seconds = 0;
  return candidates.slice(0, files).filter(({ milliseconds }, index) => {
    seconds += milliseconds / 1000;
    return index === 0 || seconds <= LIMITS.seconds;
  });
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Chooses for each mutant the tests that reach it. */
export const planRuns = (
  root: string,
  mutants: readonly Mutant[],
  { coverage, killers }: { readonly coverage: readonly FileCoverage[]; readonly killers: ReadonlyMap<string, string> },
): readonly MutantPlan[] => {
  const passing = coverage.filter(({ passed }) => passed);
  const distances = computeDistances(
    root,
    passing.map(({ file }) => file),
  );
  return mutants.map((mutant): MutantPlan => {
    const folders = testFolders[mutant.folder] ?? [];
    const isolated = passing.some(({ hits }) => hits['load']?.[mutant.id] !== undefined);
    let hitCount = 0;
    const candidates = passing.flatMap(({ file, hits, milliseconds }): Candidate[] => {
      if (!folders.some((folder) => isBelow(file, folder))) return [];
      const distance = distances.get(file)?.get(mutant.file);
      const names = Object.keys(hits).filter((name) => hits[name]?.[mutant.id] !== undefined);
      hitCount += sum(names.map((name) => hits[name]?.[mutant.id] ?? 0));
      // Only the first import of a module in a process is seen, so any file that imports it may depend on it.
      if (isolated ? distance === undefined : names.length === 0) return [];
      const all = isolated || names.includes('hooks');
      const total = milliseconds['hooks'] ?? 0;
      const tests = sum(Object.entries(milliseconds).map(([name, time]) => (name === 'hooks' ? 0 : time)));
      const selected = sum(names.map((name) => milliseconds[name] ?? 0));
      return [
        {
          file,
          names: all ? undefined : names,
          milliseconds: all ? total : total - tests + selected,
          distance: distance ?? 99,
        },
      ];
    });
    const selections = limitCandidates(
      candidates.toSorted(compareCandidates(killers.get(mutant.key))),
      isolated ? LIMITS.isolatedFiles : LIMITS.files,
    ).map(({ file, names }) => ({ file, names }));
    return { mutant, isolated, hits: hitCount, selections };
  });
};
