import { isDeepStrictEqual } from 'node:util';
import type { Alert as WireAlert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { Alert } from '../../../../domain/alerts/alert.ts';
import { tagOf } from '../../../../http/response/conditional.ts';
import { answer, type Answer } from '../../../../http/response/rendered.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import { replaceAlert } from '../../../../store/alerts/alerts.ts';
import { changeAlert } from './parse-alert.ts';
import type { Deps } from '../shared/deps.ts';
import { lockedAlert } from './locked-alert.ts';
import { ownedBy } from '../shared/owner.ts';
import { refuseOutdated } from '../shared/reject-outdated.ts';
import { refuseRepeating } from './reject-duplicate-alert.ts';
import type { UpdateAlertInput } from '../shared/routes.ts';
import { showAlert } from './to-alert.ts';

const shown = (alert: Alert): WireAlert => showAlert(alert, { deleted: false });

/** What an alert is but for that which makes no difference to the events it chooses. */
const chosenBy = (alert: Alert): WireAlert => ({
  ...shown(alert),
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
): Promise<Answer<200, WireAlert>> => {
  const after = await sql.begin(async (transaction) => {
    const before = await lockedAlert(transaction, ownedBy(context, alertId));
    refuseOutdated(headers['If-Match'], shown(before), 'alert');
    const wanted: Alert = { ...before, ...changeAlert(before, asked), active: active ?? before.active };
    if (isDeepStrictEqual(shown(wanted), shown(before))) return before;
    // One that was covered before, by an alert that came later, can still be renamed.
    const choosesAnew = !isDeepStrictEqual(chosenBy(wanted), chosenBy(before));
    if (choosesAnew) await refuseRepeating(transaction, wanted);
    const changed = { ...wanted, updatedAt: clock() };
    await replaceAlert(transaction, changed);
    return changed;
  });
  const body = shown(after);
  return answer(200, body, { ETag: tagOf(body) });
};
