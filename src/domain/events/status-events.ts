import { changesBetween, type Change } from './changes-between.ts';
import { statusProperties, type StatusPropertyName } from './status-properties.ts';
import type { ToldStatus } from './told-status.ts';

/** What became known of a flight under one of its designators. */
export type StatusEvent = {
  readonly told: ToldStatus;
  /** The flight's number of this event: 1 for its first, and one more for each. */
  readonly version: number;
  readonly changes: readonly Change<StatusPropertyName>[];
};

const nothing = {};

/**
 * The event of a flight whose status was counted anew, none when all that is told of it stayed the same: not every message says
 * something new. `before` is undefined for a flight that was not known at all, then all it has is added; `version` is the number
 * of the flight's last event, 0 before its first.
 */
export const statusEvents = (
  before: ToldStatus | undefined,
  after: ToldStatus,
  version: number,
): readonly StatusEvent[] => {
  const changes = changesBetween(statusProperties, before ?? nothing, after);
  return changes.length === 0 ? [] : [{ told: after, version: version + 1, changes }];
};
