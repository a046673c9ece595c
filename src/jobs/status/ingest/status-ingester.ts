import type { Directory } from '../../../domain/master-data/directory.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import type { Database } from '../../../store/pool/database.ts';
import { readDirectory } from '../../cache/read-directory.ts';
import { addUnknownCarriers, findUnknownCarriers } from './unknown-carriers.ts';
import { createFlightCache } from '../flights/flight-cache.ts';
import { dependsOnStatus, splitIntoRuns } from '../match/message-batches.ts';
import type { MessageOutcome } from '../store/store-messages.ts';
import { matchBatch, storeMatched, ingestMessages, type MatchedBatch } from './ingest-messages.ts';

/** The one way in for status messages, whatever feed they come from. */
export type StatusIngester = {
  /** Takes a batch in; see `storePlaced`. Batches are stored in the order in which they are handed in. */
  readonly ingest: (messages: readonly StatusMessage[]) => Promise<readonly MessageOutcome[]>;
};

/** A day that vanished under a batch, because a schedule load put another table in its place: trying again finds the new one. */
const isDayReplaced = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '42P01' || error.code === 'XX000' || error.code === '40P01');

const ATTEMPTS = 3;

/**
 * Opens the door. `directory` answers the master data as it is now; where nobody else watches it, leave it out: then it is
 * read here, and again when a batch speaks of a carrier that is not in it. While one batch is stored the flights of the next
 * are looked up, unless what is being stored bears on that. Events are dated by `clock`.
 */
export const openStatusIngester = async (
  db: Database,
  directory?: () => Directory,
  clock = (): Date => new Date(),
): Promise<StatusIngester> => {
  const memory = createFlightCache();
  let own = directory ? directory() : await readDirectory(db);

  const current = async (messages: readonly StatusMessage[]): Promise<Directory> => {
    if (directory) own = directory();
    const strangers = findUnknownCarriers(messages, own);
    if (strangers.size > 0) own = await db.begin((sql) => addUnknownCarriers(sql, strangers));
    return own;
  };

  const store = async (batch: MatchedBatch): Promise<readonly MessageOutcome[]> => {
    const messages = batch.matched.map(({ message }) => message);
    for (let attempt = 1; ; attempt += 1)
      try {
        if (attempt === 1) return await storeMatched(db, batch, { directory: own, clock, cache: memory });
        return await ingestMessages(db, messages, { directory: await current(messages), clock, cache: memory });
      } catch (error) {
        if (attempt === ATTEMPTS || !isDayReplaced(error)) throw error;
      }
  };

  let placing: Promise<unknown> = Promise.resolve();
  let storing: Promise<unknown> = Promise.resolve();
  let describesFlights = false;
  const takeRun = (messages: readonly StatusMessage[]): Promise<readonly MessageOutcome[]> => {
    const before = describesFlights || messages.some(({ flight }) => dependsOnStatus(flight)) ? storing : placing;
    const placed = before.then(async () =>
      matchBatch(db, messages, { directory: await current(messages), cache: memory }),
    );
    const stored = Promise.all([placed, storing]).then(([batch]) => store(batch));
    placing = placed.catch(() => {});
    storing = stored.catch(() => {});
    describesFlights = messages.some(({ plan }) => plan !== undefined);
    return stored;
  };
  return { ingest: async (messages) => (await Promise.all(splitIntoRuns(messages).map(takeRun))).flat() };
};
