import type { Alert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { toLastModifiedHeader } from '../../../../http/response/conditional.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { findAlert } from '../../../../store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { withOwner } from '../shared/account-access.ts';
import { alertNotFoundProblem } from './find-alert.ts';
import type { GetAlertInput } from '../shared/routes.ts';
import { toAlert } from './to-alert.ts';

/** GET /flight-info-alerts/alerts/{alertId}. */
export const getAlert = async (
  { params: { alertId } }: GetAlertInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<HttpResponse<200, Alert>> => {
  const alert = await findAlert(sql, withOwner(context, alertId));
  if (!alert) throw alertNotFoundProblem(alertId);
  return jsonResponse(
    200,
    toAlert(alert, { deleted: false }),
    toLastModifiedHeader(alert.updatedAt.getTime(), clock()),
  );
};
