import type { Alert } from '#domain/alerts/alert.ts';
import { lockAccount, type OwnedId } from '#store/alerts/alert-accounts.ts';
import { findAlert } from '#store/alerts/alerts.ts';
import { Problem } from '#http/response/problem.ts';
import type { Sql } from '#store/pool/database.ts';

/** The same response for an alert that does not exist and for one of another subscription. */
export const alertNotFoundProblem = (id: string): Problem =>
  new Problem('not-found', `The alert ${id} does not exist.`);

/** Returns an alert, locked until the transaction `sql` ends. Throws Problem `not-found` if there is none. */
export const getLockedAlert = async (sql: Sql, owned: OwnedId): Promise<Alert> => {
  const unlocked = await findAlert(sql, owned);
  const isLocked = unlocked !== undefined && (await lockAccount(sql, { ...owned, id: unlocked.accountId }));
  const alert = isLocked ? await findAlert(sql, owned) : undefined;
  if (!alert) throw alertNotFoundProblem(owned.id);
  return alert;
};
