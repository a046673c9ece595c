import type { Alert } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { lastModified } from '../../../http/conditional.ts';
import { answer, type Answer } from '../../../http/rendered.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { findAlert } from '../../../store/alerts.ts';
import type { Deps } from './deps.ts';
import { noAlert, ownedBy } from './owner.ts';
import type { GetAlertInput } from './routes.ts';
import { showAlert } from './show-alert.ts';

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
