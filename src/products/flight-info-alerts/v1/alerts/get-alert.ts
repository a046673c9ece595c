import type { Alert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { lastModified } from '../../../../http/response/conditional.ts';
import { answer, type Answer } from '../../../../http/response/rendered.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import { findAlert } from '../../../../store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { noAlert, ownedBy } from '../shared/owner.ts';
import type { GetAlertInput } from '../shared/routes.ts';
import { showAlert } from './to-alert.ts';

/** GET /flight-info-alerts/alerts/{alertId}. */
export const getAlert = async (
  { params: { alertId } }: GetAlertInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<Answer<200, Alert>> => {
  const alert = await findAlert(sql, ownedBy(context, alertId));
  if (!alert) throw noAlert(alertId);
  return answer(200, showAlert(alert, { deleted: false }), lastModified(alert.updatedAt.getTime(), clock()));
};
