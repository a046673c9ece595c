import type { CreatedAlert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { lockAccount } from '../../../../store/alerts/alert-accounts.ts';
import { insertAlert } from '../../../../store/alerts/alerts.ts';
import { runIdempotently } from '../shared/idempotency.ts';
import { parseNewAlert, parseSwitch } from './parse-alert.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, withOwner } from '../shared/account-access.ts';
import { rejectDuplicateAlert } from './reject-duplicate-alert.ts';
import { rejectBeyondLimit } from '../shared/reject-beyond-limit.ts';
import type { CreateAlertInput } from '../shared/routes.ts';

/** POST /flight-info-alerts/alerts: creates an alert, active by default, unless another alert of the account covers it. */
export const createAlert = async (
  { body, headers }: CreateAlertInput,
  context: RequestContext,
  deps: Deps,
): Promise<HttpResponse<201, CreatedAlert>> => {
  const { accountId, active: requestedActive, ...members } = body;
  const content = parseNewAlert(members);
  const active = parseSwitch(requestedActive) ?? true;
  const request = { context, key: headers['Idempotency-Key'], body };
  const created = await runIdempotently<CreatedAlert>(deps, request, async (sql) => {
    await rejectBeyondLimit(sql, 'alerts', { ...deps, context });
    if (!(await lockAccount(sql, withOwner(context, accountId)))) throw accountNotFoundProblem(accountId);
    await rejectDuplicateAlert(sql, { ...content, accountId, active });
    return { data: await insertAlert(sql, accountId, { content, active, now: deps.clock() }) };
  });
  const location = `${context.baseUrl}/flight-info-alerts/alerts/${created.data}?version=${context.version}`;
  return jsonResponse(201, created, { Location: location });
};
