import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import { withRegistration } from '../../../products/flight-info/v2/withhold-registration.ts';
import { bodyWithout } from '../../../products/flight-info-alerts/v1/events/withhold-registration.ts';
import type { Database, Sql } from '../../../store/pool/database.ts';
import {
  addBlock,
  announceBlocks,
  removeBlock,
  type RegistrationBlock,
} from '../../../store/flights/registration-blocks.ts';
import { lockAllStatuses } from '../../../store/status/status-lock.ts';
import {
  bodiesWith,
  eventsKept,
  lockDocuments,
  saveBodies,
  saveDocuments,
} from '../../../store/status/withheld-documents.ts';
import { documentWithout } from './redact-registrations.ts';

/** Events that are looked through by one statement. */
const EVENTS_AT_ONCE = 10_000;

/** What no longer names an aircraft, or names it again. */
export type Rewritten = { readonly flights: number; readonly events: number };

const withholdDocuments = async (sql: Sql, registration: string, isPatient: boolean): Promise<number> => {
  const kept = await lockDocuments(sql, registration, { isPatient });
  const changed = kept
    .map((one) => ({ ...one, doc: documentWithout(one.doc) }))
    .filter(({ doc }, index) => doc !== kept[index]?.doc);
  await saveDocuments(sql, changed);
  return changed.length;
};

const withholdEvents = async (db: Database, registration: string): Promise<number> => {
  const kept = await eventsKept(db);
  if (!kept) return 0;
  let rewritten = 0;
  for (let after = kept.first - 1; after < kept.last; after += EVENTS_AT_ONCE)
    rewritten += await db.begin(async (sql) => {
      const found = await bodiesWith(sql, registration, { after, to: after + EVENTS_AT_ONCE });
      const changed = found
        .map(({ seq, body }) => ({ seq, body: bodyWithout(body, registration) }))
        .filter(({ body }, index) => body !== found[index]?.body);
      await saveBodies(sql, changed);
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
export const blockRegistration = async (db: Database, block: RegistrationBlock): Promise<Rewritten> => {
  const { registration } = block;
  await addBlock(db, block);
  const atOnce = await db.begin((sql) => withholdDocuments(sql, registration, false));
  const later = await db.begin(async (sql) => {
    await lockAllStatuses(sql);
    return withholdDocuments(sql, registration, true);
  });
  const events = await withholdEvents(db, registration);
  await announceBlocks(db);
  return { flights: atOnce + later, events };
};

const shownAgain = (doc: string, registration: string): string => {
  const status: StatusDetails = JSON.parse(doc);
  return JSON.stringify(withRegistration(status, registration));
};

/**
 * Shows a registration again, in statuses and their history as if it had never been blocked. Events that were written anew stay as they
 * are. Undefined when it was not blocked. Waits for writers of statuses.
 */
export const unblockRegistration = async (db: Database, registration: string): Promise<Rewritten | undefined> =>
  db.begin(async (sql) => {
    await lockAllStatuses(sql);
    if (!(await removeBlock(sql, registration))) return undefined;
    const kept = await lockDocuments(sql, registration, { isPatient: true });
    await saveDocuments(
      sql,
      kept.map((one) => ({ ...one, doc: shownAgain(one.doc, registration) })),
    );
    return { flights: kept.length, events: 0 };
  });
