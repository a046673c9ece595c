import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { restoreRegistration } from '#products/flight-info/v2/redact-registration.ts';
import { redactRegistration } from '#products/flight-info-alerts/v1/events/redact-registration.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import {
  upsertRegistrationBlock,
  notifyRegistrationBlocks,
  deleteRegistrationBlock,
  type RegistrationBlock,
} from '#store/flights/registration-blocks.ts';
import { lockAllStatuses } from '#store/status/flight-statuses.ts';
import {
  listEventBodies,
  findEventRange,
  lockStatusDocuments,
  updateEventBodies,
  updateStatusDocuments,
} from '#store/status/redacted-documents.ts';
import { redactDocument } from './redact-registrations.ts';

/** Events that are searched by one statement. */
const BATCH_SIZE = 10_000;

/** How many flights and events were changed. */
export type RedactionReport = { readonly flights: number; readonly events: number };

const redactDocuments = async (sql: Sql, registration: string, skipLocked: boolean): Promise<number> => {
  const documents = await lockStatusDocuments(sql, registration, { skipLocked });
  const changed = documents
    .map((one) => ({ ...one, doc: redactDocument(one.doc) }))
    .filter(({ doc }, index) => doc !== documents[index]?.doc);
  await updateStatusDocuments(sql, changed);
  return changed.length;
};

const redactEvents = async (db: Database, registration: string): Promise<number> => {
  const range = await findEventRange(db);
  if (!range) return 0;
  let rewritten = 0;
  for (let after = range.first - 1; after < range.last; after += BATCH_SIZE)
    rewritten += await db.begin(async (sql) => {
      const bodies = await listEventBodies(sql, registration, { after, to: after + BATCH_SIZE });
      const changed = bodies
        .map(({ seq, body }) => ({ seq, body: redactRegistration(body, registration) }))
        .filter(({ body }, index) => body !== bodies[index]?.body);
      await updateEventBodies(sql, changed);
      return changed.length;
    });
  return rewritten;
};

/**
 * Redacts a registration in all responses and events. Four steps: (1) add it to the list of blocks, which writers of statuses and responses with
 * history read; (2) redact stored documents; (3) wait for writers that began before, and redact what they wrote; (4) redact the events of the log.
 * When it resolves, only what was sent before contains the registration. After an interruption it can be called again.
 */
export const blockRegistration = async (db: Database, block: RegistrationBlock): Promise<RedactionReport> => {
  const { registration } = block;
  await upsertRegistrationBlock(db, block);
  const unlocked = await db.begin((sql) => redactDocuments(sql, registration, true));
  const rest = await db.begin(async (sql) => {
    await lockAllStatuses(sql);
    return redactDocuments(sql, registration, false);
  });
  const events = await redactEvents(db, registration);
  await notifyRegistrationBlocks(db);
  return { flights: unlocked + rest, events };
};

const restoreDocument = (doc: string, registration: string): string => {
  const status: StatusDetails = JSON.parse(doc);
  return JSON.stringify(restoreRegistration(status, registration));
};

/**
 * Restores a registration in statuses and their history, as if it had never been blocked. Redacted events stay redacted. Returns undefined when it
 * was not blocked. Waits for writers of statuses.
 */
export const unblockRegistration = async (db: Database, registration: string): Promise<RedactionReport | undefined> =>
  db.begin(async (sql) => {
    await lockAllStatuses(sql);
    if (!(await deleteRegistrationBlock(sql, registration))) return undefined;
    const documents = await lockStatusDocuments(sql, registration, { skipLocked: false });
    await updateStatusDocuments(
      sql,
      documents.map((one) => ({ ...one, doc: restoreDocument(one.doc, registration) })),
    );
    return { flights: documents.length, events: 0 };
  });
