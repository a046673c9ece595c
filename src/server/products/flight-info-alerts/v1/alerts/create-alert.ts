import type { createAlertRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { CreatedAlert } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { lockAccount } from '#store/alerts/alert-accounts.ts';
import { insertAlert } from '#store/alerts/alerts.ts';
import { runIdempotently } from '../shared/idempotency.ts';
import { parseNewAlert, parseSwitch } from './parse-alert.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, withOwner } from '../shared/account-access.ts';
import { rejectDuplicateAlert } from './reject-duplicate-alert.ts';
import { rejectBeyondLimit } from '../shared/reject-beyond-limit.ts';

/** POST /flight-info-alerts/alerts: creates an alert, active by default, unless another alert of the account covers it. */
export const createAlert = async (c: OperationContext<typeof createAlertRoute>, deps: Deps) => {
  const body = c.req.valid('json');
  const headers = c.req.valid('header');
  const variables = c.var;
  const { accountId, active: requestedActive, ...members } = body;
  const content = parseNewAlert(members);
  const active = parseSwitch(requestedActive) ?? true;
  const request = { variables, key: headers['Idempotency-Key'], body };
  const created = await runIdempotently<CreatedAlert>(deps, request, async (sql) => {
    await rejectBeyondLimit(sql, 'alerts', { ...deps, variables });
    if (!(await lockAccount(sql, withOwner(variables, accountId)))) throw accountNotFoundProblem(accountId);
    await rejectDuplicateAlert(sql, { ...content, accountId, active });
    const data = await insertAlert(sql, accountId, { content, active, now: deps.clock() });
    return { accountId, result: { data } };
  });
  const location = `${variables.baseUrl}/flight-info-alerts/alerts/${created.data}?version=${variables.version}`;
  return c.json(created, 201, { Location: location });
};
