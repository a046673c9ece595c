import { createAlertIndex, type AlertIndex } from '#domain/alerts/alert-index.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { getLastAlertChange, listAlertChanges } from '#store/alerts/alert-changes.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import {
  MIN_ALERT_ID,
  listActiveAlerts,
  listActiveAlertsAfter,
  type ActiveAlert,
} from '#store/alerts/active-alerts.ts';

/** The active alerts of the database, in memory. */
export type ActiveAlertIndex = {
  /** Returns the alerts that select an event, as of the last `update`. */
  readonly match: (facts: EventFacts) => readonly ActiveAlert[];
  /** Returns those of one subscription, without matching the alerts of others. */
  readonly matchOf: (subscriptionId: number, facts: EventFacts) => readonly ActiveAlert[];
  /**
   * Applies all committed changes. Returns false when `load` must run first: alerts were never read, there are too many changes, or the
   * changes were pruned.
   */
  readonly update: (sql: Sql) => Promise<boolean>;
  /** Reads all alerts, a page at a time. The next `update` applies what changes meanwhile. */
  readonly load: () => Promise<void>;
};

/** Alerts read by one statement, in about 50 ms. */
const PAGE_SIZE = 5000;

/** Reading this many changed alerts takes about 0.2 s. */
const MAX_CHANGES = 10_000;

/** The alerts of each subscription; an index of those is built when it is needed, after a change again. */
class SubscriptionAlerts {
  readonly #alerts = new Map<string, ActiveAlert>();
  readonly #ids = new Map<number, Set<string>>();
  readonly #indexes = new Map<number, AlertIndex<ActiveAlert>>();

  upsert(alert: ActiveAlert): void {
    const ids = this.#ids.get(alert.subscriptionId) ?? new Set();
    this.#ids.set(alert.subscriptionId, ids.add(alert.id));
    this.#alerts.set(alert.id, alert);
    this.#indexes.delete(alert.subscriptionId);
  }

  remove(id: string): void {
    const alert = this.#alerts.get(id);
    if (!alert) return;
    this.#alerts.delete(id);
    this.#ids.get(alert.subscriptionId)?.delete(id);
    this.#indexes.delete(alert.subscriptionId);
  }

  match(subscriptionId: number, facts: EventFacts): readonly ActiveAlert[] {
    const ids = [...(this.#indexes.has(subscriptionId) ? [] : (this.#ids.get(subscriptionId) ?? []))];
    const index =
      this.#indexes.get(subscriptionId) ?? createAlertIndex(ids.flatMap((id) => this.#alerts.get(id) ?? []));
    this.#indexes.set(subscriptionId, index);
    return index.match(facts);
  }
}

/** Creates an index that is empty until `load` runs. */
export const createActiveAlertIndex = (db: Database, maxChanges = MAX_CHANGES): ActiveAlertIndex => {
  let index = createAlertIndex<ActiveAlert>([]);
  let subscriptions = new SubscriptionAlerts();
  /** The number of the last applied change; undefined until alerts are loaded. */
  let known: number | undefined;

  const upsert = (alert: ActiveAlert): void => {
    index.upsert(alert);
    subscriptions.upsert(alert);
  };

  const load = async (): Promise<void> => {
    known = undefined;
    index = createAlertIndex<ActiveAlert>([]);
    subscriptions = new SubscriptionAlerts();
    const last = await getLastAlertChange(db);
    let after = MIN_ALERT_ID;
    for (;;) {
      const page = await listActiveAlertsAfter(db, { after, limit: PAGE_SIZE });
      for (const alert of page) upsert(alert);
      after = page.at(-1)?.id ?? after;
      if (page.length < PAGE_SIZE) break;
    }
    known = last;
  };

  const update = async (sql: Sql): Promise<boolean> => {
    if (known === undefined) return false;
    const changes = await listAlertChanges(sql, { after: known, limit: maxChanges });
    if (changes.kind === 'too-many') return false;
    if (changes.ids.length === 0) return true;
    const active = new Map((await listActiveAlerts(sql, changes.ids)).map((alert) => [alert.id, alert]));
    for (const id of changes.ids) {
      const alert = active.get(id);
      if (alert) upsert(alert);
      else {
        index.remove(id);
        subscriptions.remove(id);
      }
    }
    known = changes.last;
    return true;
  };

  return {
    match: (facts) => index.match(facts),
    matchOf: (subscriptionId, facts) => subscriptions.match(subscriptionId, facts),
    update,
    load,
  };
};
