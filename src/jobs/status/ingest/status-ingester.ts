import type { Directory } from '../../../domain/master-data/directory.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import type { Database } from '../../../store/pool/database.ts';
import { readDirectory } from '../../cache/read-directory.ts';
import { addUnknownCarriers, findUnknownCarriers } from './unknown-carriers.ts';
import { createFlightCache } from '../flights/flight-cache.ts';
import { dependsOnStatus, splitIntoRuns } from '../match/message-batches.ts';
import type { MessageOutcome } from '../store/store-messages.ts';
import { matchBatch, storeMatched, ingestMessages, type MatchedBatch } from './ingest-messages.ts';

/** Ingests the status messages of any feed. */
export type StatusIngester = {
  /** Ingests a batch; see `storeMatched`. Batches are stored in the order of the calls. */
  readonly ingest: (messages: readonly StatusMessage[]) => Promise<readonly MessageOutcome[]>;
};

/** Whether a schedule load has replaced the table of a day (undefined table, stale relation) or deadlocked with the batch. */
const isDayReplaced = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '42P01' || error.code === 'XX000' || error.code === '40P01');

const MAX_ATTEMPTS = 3;

/**
 * Creates an ingester. `getDirectory` returns current master data; without it they are read now, and again when a message names an unknown
 * carrier. While a batch is stored, the next one is matched, unless it depends on the former.
 */
export const createStatusIngester = async (
  db: Database,
  getDirectory?: () => Directory,
  clock = (): Date => new Date(),
): Promise<StatusIngester> => {
  const cache = createFlightCache();
  let directory = getDirectory ? getDirectory() : await readDirectory(db);

  const updateDirectory = async (messages: readonly StatusMessage[]): Promise<Directory> => {
    if (getDirectory) directory = getDirectory();
    const unknown = findUnknownCarriers(messages, directory);
    if (unknown.size > 0) directory = await db.begin((sql) => addUnknownCarriers(sql, unknown));
    return directory;
  };

  const store = async (batch: MatchedBatch): Promise<readonly MessageOutcome[]> => {
    const messages = batch.matched.map(({ message }) => message);
    for (let attempt = 1; ; attempt += 1)
      try {
        if (attempt === 1) return await storeMatched(db, batch, { directory, clock, cache });
        return await ingestMessages(db, messages, { directory: await updateDirectory(messages), clock, cache });
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isDayReplaced(error)) throw error;
      }
  };

  let lastMatch: Promise<unknown> = Promise.resolve();
  let lastStore: Promise<unknown> = Promise.resolve();
  let describesFlights = false;
  const ingestRun = (messages: readonly StatusMessage[]): Promise<readonly MessageOutcome[]> => {
    const dependsOnLast = describesFlights || messages.some(({ flight }) => dependsOnStatus(flight));
    const matched = (dependsOnLast ? lastStore : lastMatch).then(async () =>
      matchBatch(db, messages, { directory: await updateDirectory(messages), cache }),
    );
    const stored = Promise.all([matched, lastStore]).then(([batch]) => store(batch));
    lastMatch = matched.catch(() => {});
    lastStore = stored.catch(() => {});
    describesFlights = messages.some(({ plan }) => plan !== undefined);
    return stored;
  };
  return { ingest: async (messages) => (await Promise.all(splitIntoRuns(messages).map(ingestRun))).flat() };
};
