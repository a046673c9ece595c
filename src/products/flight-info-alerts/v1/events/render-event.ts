import type { PropertyChange } from '../../../../domain/events/property-changes.ts';
import type { AccountEvent, EventParts } from '../../../../store/events/account-events.ts';
import { toChanges } from './event-body.ts';

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
