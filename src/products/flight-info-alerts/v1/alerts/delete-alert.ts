import type { Alert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import { deleteAlert as removeAlert } from '../../../../store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { lockedAlert } from './locked-alert.ts';
import { ownedBy } from '../shared/owner.ts';
import type { DeleteAlertInput } from '../shared/routes.ts';
import { showAlert } from './to-alert.ts';

/** DELETE /flight-info-alerts/alerts/{alertId}: answers the alert as it was. */
export const deleteAlert = async (
  { params: { alertId } }: DeleteAlertInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<Alert> =>
  sql.begin(async (transaction) => {
    const alert = await lockedAlert(transaction, ownedBy(context, alertId));
    await removeAlert(transaction, alert.id);
    return showAlert(alert, { deleted: true });
  });
