import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The file system of a folder. */
export type DiskSpace = { readonly mountPoint: string; readonly freeBytes: number };

const readDevice = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.dev;

/** Reads the free space for a folder, or for the nearest one above it that exists. */
export const readDiskSpace = async (folder: string): Promise<DiskSpace> => {
  const device = await readDevice(folder);
  const parent = dirname(folder);
  if (device === undefined && parent !== folder) return readDiskSpace(parent);
  let mountPoint = folder;
  while (dirname(mountPoint) !== mountPoint && (await readDevice(dirname(mountPoint))) === device)
    mountPoint = dirname(mountPoint);
  const { bavail, blocks, bsize } = await statfs(folder);
  // File systems such as /proc have no blocks at all.
  return { mountPoint, freeBytes: blocks === 0 ? Infinity : bavail * bsize };
};
