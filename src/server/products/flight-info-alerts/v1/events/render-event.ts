import type { ScheduleEvent, StatusEvent } from './event-builder.ts';
import type { ScheduleEventBody, StatusEventBody } from './event-content.ts';
import type { PropertyChange } from './event-properties.ts';
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
  changes: [...changes],
});

/** Returns the wire body of a status event. */
export const toStatusEventBody = ({ content, version, changes }: StatusEvent): StatusEventBody => ({
  documentType: 'FlightStatus',
  version: '2',
  flightVersion: version,
  ...content,
  changes: [...changes],
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
