import { isDeepStrictEqual } from 'node:util';
import type { Alert as WireAlert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { Alert } from '../../../../domain/alerts/alert.ts';
import { computeJsonEntityTag } from '../../../../http/response/conditional.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { replaceAlert } from '../../../../store/alerts/alerts.ts';
import { parseAlertUpdate } from './parse-alert.ts';
import type { Deps } from '../shared/deps.ts';
import { getLockedAlert } from './find-alert.ts';
import { withOwner } from '../shared/account-access.ts';
import { rejectOutdated } from '../shared/problems.ts';
import { rejectDuplicateAlert } from './reject-duplicate-alert.ts';
import type { UpdateAlertInput } from '../shared/routes.ts';
import { toAlert } from './to-alert.ts';

const toStoredAlert = (alert: Alert): WireAlert => toAlert(alert, { deleted: false });

/** What an alert is but for that which makes no difference to the events it chooses. */
const toSelection = (alert: Alert): WireAlert => ({
  ...toStoredAlert(alert),
  name: null,
  description: null,
  content: null,
  changeIndicator: false,
});

/** PATCH /flight-info-alerts/alerts: what the body has of the alert that it names, and nothing else. */
export const updateAlert = async (
  { body: { alertId, active, ...asked }, headers }: UpdateAlertInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<HttpResponse<200, WireAlert>> => {
  const after = await sql.begin(async (transaction) => {
    const before = await getLockedAlert(transaction, withOwner(context, alertId));
    rejectOutdated(headers['If-Match'], toStoredAlert(before), 'alert');
    const wanted: Alert = { ...before, ...parseAlertUpdate(before, asked), active: active ?? before.active };
    if (isDeepStrictEqual(toStoredAlert(wanted), toStoredAlert(before))) return before;
    // One that was covered before, by an alert that came later, can still be renamed.
    const choosesAnew = !isDeepStrictEqual(toSelection(wanted), toSelection(before));
    if (choosesAnew) await rejectDuplicateAlert(transaction, wanted);
    const changed = { ...wanted, updatedAt: clock() };
    await replaceAlert(transaction, changed);
    return changed;
  });
  const body = toStoredAlert(after);
  return jsonResponse(200, body, { ETag: computeJsonEntityTag(body) });
};
