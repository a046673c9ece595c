import type { getAlertRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { toLastModifiedHeader } from '#http/response/conditional.ts';

import { findAlert } from '#store/alerts/alerts.ts';
import type { Deps } from '../shared/deps.ts';
import { withOwner } from '../shared/account-access.ts';
import { alertNotFoundProblem } from './find-alert.ts';
import { toAlert } from './to-alert.ts';

/** GET /flight-info-alerts/alerts/{alertId}. */
export const getAlert = async (c: OperationContext<typeof getAlertRoute>, { sql, clock }: Deps) => {
  const { alertId } = c.req.valid('param');
  const variables = c.var;
  const alert = await findAlert(sql, withOwner(variables, alertId));
  if (!alert) throw alertNotFoundProblem(alertId);
  return c.json(toAlert(alert, { deleted: false }), 200, toLastModifiedHeader(alert.updatedAt.getTime(), clock()));
};
