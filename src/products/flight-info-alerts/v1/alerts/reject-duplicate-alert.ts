import type { Alert, AlertSelection } from '../../../../domain/alerts/alert.ts';
import { isCoveredBy } from '../../../../domain/alerts/is-covered-by.ts';
import { invalidBody, Problem } from '../../../../http/response/problem.ts';
import { streamAlerts } from '../../../../store/alerts/alerts.ts';
import type { Sql } from '../../../../store/pool/database.ts';

/** An alert to be, or one that is to change. */
type RequestedAlert = AlertSelection & Pick<Alert, 'accountId' | 'active'> & { readonly id?: string };

const rejectIfCovered = (wanted: RequestedAlert, other: Alert): void => {
  // Programs exist that read the UUID from the end of the detail.
  if (wanted.active && other.active && isCoveredBy(wanted, other))
    throw new Problem(
      'already-covered',
      `The account is already covering these events with other alert(s):${other.id}`,
    );
  if (wanted.alertType === 'Global' && other.alertType === 'Global')
    throw invalidBody({ alertType: [`can be Global for one alert of an account, and ${other.id} is the one`] });
};

/**
 * Throws the Problem that an alert would only repeat what an active one of its account chooses already, or would be its second Global
 * one, be they active or not. `sql` must be a transaction that has locked the account.
 */
export const rejectDuplicateAlert = async (sql: Sql, wanted: RequestedAlert): Promise<void> => {
  for await (const others of streamAlerts(sql, wanted.accountId))
    for (const other of others) if (other.id !== wanted.id) rejectIfCovered(wanted, other);
};
