import type { Alert } from '#domain/alerts/alert.ts';
import type { Database } from '#store/pool/database.ts';
import { sampleAlert } from '../domain/alerts/sample-alert.ts';

const BATCH = 10_000;

type Choice = {
  /** The criteria of the nth alert, and the number of its account, modulo the accounts. */
  readonly criteriaOf: (n: number) => Partial<Alert>;
  readonly accountOf: (n: number) => number;
};

/** Inserts `count` alerts on flights of a carrier for the accounts of a database. */
export const insertAlerts = async (db: Database, count: number, { criteriaOf, accountOf }: Choice): Promise<void> => {
  const { id: _, accountId: _account, active: _active, createdAt: _created, updatedAt: _updated, ...any } = sampleAlert;
  const accounts = await db<{ id: string }[]>`select id from alert_account order by stream`;
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_none, index) => from + index);
    const docs = numbers.map((n) => JSON.stringify({ ...any, alertType: 'Carrier', ...criteriaOf(n) }));
    const owners = numbers.map((n) => accounts[accountOf(n) % accounts.length]?.id ?? '');
    await db`
      insert into alert (account_id, active, doc, created_at, updated_at)
      select account, true, doc, now(), now() from unnest(${owners}::uuid[], ${docs}::text[]) as given(account, doc)`;
  }
};
