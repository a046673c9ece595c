import type { HealthFinding } from '#domain/health/data-health.ts';
import { readDiskSpace } from '#store/engine/disk-space.ts';
import { hasEmbeddedStore } from '#store/engine/embedded.ts';
import type { Database } from '#store/pool/database.ts';
import { isWriteFailure } from '#store/pool/driver/driver.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Free space in bytes. Measured: a new store takes 65 MB, the demo world with its flown month and its WAL 1.4 GB. */
const needed = {
  newStore: 128 * MIB,
  demo: 2 * GIB,
  /** Below this, PostgreSQL cannot write a WAL segment of 16 MB and tables beside it. */
  write: 64 * MIB,
  /** One load of a large schedule. */
  load: 5 * GIB,
};

const formatSize = (bytes: number): string =>
  bytes < GIB ? `${Math.floor(bytes / MIB)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;

const freeSpace = "delete other files there, extend the file system, or delete old days with 'flightdata prune'";

/** Rejects a new embedded store without room for it, and warns when an existing one cannot write. */
export const assertRoom = async (
  dataDir: string,
  { demo, warn }: { readonly demo: boolean; readonly warn: (text: string) => void },
): Promise<void> => {
  const { mountPoint, freeBytes } = await readDiskSpace(dataDir);
  const found = `${formatSize(freeBytes)} free on ${mountPoint}`;
  const isNew = !hasEmbeddedStore(dataDir);
  const minimum = demo ? needed.demo : needed.newStore;
  if (isNew && freeBytes < minimum)
    throw new Error(
      `DATA_DIR=${dataDir} has too little space: a new store${demo ? ' with the demo world' : ''} needs ${formatSize(minimum)}, ` +
        `${found}; free space there, set DATA_DIR to a folder on another file system, or use DATABASE_URL`,
    );
  if (!isNew && freeBytes < needed.write) warn(`warning: ${found}: PostgreSQL may not be able to write; ${freeSpace}`);
};

/** Assesses the free space of DATA_DIR; `bytes` is the size of the store, if known. */
export const assessDataDirectory = async (dataDir: string, bytes?: number): Promise<HealthFinding> => {
  const { mountPoint, freeBytes } = await readDiskSpace(dataDir);
  const store = bytes === undefined ? '' : `store size ${formatSize(bytes)}, `;
  const found = `${store}${formatSize(freeBytes)} free on ${mountPoint}`;
  if (freeBytes < needed.write)
    return { name: 'room', level: 'failure', text: `${found}: PostgreSQL may not be able to write; ${freeSpace}` };
  if (freeBytes < needed.load)
    return {
      name: 'room',
      level: 'warning',
      text: `${found}; a large load needs up to ${formatSize(needed.load)}; ${freeSpace}`,
    };
  return { name: 'room', level: 'ok', text: found };
};

/** Assesses whether PostgreSQL can write, which only its own host knows otherwise: creates a temporary table of 1 MB. */
export const assessWrites = async (db: Database, bytes: number): Promise<HealthFinding> => {
  const text = `store size ${formatSize(bytes)}`;
  try {
    await db.begin(
      (sql) => sql`
        create temporary table room_probe on commit drop as
        select repeat(md5(n::text), 32) as text from generate_series(1, 1000) as n`,
    );
    return { name: 'room', level: 'ok', text };
  } catch (error) {
    if (!isWriteFailure(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return {
      name: 'room',
      level: 'failure',
      text: `${text}; PostgreSQL cannot write (${reason}): free space on the disk of the database`,
    };
  }
};
