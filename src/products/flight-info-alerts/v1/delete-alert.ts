import type { Alert } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { deleteAlert as removeAlert } from '../../../store/alerts.ts';
import type { Deps } from './deps.ts';
import { lockedAlert } from './locked-alert.ts';
import { ownedBy } from './owner.ts';
import type { DeleteAlertInput } from './routes.ts';
import { showAlert } from './show-alert.ts';

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
