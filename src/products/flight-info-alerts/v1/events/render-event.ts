import type { PropertyChange } from '../../../../domain/events/property-changes.ts';
import type { AccountEvent } from '../../../../store/events/account-events.ts';
import { type EventDatasets, toChanges } from './event-body.ts';

type EventBody = { readonly seatingCapacity?: unknown; readonly changes?: readonly PropertyChange[] };

/** The members of a body that its reader asked for, without the outer braces. */
const renderMembers = (body: string, content: EventDatasets): string => {
  if (content.changes && content.seats) return body.slice(1, -1);
  const { seatingCapacity, changes = [], ...rest }: EventBody = JSON.parse(body);
  return JSON.stringify({
    ...rest,
    ...(content.seats && { seatingCapacity }),
    ...toChanges(changes, content),
  }).slice(1, -1);
};

/** An event as an account would have got it, JSON: it has no alert and no place in a stream. */
export const renderSampleEvent = (
  { id, madeAt, body }: Pick<AccountEvent, 'id' | 'madeAt' | 'body'>,
  shows: EventDatasets,
): string => `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}",${renderMembers(body, shows)}}`;

/** What makes an event as its account gets it: what alerts chose it by is no part of it. */
export type RenderableEvent = Omit<AccountEvent, 'facts' | 'flightKey'> &
  Partial<Pick<AccountEvent, 'facts' | 'flightKey'>>;

/**
 * An event as its account gets it, JSON: the same bytes over every channel, at every attempt and at every replay. `position` is its
 * number in the stream of the account.
 */
export const renderEvent = ({ number, id, alertId, madeAt, parts: shows, body }: RenderableEvent): string =>
  `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}","position":${number},"alertId":"${alertId}",${renderMembers(body, shows)}}`;
