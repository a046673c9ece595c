import { CANCELLATION_PREFIX, type LandingFacts } from './message.ts';
import {
  applyObservation,
  type FlightObservations,
  type LandingObservations,
  listValues,
  type Observation,
  unobservedFlight,
} from './observed-flight.ts';

/** Messages that a flight can have; a flight normally has 30 to 40. Reading 2,000 again for each late one takes 35 ms. */
const MAX_MESSAGES = 2000;
/** The newest messages that stay when there are more. */
const MIN_MESSAGES = 1000;

/** How many messages of a flight are kept. */
export type MessageBounds = { readonly max: number; readonly min: number };

export const defaultMessageBounds: MessageBounds = { max: MAX_MESSAGES, min: MIN_MESSAGES };

/** A message that replaces those before it, and the messages that it replaces, without itself. */
export type MergedMessages<Message> = { readonly last: Message; readonly merged: readonly Message[] };

/** Those of a schedule can be withdrawn. */
const isWithdrawable = ({ id }: Pick<Observation, 'id'>): boolean => id.startsWith(CANCELLATION_PREFIX);

/**
 * Selects the messages of a flight to merge, of all in their order; undefined when there are few enough. The newest ones stay as they are, and those of
 * schedule messages.
 */
export const selectEarlier = <Message extends Pick<Observation, 'id'>>(
  ordered: readonly Message[],
  { max, min }: MessageBounds = defaultMessageBounds,
): MergedMessages<Message> | undefined => {
  if (ordered.length <= max) return undefined;
  const earlier = ordered.slice(0, ordered.length - min).filter((message) => !isWithdrawable(message));
  const last = earlier.at(-1);
  return last && { last, merged: earlier.slice(0, -1) };
};

const getValues = (values: object): Record<string, unknown> =>
  Object.fromEntries(listValues(values).map(([name, [value]]) => [name, value]));

const toLandingFacts = ([id, { facts }]: readonly [string, LandingObservations]): LandingFacts<number> => ({
  id,
  ...getValues(facts),
});

/**
 * Merges messages, in their order, into the last of them. Its `earlier` has what they report together, with the time of each fact; processes of an
 * earlier version read the values.
 */
export const mergeEarlier = (messages: readonly Observation[], last: Observation): Observation => {
  const { facts, landings, reports }: FlightObservations = [...messages, last].reduce(
    applyObservation,
    unobservedFlight,
  );
  return {
    ...last,
    facts: getValues(facts),
    landings: Object.entries(landings).map(toLandingFacts),
    earlier: { facts, landings, ...(reports && { reports }) },
  };
};
