import type { Alert } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { deleteAlert as removeAlert } from '../../../store/alerts.ts';
import type { Deps } from './deps.ts';
import { noAlert, ownedBy } from './owner.ts';
import type { DeleteAlertInput } from './routes.ts';
import { showAlert } from './show-alert.ts';

/** DELETE /flight-info-alerts/alerts/{alertId}: answers the alert as it was. */
export const deleteAlert = async (
  { params: { alertId } }: DeleteAlertInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<Alert> => {
  const alert = await sql.begin((transaction) => removeAlert(transaction, ownedBy(context, alertId)));
  if (!alert) throw noAlert(alertId);
  return showAlert(alert, { deleted: true });
};
