import { createHmac } from 'node:crypto';
import type { EventFacts } from '../../domain/alerts/event-facts.ts';

/** The one stream of the hub: every event of every account. */
export const HUB_STREAM = 'FLIGHT_EVENTS';

/** Where consumers ask for events: the API of the stream as their account of the broker sees it. */
export const HUB_API_PREFIX = 'hub';

/** All subjects of the stream. */
export const HUB_SUBJECTS = 'events.>';

/** All subjects of an account. */
export const subjectsOf = (accountId: string): string => `events.${accountId}.>`;

/** A code as a part of a subject: a dot, a star or a space would make it another subject. */
const token = (code: string): string => (/^[A-Za-z0-9]+$/.test(code) ? code : '_');

/**
 * The subject of an event: `events.<accountId>.<product>.<carrier>.<flight>`, with `schedules` or `status` for the product, the IATA
 * code of the carrier, or else its ICAO code, or else `_`, and the number of the flight.
 */
export const subjectOf = (accountId: string, facts: EventFacts): string => {
  const product = facts.kind === 'schedule' ? 'schedules' : 'status';
  return `events.${accountId}.${product}.${token(facts.iataCarrierCode || facts.icaoCarrierCode)}.${facts.flightNumber}`;
};

/** What a consumer is called by the broker. Nobody can guess it who does not have the secret. */
export type ConsumerNames = {
  readonly consumer: string;
  /** What the subjects begin with on which its answers come. */
  readonly inbox: string;
};

/** The names of the consumer of an account for one purpose (`group`), the same at each call. */
export const consumerNames = (
  secret: Uint8Array,
  { accountId, group }: { readonly accountId: string; readonly group: string },
): ConsumerNames => {
  const name = (of: string): string =>
    createHmac('sha256', secret).update(`hub ${of} ${accountId} ${group}`).digest('hex').slice(0, 32);
  return { consumer: `${accountId}-${group}-${name('consumer')}`, inbox: `_INBOX_${name('inbox')}` };
};
