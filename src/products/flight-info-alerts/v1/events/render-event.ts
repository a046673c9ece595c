import type { PropertyChange } from '../../../../domain/events/property-changes.ts';
import type { AccountEvent } from '../../../../store/events/account-events.ts';
import { type EventDatasets, toChanges } from './event-body.ts';

type EventBody = { readonly seatingCapacity?: unknown; readonly changes?: readonly PropertyChange[] };

/** Returns the members of a body without the outer braces, restricted to the requested datasets. */
const renderMembers = (body: string, datasets: EventDatasets): string => {
  if (datasets.changes && datasets.seats) return body.slice(1, -1);
  const { seatingCapacity, changes = [], ...rest }: EventBody = JSON.parse(body);
  return JSON.stringify({
    ...rest,
    ...(datasets.seats && { seatingCapacity }),
    ...toChanges(changes, datasets),
  }).slice(1, -1);
};

/** Renders an event for a preview as JSON: without an alert and a position in a stream. */
export const renderSampleEvent = (
  { id, madeAt, body }: Pick<AccountEvent, 'id' | 'madeAt' | 'body'>,
  datasets: EventDatasets,
): string => `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}",${renderMembers(body, datasets)}}`;

/** The parts of an account event that are rendered; the facts that alerts select by are not. */
export type RenderableEvent = Omit<AccountEvent, 'facts' | 'flightKey'> &
  Partial<Pick<AccountEvent, 'facts' | 'flightKey'>>;

/**
 * Renders an account event as JSON: the same bytes over every channel, at every attempt and replay. `position` is its
 * number in the stream of the account.
 */
export const renderEvent = ({ number, id, alertId, madeAt, parts: shows, body }: RenderableEvent): string =>
  `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}","position":${number},"alertId":"${alertId}",${renderMembers(body, shows)}}`;
