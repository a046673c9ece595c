import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** On Linux this folder is in memory. */
const MEMORY = '/dev/shm';

/** More than twice what a run of all tests needs (1.5 GB), both as free space there and as available memory. */
const ENOUGH_BYTES = 4 * 2 ** 30;

const hasRoom = async (): Promise<boolean> => {
  const room = await statfs(MEMORY).catch(() => undefined);
  return room !== undefined && Math.min(room.bavail * room.bsize, process.availableMemory()) >= ENOUGH_BYTES;
};

/** Creates a folder for a temporary database: in memory where there is space, which is ten times as fast, else on disk. */
export const createScratchFolder = async (): Promise<string> =>
  mkdtemp(join((await hasRoom()) ? MEMORY : tmpdir(), 'flightdata-test-'));
