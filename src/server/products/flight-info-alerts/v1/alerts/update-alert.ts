import type { updateAlertRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Alert as WireAlert } from '#generated/flight-info-alerts/v1/types.gen.ts';
import type { Alert } from '#domain/alerts/alert.ts';
import { computeJsonEntityTag } from '#http/response/conditional.ts';

import { replaceAlert } from '#store/alerts/alerts.ts';
import { parseAlertUpdate, parseSwitch } from './parse-alert.ts';
import type { Deps } from '../shared/deps.ts';
import { getLockedAlert } from './find-alert.ts';
import { withOwner } from '../shared/account-access.ts';
import { rejectOutdated } from '../shared/problems.ts';
import { rejectDuplicateAlert } from './reject-duplicate-alert.ts';
import { toAlert } from './to-alert.ts';

const toActiveAlert = (alert: Alert): WireAlert => toAlert(alert, { deleted: false });

/** Returns an alert without the members that do not affect its events. */
const withoutTexts = (alert: Alert): WireAlert => ({ ...toActiveAlert(alert), name: null, description: null });

/** PATCH /flight-info-alerts/alerts: changes only the members in the body. */
export const updateAlert = async (c: OperationContext<typeof updateAlertRoute>, { sql, clock }: Deps) => {
  const { alertId, active, ...changes } = c.req.valid('json');
  const headers = c.req.valid('header');
  const variables = c.var;
  const after = await sql.begin(async (transaction) => {
    const before = await getLockedAlert(transaction, withOwner(variables, alertId));
    rejectOutdated(headers['If-Match'], toActiveAlert(before), 'alert');
    const requested: Alert = {
      ...before,
      ...parseAlertUpdate(before, changes),
      active: active === null ? true : (parseSwitch(active) ?? before.active),
    };
    if (isDeepStrictEqual(toActiveAlert(requested), toActiveAlert(before))) return before;
    // An alert that a later one already covers can still be renamed.
    const hasOtherEvents = !isDeepStrictEqual(withoutTexts(requested), withoutTexts(before));
    if (hasOtherEvents) await rejectDuplicateAlert(transaction, requested);
    const changed = { ...requested, updatedAt: clock() };
    await replaceAlert(transaction, changed);
    return changed;
  });
  const body = toActiveAlert(after);
  return c.json(body, 200, { ETag: computeJsonEntityTag(body) });
};
