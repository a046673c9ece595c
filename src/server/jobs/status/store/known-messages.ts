import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { formatObservation } from '#domain/status/observed-flight.ts';
import {
  type AirportEnd,
  defaultSourcePrecedence,
  getSourceAirport,
  getSourceRank,
} from '#domain/status/source-precedence.ts';
import type { ScheduleReference } from '#store/status/flight-statuses.ts';
import type { StoredStatusMessage } from '#store/status/status-messages.ts';
import type { FlightSnapshot } from '../flights/flight-snapshots.ts';
import { findLocation } from '../match/flight-codes.ts';
import type { MessageMatch } from '../match/match-messages.ts';

type MatchedFlight = Extract<MessageMatch, { subject: object }>;

/** A message at its position in the batch, with its flight or the reason why none was found. */
export type MatchedMessage = {
  readonly index: number;
  readonly message: StatusMessage;
  readonly match: Exclude<MessageMatch, MatchedFlight> | (MatchedFlight & { readonly snapshot: FlightSnapshot });
};

/** A message with the flight that was found, as it is stored. */
export type KnownFlightMessage = {
  readonly index: number;
  readonly message: StatusMessage;
  readonly match: Extract<MatchedMessage['match'], { subject: object }>;
  readonly stored: StoredStatusMessage;
};

/** Returns the end of a flight that is at the airport of a source, such as OSL of `avinor:OSL`. */
const findOwnEnd = (
  source: string,
  { departure, arrival }: ScheduleReference,
  masterDataIndex: MasterDataIndex,
): AirportEnd | undefined => {
  const airport = getSourceAirport(source);
  const location = airport === undefined ? undefined : findLocation(masterDataIndex, airport)?.id;
  if (location === undefined || departure === arrival) return undefined;
  return location === departure ? 'departure' : location === arrival ? 'arrival' : undefined;
};

/** Returns the messages whose flights were found. */
export const selectKnown = (
  batch: readonly MatchedMessage[],
  masterDataIndex: MasterDataIndex,
): readonly KnownFlightMessage[] =>
  batch.flatMap(({ index, message, match }) => {
    if ('reason' in match) return [];
    const { departsOn, statusOrder, reference } = match.subject;
    const { id, source, sender, content, observedAt } = message;
    const rank = message.rank ?? getSourceRank(source, defaultSourcePrecedence);
    const ownEnd = findOwnEnd(source, reference, masterDataIndex);
    const observation = formatObservation({ ...match, ...(rank !== 0 && { rank }), ownEnd });
    const stored = { departsOn, statusOrder, id, source, sender, content, observedAt, observation };
    return [{ index, message, match, stored }];
  });
