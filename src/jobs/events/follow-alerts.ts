import { newAlertIndex } from '../../domain/alerts/alert-index.ts';
import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import { lastAlertChange, readAlertChanges } from '../../store/alerts/alert-changes.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import {
  NO_ALERT,
  standingAlerts,
  standingAlertsAfter,
  type StandingAlert,
} from '../../store/alerts/standing-alerts.ts';

/** The active alerts of the database, in memory. */
export type FollowedAlerts = {
  /** Those that select an event, as of the last `follow`. */
  readonly match: (facts: EventFacts) => readonly StandingAlert[];
  /**
   * Takes in every change that is committed. False when that were too many, or all were never read, or changes are no longer kept: then
   * they have to be read first.
   */
  readonly follow: (sql: Sql) => Promise<boolean>;
  /** Reads all of them, a piece at a time. What changes meanwhile is taken in by the next `follow`. */
  readonly load: () => Promise<void>;
};

/** Pieces of some 50 ms. */
const READ_AT_ONCE = 5000;

/** So many alerts are read again within 0.2 s. */
const MOST_CHANGES = 10_000;

/** Keeps the active alerts of the database in memory. */
export const followAlerts = (db: Database, mostChanges = MOST_CHANGES): FollowedAlerts => {
  let index = newAlertIndex<StandingAlert>([]);
  /** The number of the last change that is taken in; undefined while alerts have to be read. */
  let known: number | undefined;

  const load = async (): Promise<void> => {
    known = undefined;
    index = newAlertIndex<StandingAlert>([]);
    const last = await lastAlertChange(db);
    let after = NO_ALERT;
    for (;;) {
      const piece = await standingAlertsAfter(db, { after, limit: READ_AT_ONCE });
      for (const alert of piece) index.put(alert);
      after = piece.at(-1)?.id ?? after;
      if (piece.length < READ_AT_ONCE) break;
    }
    known = last;
  };

  const follow = async (sql: Sql): Promise<boolean> => {
    if (known === undefined) return false;
    const changes = await readAlertChanges(sql, { after: known, limit: mostChanges });
    if (changes.kind === 'too-many') return false;
    if (changes.ids.length === 0) return true;
    const standing = new Map((await standingAlerts(sql, changes.ids)).map((alert) => [alert.id, alert]));
    for (const id of changes.ids) {
      const alert = standing.get(id);
      if (alert) index.put(alert);
      else index.remove(id);
    }
    known = changes.last;
    return true;
  };

  return { match: (facts) => index.match(facts), follow, load };
};
