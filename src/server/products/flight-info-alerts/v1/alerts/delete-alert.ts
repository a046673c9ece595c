import type { deleteAlertRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { deleteAlert as deleteStoredAlert } from '#store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { getLockedAlert } from './find-alert.ts';
import { withOwner } from '../shared/account-access.ts';
import { toAlert } from './to-alert.ts';

/** DELETE /flight-info-alerts/alerts/{alertId}: returns the deleted alert. */
export const deleteAlert = async (c: OperationContext<typeof deleteAlertRoute>, { sql }: Deps) => {
  const { alertId } = c.req.valid('param');
  const variables = c.var;
  const deleted = await sql.begin(async (transaction) => {
    const alert = await getLockedAlert(transaction, withOwner(variables, alertId));
    await deleteStoredAlert(transaction, alert.id);
    return toAlert(alert, { deleted: true });
  });
  return c.json(deleted, 200);
};
