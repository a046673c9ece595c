import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type FileDifference = { readonly path: string; readonly kind: 'missing' | 'changed' | 'stale' };

const listFiles = (dir: string): readonly string[] =>
  existsSync(dir) ? globSync('**', { cwd: dir }).filter((path) => statSync(join(dir, path)).isFile()) : [];

/** Lists the files of `dir` that must be written or removed to make it equal to `expected`, by path. */
export const diffFolders = (dir: string, expected: string): readonly FileDifference[] => {
  const present = new Set(listFiles(dir));
  const expectedFiles = new Set(listFiles(expected));
  const isSame = (path: string) => readFileSync(join(dir, path)).equals(readFileSync(join(expected, path)));
  return [...new Set([...present, ...expectedFiles])].toSorted().flatMap((path): FileDifference[] => {
    if (!expectedFiles.has(path)) return [{ path, kind: 'stale' }];
    if (!present.has(path)) return [{ path, kind: 'missing' }];
    return isSame(path) ? [] : [{ path, kind: 'changed' }];
  });
};
