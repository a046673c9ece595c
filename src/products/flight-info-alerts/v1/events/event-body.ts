import type { ScheduleEvent, ScheduleEventState, StatusEvent } from '../../../../domain/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '../../../../domain/events/event-content.ts';
import type { PropertyChange } from '../../../../domain/events/property-changes.ts';
import type { SchedulePropertyName } from '../../../../domain/events/schedule-properties.ts';
import type { StatusPropertyName } from '../../../../domain/events/status-properties.ts';
import type { UtcMillisecond } from '../../../../domain/status/instants.ts';
import type { EventParts } from '../../../../store/events/account-events.ts';

/** Returns the member `changes`: absent unless requested, and without seat changes unless seats are requested. */
export const toChanges = <Name extends string>(
  changes: readonly PropertyChange<Name>[],
  parts: EventParts,
): { readonly changes?: readonly PropertyChange<Name>[] } => {
  if (!parts.changes) return {};
  return {
    changes: parts.seats ? changes : changes.filter(({ propertyName }) => !propertyName.startsWith('SeatingCapacity.')),
  };
};

/** A schedule event without the members that rendering adds: the IDs of alert and message, and the message timestamp. */
export type ScheduleEventBody = ScheduleContent & {
  readonly documentType: 'ScheduleInstance';
  /** Version of the document schema. */
  readonly version: '2';
  /** Counts the events of the flight: 1 for its first. */
  readonly flightVersion: number;
  readonly state: ScheduleEventState;
  /** When the schedule was published, UTC: `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly updatedAt: string;
  readonly changes?: readonly PropertyChange<SchedulePropertyName>[];
};

/** Returns the wire body of a schedule event; `updatedAt` is when the schedule was published. */
export const toScheduleEventBody = (
  { state, content, version, changes }: ScheduleEvent,
  updatedAt: UtcMillisecond,
  parts: EventParts,
): ScheduleEventBody => {
  const { seatingCapacity, ...rest } = content;
  return {
    documentType: 'ScheduleInstance',
    version: '2',
    flightVersion: version,
    state,
    updatedAt: new Date(updatedAt).toISOString().slice(0, -1).replace('T', ' '),
    ...rest,
    ...(parts.seats && { seatingCapacity }),
    ...toChanges(changes, parts),
  };
};

/** A status event without the members that rendering adds: the IDs of alert and message, and the message timestamp. */
export type StatusEventBody = StatusContent & {
  readonly documentType: 'FlightStatus';
  /** Version of the document schema. */
  readonly version: '2';
  /** Counts the events of the flight: 1 for its first. */
  readonly flightVersion: number;
  readonly changes?: readonly PropertyChange<StatusPropertyName>[];
};

/** Returns the wire body of a status event. */
export const toStatusEventBody = ({ content, version, changes }: StatusEvent, parts: EventParts): StatusEventBody => {
  const { seatingCapacity, ...rest } = content;
  return {
    documentType: 'FlightStatus',
    version: '2',
    flightVersion: version,
    ...rest,
    ...(parts.seats && { seatingCapacity }),
    ...toChanges(changes, parts),
  };
};
