import type { ScheduleEvent, ScheduleEventState, StatusEvent } from '#domain/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '#domain/events/event-content.ts';
import type { PropertyChange, SchedulePropertyName, StatusPropertyName } from '#domain/events/event-properties.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import type { AccountEvent, EventParts } from '#store/events/account-events.ts';

/** Returns the member `changes`: absent unless requested, and without seat changes unless seats are requested. */
const toChanges = <Name extends string>(
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
): ScheduleEventBody => ({
  documentType: 'ScheduleInstance',
  version: '2',
  flightVersion: version,
  state,
  updatedAt: new Date(updatedAt).toISOString().slice(0, -1).replace('T', ' '),
  ...content,
  changes,
});

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
export const toStatusEventBody = ({ content, version, changes }: StatusEvent): StatusEventBody => ({
  documentType: 'FlightStatus',
  version: '2',
  flightVersion: version,
  ...content,
  changes,
});

type EventBody = { readonly seatingCapacity?: unknown; readonly changes?: readonly PropertyChange[] };

/** Returns the members of a body without the outer braces, restricted to the requested parts. */
const renderMembers = (body: string, parts: EventParts): string => {
  if (parts.changes && parts.seats) return body.slice(1, -1);
  const { seatingCapacity, changes = [], ...rest }: EventBody = JSON.parse(body);
  return JSON.stringify({
    ...rest,
    ...(parts.seats && { seatingCapacity }),
    ...toChanges(changes, parts),
  }).slice(1, -1);
};

/** Renders an event for a preview as JSON: without an alert and a position in a stream. */
export const renderSampleEvent = (
  { id, madeAt, body }: Pick<AccountEvent, 'id' | 'madeAt' | 'body'>,
  parts: EventParts,
): string => `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}",${renderMembers(body, parts)}}`;

/** An account event; its facts, which only alerts use, are optional. */
export type RenderableEvent = Omit<AccountEvent, 'facts' | 'flightKey'> &
  Partial<Pick<AccountEvent, 'facts' | 'flightKey'>>;

/**
 * Renders an account event as JSON: the same bytes over every channel, at every attempt and replay. `position` is its
 * number in the stream of the account.
 */
export const renderEvent = ({ number, id, alertId, madeAt, parts, body }: RenderableEvent): string =>
  `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}","position":${number},"alertId":"${alertId}",${renderMembers(body, parts)}}`;
