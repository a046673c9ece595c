import type { Alert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { listAlerts as listStoredAlerts } from '../../../../store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { getStream } from '../shared/account-access.ts';
import type { ListAlertsInput } from '../shared/routes.ts';
import { toAlert } from './to-alert.ts';

/** GET /flight-info-alerts/alerts: all alerts of the account in the header. */
export const listAlerts = async (
  { headers: { accountId } }: ListAlertsInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<HttpResponse<200, Alert[]>> => {
  await getStream(sql, context, accountId);
  const alerts = await listStoredAlerts(sql, accountId);
  const wireAlerts = alerts.map((alert) => toAlert(alert, { deleted: false }));
  // The URL is the same for all accounts.
  return jsonResponse(200, wireAlerts, { Vary: 'Subscription-Key, accountId' });
};
