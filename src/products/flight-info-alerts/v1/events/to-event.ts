import type { Change } from '../../../../domain/events/changes-between.ts';
import type { AccountEvent } from '../../../../store/events/account-events.ts';
import { shownChanges, type EventContent } from './event-content.ts';

type Body = { readonly seatingCapacity?: unknown; readonly changes?: readonly Change[] };

/** The members of a body that its reader asked for, without the outer braces. */
const membersOf = (body: string, content: EventContent): string => {
  if (content.changes && content.seats) return body.slice(1, -1);
  const { seatingCapacity, changes = [], ...rest }: Body = JSON.parse(body);
  return JSON.stringify({
    ...rest,
    ...(content.seats && { seatingCapacity }),
    ...shownChanges(changes, content),
  }).slice(1, -1);
};

/** An event as an account would have got it, JSON: it has no alert and no place in a stream. */
export const showSample = (
  { id, madeAt, body }: Pick<AccountEvent, 'id' | 'madeAt' | 'body'>,
  shows: EventContent,
): string => `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}",${membersOf(body, shows)}}`;

/** What makes an event as its account gets it: what alerts chose it by is no part of it. */
export type ShownEvent = Omit<AccountEvent, 'facts' | 'flightKey'> & Partial<Pick<AccountEvent, 'facts' | 'flightKey'>>;

/**
 * An event as its account gets it, JSON: the same bytes over every channel, at every attempt and at every replay. `position` is its
 * number in the stream of the account.
 */
export const showEvent = ({ number, id, alertId, madeAt, shows, body }: ShownEvent): string =>
  `{"messageId":"${id}","messageTimestamp":"${madeAt.getTime()}","position":${number},"alertId":"${alertId}",${membersOf(body, shows)}}`;
