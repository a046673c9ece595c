import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { startMasterDataCache } from '#jobs/cache/master-data-cache.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import type { Database } from '#store/pool/database.ts';

const warn = (error: unknown): void => {
  process.stderr.write(`warning: reloading the master data failed, the previous ones stay in use: ${String(error)}\n`);
};

/** Runs `work` on standard input until it ends; the master data are read again whenever they change. */
export const readStandardInput = async (
  db: Database,
  work: (input: AsyncIterable<Uint8Array>, getMasterDataIndex: () => MasterDataIndex) => Promise<void>,
): Promise<void> => {
  const cache = await startMasterDataCache(db, { read: readMasterDataIndex, onError: warn });
  try {
    await work(process.stdin, cache.current);
  } finally {
    // An open standard input keeps the process alive after an error.
    process.stdin.destroy();
  }
  await cache.stop();
};
