import type { Alert, AlertSelection } from '#domain/alerts/alert.ts';
import { isCoveredBy } from '#domain/alerts/alert-coverage.ts';
import { invalidBody, Problem } from '#http/response/problem.ts';
import { streamAlerts } from '#store/alerts/alerts.ts';
import type { Sql } from '#store/pool/database.ts';

/** A new alert, or the new state of an existing one. */
type RequestedAlert = AlertSelection &
  Pick<Alert, 'accountId' | 'active' | 'content' | 'changeIndicator'> & { readonly id?: string };

/** Returns whether an alert would only repeat the events of another: it covers them, and its events have the same content. */
export const isRepeatedBy = (alert: Omit<RequestedAlert, 'accountId' | 'active'>, other: Alert): boolean =>
  other.active &&
  alert.content === other.content &&
  alert.changeIndicator === other.changeIndicator &&
  isCoveredBy(alert, other);

const rejectIfCovered = (requested: RequestedAlert, other: Alert): void => {
  // Existing clients read the UUID at the end of the detail.
  if (requested.active && isRepeatedBy(requested, other))
    throw new Problem(
      'already-covered',
      `The account is already covering these events with other alert(s):${other.id}`,
    );
  if (requested.alertType === 'Global' && other.alertType === 'Global')
    throw invalidBody({ alertType: [`can be Global for one alert of an account, which is ${other.id}`] });
};

/**
 * Throws a Problem if an active alert of the account covers the requested one, or if it would be the second Global alert,
 * active or not. `sql` must be a transaction that has locked the account.
 */
export const rejectDuplicateAlert = async (sql: Sql, requested: RequestedAlert): Promise<void> => {
  for await (const others of streamAlerts(sql, requested.accountId))
    for (const other of others) if (other.id !== requested.id) rejectIfCovered(requested, other);
};
