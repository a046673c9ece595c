import type { Alert, AlertSelection } from '../../../domain/alerts/alert.ts';
import { isCoveredBy } from '../../../domain/alerts/is-covered-by.ts';
import { invalidBody, Problem } from '../../../http/problem.ts';

/**
 * Throws when an alert would only repeat what an active one of the others of its account chooses already. Programs exist that read
 * the UUID from the end of the detail.
 */
export const refuseCovered = (wanted: AlertSelection, others: readonly Alert[]): void => {
  const covering = others.find((other) => other.active && isCoveredBy(wanted, other));
  if (covering)
    throw new Problem(
      'already-covered',
      `The account is already covering these events with other alert(s):${covering.id}`,
    );
};

/** Throws when an alert would be the second Global one of its account, be they active or not. */
export const refuseSecondGlobal = (wanted: AlertSelection, others: readonly Alert[]): void => {
  const first = wanted.alertType === 'Global' ? others.find(({ alertType }) => alertType === 'Global') : undefined;
  if (first)
    throw invalidBody({ alertType: [`can be Global for one alert of an account, and ${first.id} is the one`] });
};
