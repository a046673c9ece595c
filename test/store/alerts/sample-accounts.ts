import type { EventFacts } from '../../../src/domain/alerts/event-facts.ts';
import type { Alert } from '../../../src/domain/alerts/alert.ts';
import { listAccountEvents, type AccountEvent } from '../../../src/store/events/account-events.ts';
import { insertAccount, findAccountStream } from '../../../src/store/alerts/alert-accounts.ts';
import {
  insertAlert,
  deleteAlert,
  findAlert,
  replaceAlert,
  type AlertContent,
} from '../../../src/store/alerts/alerts.ts';
import type { Database, Sql } from '../../../src/store/pool/database.ts';
import { insertEvents } from '../../../src/store/events/event-outbox.ts';
import { lockVersions } from '../../../src/store/events/flight-versions.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { anyAlert } from '../../domain/alerts/any-alert.ts';
import { flightKey, noon, statusNews } from '../events/sample-events.ts';

/** An account of a subscription of its own. */
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

export const newAccount = async (sql: Sql): Promise<SampleAccount> => {
  const { subscriptionId } = await createKey(sql, { name: 'tests', products: ['flight-info-alerts'] });
  const id = await insertAccount(sql, subscriptionId, { profile, now: noon });
  const stream = await findAccountStream(sql, { id, subscriptionId });
  if (stream === undefined) throw new Error('the account has no stream');
  return { id, subscriptionId, stream };
};

const contentOf = (alert: Alert): AlertContent => {
  const { id: _, accountId: _account, active: _active, createdAt: _created, updatedAt: _updated, ...content } = alert;
  return content;
};

/** Creates an alert that asks for every scheduled flight but for what is given, and answers its UUID. */
export const newAlert = (db: Database, account: SampleAccount, asked: Partial<Alert> = {}): Promise<string> =>
  db.begin((sql) => insertAlert(sql, account.id, { content: contentOf({ ...anyAlert, ...asked }), now: noon }));

/** Changes an alert as given. */
export const changeAlert = async (
  db: Database,
  { account, id }: { readonly account: SampleAccount; readonly id: string },
  asked: Partial<Alert>,
): Promise<void> => {
  await db.begin(async (sql) => {
    const alert = await findAlert(sql, { id, subscriptionId: account.subscriptionId });
    if (alert) await replaceAlert(sql, { ...alert, ...asked });
  });
};

export const endAlert = (db: Database, id: string): Promise<void> => db.begin((sql) => deleteAlert(sql, id));

/** Makes one event with each of these facts, of flights of their own from a number on. */
export const tellFacts = (db: Database, from: number, facts: readonly EventFacts[]): Promise<void> =>
  db.begin(async (sql) => {
    await lockVersions(
      sql,
      facts.map((_, index) => flightKey(from + index)),
    );
    await insertEvents(
      sql,
      facts.map((one, index) => ({ ...statusNews(from + index, 1), facts: one })),
    );
  });

/** All events of a stream that are retained, page by page. */
export const everyAccountEvent = async (sql: Sql, stream: number, limit = 1000): Promise<readonly AccountEvent[]> => {
  const all: AccountEvent[] = [];
  let after = 0;
  for (;;) {
    const page = await listAccountEvents(sql, { stream, after, limit });
    if (page.kind === 'ahead') throw new Error(`the stream ends at ${page.last}, before ${after}`);
    if (page.kind === 'expired') {
      after = page.oldest - 1;
      continue;
    }
    if (page.events.length === 0) return all;
    all.push(...page.events);
    after = page.events.at(-1)?.number ?? after;
  }
};
