import { carrierIn, type Directory } from '../../domain/directory.ts';
import type { StatusMessage } from '../../domain/status/message.ts';
import { addMissingCarrier } from '../../store/carriers.ts';
import type { Database } from '../../store/database.ts';
import { readDirectory } from '../directory.ts';
import { takeMessages, type Outcome } from './take-messages.ts';

/** The one way in for status messages, whatever feed they come from. */
export type StatusDoor = {
  /** Takes a batch in; see `takeMessages`. Batches are taken one after the other. */
  readonly take: (messages: readonly StatusMessage[]) => Promise<readonly Outcome[]>;
};

const strangers = (messages: readonly StatusMessage[], directory: Directory): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ plan, flight }) =>
      plan && flight.by === 'designator' && !carrierIn(directory, flight.carrier) ? [flight.carrier] : [],
    ),
  );

/** A day that vanished under a batch, because a schedule load put another table in its place: trying again finds the new one. */
const isReplaced = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '42P01' || error.code === 'XX000' || error.code === '40P01');

const ATTEMPTS = 3;

/**
 * Opens the door. `directory` answers the master data as it is now; where nobody else watches it, leave it out: then it is
 * read here, and again when a batch speaks of a carrier that is not in it.
 */
export const openStatusDoor = async (db: Database, directory?: () => Directory): Promise<StatusDoor> => {
  let own = directory ? directory() : await readDirectory(db);
  const takeOnce = async (messages: readonly StatusMessage[]): Promise<readonly Outcome[]> => {
    if (directory) own = directory();
    const unknown = strangers(messages, own);
    if (unknown.size > 0) {
      await db.begin(async (sql) => {
        for (const code of unknown) await addMissingCarrier(sql, code.length === 3 ? { icao: code } : { iata: code });
      });
      own = await readDirectory(db);
    }
    return takeMessages(db, messages, own);
  };
  const takeAgain = async (messages: readonly StatusMessage[], attempt: number): Promise<readonly Outcome[]> => {
    try {
      return await takeOnce(messages);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isReplaced(error)) throw error;
      return takeAgain(messages, attempt + 1);
    }
  };
  let queue: Promise<unknown> = Promise.resolve();
  return {
    take: (messages) => {
      const taken = queue.then(() => takeAgain(messages, 1));
      queue = taken.catch(() => {});
      return taken;
    },
  };
};
