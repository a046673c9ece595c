import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type FileDifference = { readonly path: string; readonly kind: 'missing' | 'changed' | 'stale' };

const filesOf = (dir: string): readonly string[] =>
  existsSync(dir) ? globSync('**', { cwd: dir }).filter((path) => statSync(join(dir, path)).isFile()) : [];

/** What must be written to or removed from `dir` to make it the same as `wanted`, by path. */
export const diffFolders = (dir: string, wanted: string): readonly FileDifference[] => {
  const here = new Set(filesOf(dir));
  const there = new Set(filesOf(wanted));
  const isSame = (path: string) => readFileSync(join(dir, path)).equals(readFileSync(join(wanted, path)));
  return [...new Set([...here, ...there])].toSorted().flatMap((path): FileDifference[] => {
    if (!there.has(path)) return [{ path, kind: 'stale' }];
    if (!here.has(path)) return [{ path, kind: 'missing' }];
    return isSame(path) ? [] : [{ path, kind: 'changed' }];
  });
};
