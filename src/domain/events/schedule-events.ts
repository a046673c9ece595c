import { changesBetween, type Change } from './changes-between.ts';
import { scheduleProperties, type SchedulePropertyName } from './schedule-properties.ts';
import type { ToldSchedule } from './told-schedule.ts';

/** Where an instance stands before a schedule is put in force. `told` is what the last schedule with it filed, as far as it is known. */
export type ScheduleStanding =
  | { readonly kind: 'never' }
  | { readonly kind: 'in-force'; readonly told: ToldSchedule }
  | { readonly kind: 'deleted'; readonly told: ToldSchedule | undefined };

export type ScheduleEventState = 'NEW' | 'UPDATED' | 'REINSTATED' | 'DELETED';

/** What became of an instance in the schedule. `told` is the instance as it is now, and as it was last when it is deleted. */
export type ScheduleEvent = {
  readonly state: ScheduleEventState;
  readonly told: ToldSchedule;
  /** The flight's number of this event: 1 for its first, and one more for each. */
  readonly version: number;
  readonly changes: readonly Change<SchedulePropertyName>[];
};

const step = (
  before: ScheduleStanding,
  after: ToldSchedule | undefined,
): Omit<ScheduleEvent, 'version'> | undefined => {
  if (!after) return before.kind === 'in-force' ? { state: 'DELETED', told: before.told, changes: [] } : undefined;
  if (before.kind === 'never') return { state: 'NEW', told: after, changes: [] };
  const changes = before.told ? changesBetween(scheduleProperties, before.told, after) : [];
  if (before.kind === 'deleted') return { state: 'REINSTATED', told: after, changes };
  return changes.length === 0 ? undefined : { state: 'UPDATED', told: after, changes };
};

/**
 * The event of one instance when a schedule is put in force, none when it is told the same as before. `after` is undefined when
 * the schedule does not hold it; `version` is the number of the flight's last event, 0 before its first. A flight that comes
 * back is compared with what it was when it was deleted, where that is known.
 */
export const scheduleEvents = (
  before: ScheduleStanding,
  after: ToldSchedule | undefined,
  version: number,
): readonly ScheduleEvent[] => {
  const event = step(before, after);
  return event ? [{ ...event, version: version + 1 }] : [];
};
