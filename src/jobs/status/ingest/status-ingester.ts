import type { Directory } from '../../../domain/master-data/directory.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import type { Database } from '../../../store/pool/database.ts';
import { readDirectory } from '../../cache/read-directory.ts';
import { addStrangers, strangersAmong } from './unknown-carriers.ts';
import { openFlightMemory } from '../flights/flight-cache.ts';
import { dependsOnStatus, runsOf } from '../match/message-batches.ts';
import type { Outcome } from '../store/store-messages.ts';
import { placeBatch, storePlaced, takeMessages, type Batch } from './ingest-messages.ts';

/** The one way in for status messages, whatever feed they come from. */
export type StatusDoor = {
  /** Takes a batch in; see `storePlaced`. Batches are stored in the order in which they are handed in. */
  readonly take: (messages: readonly StatusMessage[]) => Promise<readonly Outcome[]>;
};

/** A day that vanished under a batch, because a schedule load put another table in its place: trying again finds the new one. */
const isReplaced = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '42P01' || error.code === 'XX000' || error.code === '40P01');

const ATTEMPTS = 3;

/**
 * Opens the door. `directory` answers the master data as it is now; where nobody else watches it, leave it out: then it is
 * read here, and again when a batch speaks of a carrier that is not in it. While one batch is stored the flights of the next
 * are looked up, unless what is being stored bears on that. Events are dated by `clock`.
 */
export const openStatusDoor = async (
  db: Database,
  directory?: () => Directory,
  clock = (): Date => new Date(),
): Promise<StatusDoor> => {
  const memory = openFlightMemory();
  let own = directory ? directory() : await readDirectory(db);

  const current = async (messages: readonly StatusMessage[]): Promise<Directory> => {
    if (directory) own = directory();
    const strangers = strangersAmong(messages, own);
    if (strangers.size > 0) own = await db.begin((sql) => addStrangers(sql, strangers));
    return own;
  };

  const store = async (batch: Batch): Promise<readonly Outcome[]> => {
    const messages = batch.placed.map(({ message }) => message);
    for (let attempt = 1; ; attempt += 1)
      try {
        if (attempt === 1) return await storePlaced(db, batch, { directory: own, clock, memory });
        return await takeMessages(db, messages, { directory: await current(messages), clock, memory });
      } catch (error) {
        if (attempt === ATTEMPTS || !isReplaced(error)) throw error;
      }
  };

  let placing: Promise<unknown> = Promise.resolve();
  let storing: Promise<unknown> = Promise.resolve();
  let describesFlights = false;
  const takeRun = (messages: readonly StatusMessage[]): Promise<readonly Outcome[]> => {
    const before = describesFlights || messages.some(({ flight }) => dependsOnStatus(flight)) ? storing : placing;
    const placed = before.then(async () => placeBatch(db, messages, { directory: await current(messages), memory }));
    const stored = Promise.all([placed, storing]).then(([batch]) => store(batch));
    placing = placed.catch(() => {});
    storing = stored.catch(() => {});
    describesFlights = messages.some(({ plan }) => plan !== undefined);
    return stored;
  };
  return { take: async (messages) => (await Promise.all(runsOf(messages).map(takeRun))).flat() };
};
