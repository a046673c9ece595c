import type { Alert } from '../../../../domain/alerts/alert.ts';
import { lockAccount, type OwnedId } from '../../../../store/alerts/alert-accounts.ts';
import { findAlert } from '../../../../store/alerts/alerts.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import { alertNotFound } from '../shared/account-access.ts';

/** An alert as it is once nobody else can change it any more, until the transaction `sql` ends. Throws the Problem that there is none. */
export const getLockedAlert = async (sql: Sql, owned: OwnedId): Promise<Alert> => {
  const found = await findAlert(sql, owned);
  const isLocked = found !== undefined && (await lockAccount(sql, { ...owned, id: found.accountId }));
  const alert = isLocked ? await findAlert(sql, owned) : undefined;
  if (!alert) throw alertNotFound(owned.id);
  return alert;
};
