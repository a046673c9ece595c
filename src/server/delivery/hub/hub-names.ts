import { createHmac } from 'node:crypto';
import type { EventFacts } from '#domain/alerts/event-facts.ts';

/** Default name of the stream with the events of all accounts. */
export const DEFAULT_HUB_STREAM = 'FLIGHT_EVENTS';

/** Subject prefix of the stream API as the consumers' broker account sees it. */
export const HUB_API_PREFIX = 'hub';

/** Returns what the subjects of a stream begin with: streams of one broker account must not share subjects. Empty for the default stream. */
export const formatSubjectPrefix = (stream: string): string => (stream === DEFAULT_HUB_STREAM ? '' : `${stream}.`);

/** Returns the pattern of all subjects of a stream. */
export const formatStreamSubjects = (stream: string): string => `${formatSubjectPrefix(stream)}events.>`;

/** Returns the pattern of all subjects of an account. */
export const formatAccountSubjects = (stream: string, accountId: string): string =>
  `${formatSubjectPrefix(stream)}events.${accountId}.>`;

/** Returns a code as a subject token; a dot, a star or a space would change the subject. */
const toSubjectToken = (code: string): string => (/^[A-Za-z0-9]+$/.test(code) ? code : '_');

/**
 * Returns the subject of an event, without the prefix of the stream: `events.<accountId>.<product>.<carrier>.<flight>`. `<product>` is `schedules` or `status`, `<carrier>` the IATA
 * code, otherwise the ICAO code, otherwise `_`.
 */
export const formatSubject = (accountId: string, facts: EventFacts): string => {
  const product = facts.kind === 'schedule' ? 'schedules' : 'status';
  return `events.${accountId}.${product}.${toSubjectToken(facts.iataCarrierCode || facts.icaoCarrierCode)}.${facts.flightNumber}`;
};

/** The broker names of a consumer, which cannot be guessed without the secret. */
export type ConsumerNames = {
  readonly consumer: string;
  /** Subject prefix of its responses. */
  readonly inbox: string;
};

/** Derives the names of the consumer of an account for one purpose (`group`); equal at each call. */
export const deriveConsumerNames = (
  secret: Uint8Array,
  { accountId, group }: { readonly accountId: string; readonly group: string },
): ConsumerNames => {
  const name = (of: string): string =>
    createHmac('sha256', secret).update(`hub ${of} ${accountId} ${group}`).digest('hex').slice(0, 32);
  return { consumer: `${accountId}-${group}-${name('consumer')}`, inbox: `_INBOX_${name('inbox')}` };
};
