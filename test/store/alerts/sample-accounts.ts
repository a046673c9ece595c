import type { EventFacts } from '#domain/alerts/event-facts.ts';
import type { Alert } from '#domain/alerts/alert.ts';
import { type AccountEvent, listAccountEvents } from '#store/events/account-events.ts';
import { insertAccount, findAccountStream } from '#store/alerts/alert-accounts.ts';
import { insertAlert, deleteAlert, findAlert, replaceAlert } from '#store/alerts/alerts.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { insertEvents } from '#store/events/event-outbox.ts';
import { lockVersions } from '#store/events/flight-versions.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { sampleAlert } from '#test/domain/alerts/sample-alert.ts';
import { noon, sampleStatusEvent } from '../events/sample-events.ts';

/** An account, by default of the subscription `tests`. */
export type SampleAccount = { readonly id: string; readonly subscriptionId: number; readonly stream: number };

const profile = {
  firstName: 'Ada',
  lastName: 'Field',
  email: 'ada@example.test',
  country: 'GB',
  companyName: 'Example',
  secondaryEmail: '',
  content: '',
};

export const insertSampleAccount = async (sql: Sql, name = 'tests'): Promise<SampleAccount> => {
  const { subscriptionId } = await createKey(sql, { name, products: ['flight-info-alerts'] });
  const id = await insertAccount(sql, subscriptionId, { profile, now: noon });
  const stream = await findAccountStream(sql, { id, subscriptionId });
  if (stream === undefined) throw new Error('the account has no stream');
  return { id, subscriptionId, stream };
};

/** Inserts an alert for every scheduled flight, with the given changes, and returns its UUID. */
export const insertSampleAlert = (db: Database, account: SampleAccount, changes: Partial<Alert> = {}) => {
  const { id: _, accountId: _account, active: _active, createdAt: _at, updatedAt: _updated, ...content } = sampleAlert;
  return db.begin((sql) => insertAlert(sql, account.id, { content: { ...content, ...changes }, now: noon }));
};

export const updateSampleAlert = async (
  db: Database,
  { account, id }: { readonly account: SampleAccount; readonly id: string },
  changes: Partial<Alert>,
): Promise<void> => {
  await db.begin(async (sql) => {
    const alert = await findAlert(sql, { id, subscriptionId: account.subscriptionId });
    if (alert) await replaceAlert(sql, { ...alert, ...changes });
  });
};

export const deleteSampleAlert = (db: Database, id: string): Promise<void> => db.begin((sql) => deleteAlert(sql, id));

/** Inserts one event with each of these facts, each of its own flight, numbered from `from` on. */
export const insertEventsWithFacts = (db: Database, from: number, facts: readonly EventFacts[]): Promise<void> =>
  db.begin(async (sql) => {
    const events = facts.map((one, index) => ({ ...sampleStatusEvent(from + index, 1), facts: one }));
    await lockVersions(
      sql,
      events.map((event) => event.flightKey),
    );
    await insertEvents(sql, events);
  });

export const listAllAccountEvents = async (sql: Sql, stream: number, limit = 1000) => {
  const all: AccountEvent[] = [];
  for (let after = 0; ;) {
    const page = await listAccountEvents(sql, { stream, after, limit });
    if (page.kind === 'ahead') throw new Error(`the stream ends at ${page.last}, before ${after}`);
    if (page.kind === 'events' && page.events.length === 0) return all;
    if (page.kind === 'events') all.push(...page.events);
    after = page.kind === 'expired' ? page.oldest - 1 : (all.at(-1)?.number ?? 0);
  }
};
