import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import { restoreRegistration } from '../../../products/flight-info/v2/redact-registration.ts';
import { redactRegistration } from '../../../products/flight-info-alerts/v1/events/redact-registration.ts';
import type { Database, Sql } from '../../../store/pool/database.ts';
import {
  upsertRegistrationBlock,
  notifyRegistrationBlocks,
  deleteRegistrationBlock,
  type RegistrationBlock,
} from '../../../store/flights/registration-blocks.ts';
import { lockAllStatuses } from '../../../store/status/flight-statuses.ts';
import {
  listEventBodies,
  findEventRange,
  lockStatusDocuments,
  updateEventBodies,
  updateStatusDocuments,
} from '../../../store/status/redacted-documents.ts';
import { redactDocument } from './redact-registrations.ts';

/** Events that are looked through by one statement. */
const BATCH_SIZE = 10_000;

/** What no longer names an aircraft, or names it again. */
export type RedactionReport = { readonly flights: number; readonly events: number };

const redactDocuments = async (sql: Sql, registration: string, skipLocked: boolean): Promise<number> => {
  const kept = await lockStatusDocuments(sql, registration, { skipLocked });
  const changed = kept
    .map((one) => ({ ...one, doc: redactDocument(one.doc) }))
    .filter(({ doc }, index) => doc !== kept[index]?.doc);
  await updateStatusDocuments(sql, changed);
  return changed.length;
};

const redactEvents = async (db: Database, registration: string): Promise<number> => {
  const kept = await findEventRange(db);
  if (!kept) return 0;
  let rewritten = 0;
  for (let after = kept.first - 1; after < kept.last; after += BATCH_SIZE)
    rewritten += await db.begin(async (sql) => {
      const found = await listEventBodies(sql, registration, { after, to: after + BATCH_SIZE });
      const changed = found
        .map(({ seq, body }) => ({ seq, body: redactRegistration(body, registration) }))
        .filter(({ body }, index) => body !== found[index]?.body);
      await updateEventBodies(sql, changed);
      return changed.length;
    });
  return rewritten;
};

/**
 * Leaves a registration out of every answer and every event from now on. At once: it is on the list that every writer of statuses and every
 * answer from history reads, and the documents that are kept ready are written anew. Then the writers that began before are waited for,
 * and what they wrote is written anew as well; last come the events of the log. Once it has resolved nothing names the aircraft but what was sent
 * before and cannot be taken back. It can be called again, as after an interruption, and then does what is left.
 */
export const blockRegistration = async (db: Database, block: RegistrationBlock): Promise<RedactionReport> => {
  const { registration } = block;
  await upsertRegistrationBlock(db, block);
  const atOnce = await db.begin((sql) => redactDocuments(sql, registration, true));
  const later = await db.begin(async (sql) => {
    await lockAllStatuses(sql);
    return redactDocuments(sql, registration, false);
  });
  const events = await redactEvents(db, registration);
  await notifyRegistrationBlocks(db);
  return { flights: atOnce + later, events };
};

const restoreDocument = (doc: string, registration: string): string => {
  const status: StatusDetails = JSON.parse(doc);
  return JSON.stringify(restoreRegistration(status, registration));
};

/**
 * Shows a registration again, in statuses and their history as if it had never been blocked. Events that were written anew stay as they
 * are. Undefined when it was not blocked. Waits for writers of statuses.
 */
export const unblockRegistration = async (db: Database, registration: string): Promise<RedactionReport | undefined> =>
  db.begin(async (sql) => {
    await lockAllStatuses(sql);
    if (!(await deleteRegistrationBlock(sql, registration))) return undefined;
    const kept = await lockStatusDocuments(sql, registration, { skipLocked: false });
    await updateStatusDocuments(
      sql,
      kept.map((one) => ({ ...one, doc: restoreDocument(one.doc, registration) })),
    );
    return { flights: kept.length, events: 0 };
  });
