import type { Database } from '../../store/pool/database.ts';
import { MASTER_DATA_CHANNEL } from '../../store/master-data/master-data-changes.ts';

/** What somebody keeps of master data, and how to stop keeping it up to date. */
export type MasterDataWatch<Kept> = { readonly current: () => Kept; readonly stop: () => Promise<void> };

/**
 * Keeps master data in memory as they are in the database: read now, and again whenever a load says that they changed, by
 * whichever process. `onError` hears of a reading that failed; what was read before then stays until the next change.
 */
export const watchMasterData = async <Kept>(
  db: Database,
  { read, onError }: { readonly read: (db: Database) => Promise<Kept>; readonly onError: (error: unknown) => void },
): Promise<MasterDataWatch<Kept>> => {
  let current = await read(db);
  let reading: Promise<void> = Promise.resolve();
  const readAgain = async (): Promise<void> => {
    try {
      current = await read(db);
    } catch (error) {
      onError(error);
    }
  };
  const refresh = (): void => {
    reading = reading.then(readAgain);
  };
  // The second function runs at every (re)connection: what was announced meanwhile has been missed.
  const { unlisten } = await db.listen(MASTER_DATA_CHANNEL, refresh, refresh);
  const stop = async (): Promise<void> => {
    await unlisten();
    await reading;
  };
  return { current: () => current, stop };
};
