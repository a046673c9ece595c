import type { ScheduleEvent, ScheduleEventState, StatusEvent } from '../../../../domain/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '../../../../domain/events/event-content.ts';
import type { PropertyChange } from '../../../../domain/events/property-changes.ts';
import type { SchedulePropertyName } from '../../../../domain/events/schedule-properties.ts';
import type { StatusPropertyName } from '../../../../domain/events/status-properties.ts';
import type { UtcMillisecond } from '../../../../domain/status/instants.ts';

/** What an alert asks its events to carry. */
export type EventDatasets = {
  /** Whether they say what has changed. */
  readonly changes: boolean;
  /** Whether they carry seats. */
  readonly seats: boolean;
};

/** The member `changes` of an event: nothing where an alert does not ask for it, and no word of seats where it asks for none. */
export const toChanges = <Name extends string>(
  changes: readonly PropertyChange<Name>[],
  content: EventDatasets,
): { readonly changes?: readonly PropertyChange<Name>[] } => {
  if (!content.changes) return {};
  return {
    changes: content.seats
      ? changes
      : changes.filter(({ propertyName }) => !propertyName.startsWith('SeatingCapacity.')),
  };
};

/** A schedule event without what delivery adds: the ids of the alert and of the message, and the time of the message. */
export type ScheduleEventBody = ScheduleContent & {
  readonly documentType: 'ScheduleInstance';
  /** Of the document. */
  readonly version: '2';
  /** Of the flight: 1 for its first event, and one more for each. */
  readonly flightVersion: number;
  readonly state: ScheduleEventState;
  /** When the schedule was put in force, UTC: `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly updatedAt: string;
  readonly changes?: readonly PropertyChange<SchedulePropertyName>[];
};

/** Writes a schedule event; `updatedAt` is when the schedule was put in force. */
export const toScheduleEventBody = (
  { state, content: told, version, changes }: ScheduleEvent,
  updatedAt: UtcMillisecond,
  content: EventDatasets,
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
    ...toChanges(changes, content),
  };
};

/** A status event without what delivery adds: the ids of the alert and of the message, and the time of the message. */
export type StatusEventBody = StatusContent & {
  readonly documentType: 'FlightStatus';
  /** Of the document. */
  readonly version: '2';
  /** Of the flight: 1 for its first event, and one more for each. */
  readonly flightVersion: number;
  readonly changes?: readonly PropertyChange<StatusPropertyName>[];
};

/** Writes a status event. */
export const toStatusEventBody = (
  { content: told, version, changes }: StatusEvent,
  content: EventDatasets,
): StatusEventBody => {
  const { seatingCapacity, ...rest } = told;
  return {
    documentType: 'FlightStatus',
    version: '2',
    flightVersion: version,
    ...rest,
    ...(content.seats && { seatingCapacity }),
    ...toChanges(changes, content),
  };
};
