import type { listAlertsRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { listAlerts as listStoredAlerts } from '#store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { getStream } from '../shared/account-access.ts';
import { toAlert } from './to-alert.ts';

/** GET /flight-info-alerts/alerts: all alerts of the account in the header. */
export const listAlerts = async (c: OperationContext<typeof listAlertsRoute>, { sql }: Deps) => {
  const { accountId } = c.req.valid('header');
  const variables = c.var;
  await getStream(sql, variables, accountId);
  const alerts = await listStoredAlerts(sql, accountId);
  const wireAlerts = alerts.map((alert) => toAlert(alert, { deleted: false }));
  // The URL is the same for all accounts.
  return c.json(wireAlerts, 200, { Vary: 'Subscription-Key, accountId' });
};
