import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { toOwnPath } from '#contract/own-path.ts';

/** Module texts by path from the root of the project, e.g. `test/domain/time/dates.test.ts`. */
export type Modules = ReadonlyMap<string, string>;

/** Test files that use the database of the run, and all others. */
export type TestGroups = { readonly stored: readonly string[]; readonly plain: readonly string[] };

/** Statements start a line in formatted sources; module texts inside tests do not. */
const ownImports = /(?:^(?:import|export)\s[^'";]*|\bimport\()'([.#][^']+)'/gm;

/** A helper that injects what the global setup provides; the only way to reach the server of the run. */
const injectsProvided = /^import \{[^}]*\binject\b[^}]*\} from 'vitest';/m;

const listImports = (path: string, text: string): readonly string[] =>
  [...text.matchAll(ownImports)].flatMap(([, specifier = '']) => toOwnPath(path, specifier) ?? []);

const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** Returns the helpers that inject, and all modules that import one of them directly or indirectly. */
const findDatabaseUsers = (modules: Modules): ReadonlySet<string> => {
  const importers = new Map<string, string[]>();
  for (const [path, text] of modules)
    for (const imported of listImports(path, text)) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  const helpers = [...modules].filter(([path, text]) => !isTest(path) && injectsProvided.test(text));
  const users = new Set(helpers.map(([path]) => path));
  // Iterating over a Set also visits members added during the iteration.
  for (const path of users) for (const importer of importers.get(path) ?? []) users.add(importer);
  return users;
};

/** Groups test files by their imports, types included: those that may use a database, and all others. */
export const groupTests = (modules: Modules): TestGroups => {
  const users = findDatabaseUsers(modules);
  const tests = [...modules.keys()].filter(isTest);
  return { stored: tests.filter((path) => users.has(path)), plain: tests.filter((path) => !users.has(path)) };
};

/** Reads every module under test/ in the folder `root` (about 0.04 s). */
export const readTests = (root: string): Modules =>
  new Map(
    globSync('test/**/*.ts', { cwd: root })
      .toSorted()
      .map((path) => [path, readFileSync(posix.join(root, path), 'utf8')]),
  );
