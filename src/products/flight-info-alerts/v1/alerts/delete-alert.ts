import type { Alert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { deleteAlert as deleteStoredAlert } from '../../../../store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { getLockedAlert } from './find-alert.ts';
import { withOwner } from '../shared/account-access.ts';
import type { DeleteAlertInput } from '../shared/routes.ts';
import { toAlert } from './to-alert.ts';

/** DELETE /flight-info-alerts/alerts/{alertId}: returns the deleted alert. */
export const deleteAlert = async (
  { params: { alertId } }: DeleteAlertInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<Alert> =>
  sql.begin(async (transaction) => {
    const alert = await getLockedAlert(transaction, withOwner(context, alertId));
    await deleteStoredAlert(transaction, alert.id);
    return toAlert(alert, { deleted: true });
  });
