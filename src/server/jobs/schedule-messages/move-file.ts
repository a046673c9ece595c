import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '#lib/error-code.ts';

/** The names under which a file can be stored: its own, then with numbers. */
function* listNames(name: string): Generator<string> {
  yield name;
  for (let number = 1; ; number += 1) yield `${name}.${number}`;
}

const isMissing = (error: unknown): boolean => getErrorCode(error) === 'ENOENT';

/** Errors of file systems without hard links, and of folders on another file system. */
const withoutLinks = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

/** Copies a file completely or not at all, under a name that no other file has. */
const copyExclusively = async (from: string, to: string): Promise<void> => {
  const temporary = `${to}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    if (await stat(to).catch(() => undefined)) throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' });
    await rename(temporary, to);
  } finally {
    await rm(temporary, { force: true });
  }
};

/** Gives a file a further name that no other file has. Throws an error with the code EEXIST when there is one. */
export const linkExclusively = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (!withoutLinks.has(getErrorCode(error))) throw error;
    await copyExclusively(from, to);
  }
};

/**
 * Moves a file into a folder without overwriting: the name gets a number when it is taken. Returns the name; undefined when the file does not
 * exist. After an interruption between the two steps, a file that has the folder's entry already is only removed from its old place.
 */
export const moveToFolder = async (from: string, folder: string, name: string): Promise<string | undefined> => {
  for (const candidate of listNames(name))
    try {
      await linkExclusively(from, join(folder, candidate));
      await unlink(from);
      return candidate;
    } catch (error) {
      // The error can also mean that the folder is missing.
      if (isMissing(error) && !(await lstat(from).catch(() => undefined))) return undefined;
      if (getErrorCode(error) !== 'EEXIST') throw error;
      const [source, existing] = await Promise.all(
        [from, join(folder, candidate)].map((path) => stat(path).catch(() => undefined)),
      );
      if (source && source.ino === existing?.ino && source.dev === existing.dev) {
        await unlink(from);
        return candidate;
      }
    }
  throw new Error('there is always a further name');
};
