import type { Change } from '../../../../domain/events/changes-between.ts';
import type { ScheduleEvent, ScheduleEventState } from '../../../../domain/events/schedule-events.ts';
import type { SchedulePropertyName } from '../../../../domain/events/schedule-properties.ts';
import type { ToldSchedule } from '../../../../domain/events/told-schedule.ts';
import type { UtcMillisecond } from '../../../../domain/status/instants.ts';
import { shownChanges, type EventContent } from './event-content.ts';

/** A schedule event without what delivery adds: the ids of the alert and of the message, and the time of the message. */
export type ScheduleEventBody = ToldSchedule & {
  readonly documentType: 'ScheduleInstance';
  /** Of the document. */
  readonly version: '2';
  /** Of the flight: 1 for its first event, and one more for each. */
  readonly flightVersion: number;
  readonly state: ScheduleEventState;
  /** When the schedule was put in force, UTC: `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly updatedAt: string;
  readonly changes?: readonly Change<SchedulePropertyName>[];
};

/** Writes a schedule event; `updatedAt` is when the schedule was put in force. */
export const showScheduleEvent = (
  { state, told, version, changes }: ScheduleEvent,
  updatedAt: UtcMillisecond,
  content: EventContent,
): ScheduleEventBody => {
  const { seatingCapacity, ...rest } = told;
  return {
    documentType: 'ScheduleInstance',
    version: '2',
    flightVersion: version,
    state,
    updatedAt: new Date(updatedAt).toISOString().slice(0, -1).replace('T', ' '),
    ...rest,
    ...(content.seats && { seatingCapacity }),
    ...shownChanges(changes, content),
  };
};
