import type { StatusFacts } from '../alerts/event-facts.ts';
import type { Change } from './changes-between.ts';
import { statusChangeOf, type StatusPropertyName } from './status-properties.ts';

/** Which kinds of change, by which alerts choose, are among the changes of a status event, and whether there are any others. */
export const changedKinds = (
  changes: readonly Change<StatusPropertyName>[],
): Pick<StatusFacts, 'changed' | 'changedElse'> => {
  const kinds = changes.map(({ propertyName }) => statusChangeOf(propertyName));
  return {
    changed: new Set(kinds.filter((kind) => kind !== undefined)),
    changedElse: kinds.includes(undefined),
  };
};
