import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { escapeControls } from '#lib/escape-controls.ts';

/** Writes bytes in order; resolves when more can be written. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

/** Writes to standard output; waits while its buffer is full. */
export const writeStandardOutput: WriteBytes = async (bytes) => {
  if (!process.stdout.write(bytes)) await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
};

/** Prints rows with tabs between cells. Cells are escaped: a subscriber or a sender can have chosen them. */
export const printRows = (rows: readonly (readonly (string | number)[])[]): void => {
  process.stdout.write(rows.map((row) => `${row.map((cell) => escapeControls(String(cell))).join('\t')}\n`).join(''));
};

/**
 * Writes a file completely or not at all: it has a temporary name, `<path>.<random>.tmp`, until `work` has succeeded. Replaces an
 * existing file; rejects when the path is something else, such as a directory.
 */
export const writeWholeFile = async <T>(path: string, work: (write: WriteBytes) => Promise<T>): Promise<T> => {
  const existing = await stat(path).catch(() => undefined);
  if (existing && !existing.isFile()) throw new Error(`${path} is not a regular file`);
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  const file = await open(temporary, 'wx');
  try {
    const result = await work((bytes) => file.writeFile(bytes));
    await file.sync();
    await file.close();
    await rename(temporary, path);
    return result;
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
};
