import type { Directory } from '../domain/directory.ts';
import type { Database } from '../store/database.ts';
import { MASTER_DATA_CHANNEL } from '../store/master-data-changes.ts';
import { readDirectory } from './directory.ts';

/**
 * Keeps the directory in memory as it is in the database: read now, and again whenever a load says that it changed, by
 * whichever process. `onError` hears of a reading that failed; the directory then stays as it was until the next change.
 */
export const watchMasterData = async (
  db: Database,
  onError: (error: unknown) => void,
): Promise<{ readonly directory: () => Directory; readonly stop: () => Promise<void> }> => {
  let current = await readDirectory(db);
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    try {
      current = await readDirectory(db);
    } catch (error) {
      onError(error);
    }
  };
  const refresh = (): void => {
    reading = reading.then(read);
  };
  // The second function runs at every (re)connection: what was announced meanwhile has been missed.
  const { unlisten } = await db.listen(MASTER_DATA_CHANNEL, refresh, refresh);
  const stop = async (): Promise<void> => {
    await unlisten();
    await reading;
  };
  return { directory: () => current, stop };
};
