import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Texts of modules by their path from the root of the project, e.g. `test/domain/time/dates.test.ts`. */
export type Modules = ReadonlyMap<string, string>;

/** What a run of the tests is made of: files that ask for its database, and all others. */
export type TestGroups = { readonly stored: readonly string[]; readonly plain: readonly string[] };

/** Statements begin a line in the one format of the sources; so texts of modules within tests are not taken for imports. */
const ownImports = /(?:^(?:import|export)\s[^'";]*|\bimport\()'(\.[^']+)'/gm;

/** A helper that takes what the setup of the run provides, first of all the address of its server. Nobody can have it otherwise. */
const takesWhatIsProvided = /^import \{[^}]*\binject\b[^}]*\} from 'vitest';/m;

const importsOf = (path: string, text: string): readonly string[] =>
  [...text.matchAll(ownImports)].map(([, specifier = '']) => posix.join(posix.dirname(path), specifier));

const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** The helpers that take what is provided, and all that import one of them, at first hand or by way of others. */
const askersIn = (modules: Modules): ReadonlySet<string> => {
  const importers = new Map<string, string[]>();
  for (const [path, text] of modules)
    for (const imported of importsOf(path, text)) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  const helpers = [...modules].filter(([path, text]) => !isTest(path) && takesWhatIsProvided.test(text));
  const found = new Set(helpers.map(([path]) => path));
  // A set that grows while it is walked hands out what was added, too.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return found;
};

/**
 * Sorts test files by what they import, types included: those that may ask for a database of the server of the run, which are
 * worth running on each PostgreSQL, and those whose outcome that server cannot change.
 */
export const groupTests = (modules: Modules): TestGroups => {
  const askers = askersIn(modules);
  const tests = [...modules.keys()].filter(isTest);
  return { stored: tests.filter((path) => askers.has(path)), plain: tests.filter((path) => !askers.has(path)) };
};

/** Every module under test/ in the folder `root`. Takes about 0.04 s. */
export const readTests = (root: string): Modules =>
  new Map(
    globSync('test/**/*.ts', { cwd: root })
      .toSorted()
      .map((path) => [path, readFileSync(posix.join(root, path), 'utf8')]),
  );
