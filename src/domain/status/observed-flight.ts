import { compareTexts } from '#lib/compare-texts.ts';
import type { UtcMillisecond } from './instants.ts';
import { type FlightFacts, type LandingFacts, OPERATOR, type StatusMessage } from './message.ts';

/** The facts of one message about a flight. Airports are location IDs. */
export type Observation = {
  readonly id: string;
  /** Absent where only the newest message is known. */
  readonly source?: string | undefined;
  readonly sender?: number | undefined;
  readonly observedAt: UtcMillisecond;
  readonly facts: FlightFacts;
  readonly landings: readonly LandingFacts<number>[];
  /** What it and the messages before it report together, where it replaces them. */
  readonly earlier?: FlightObservations | undefined;
};

/** The latest value of each fact (last writer wins) and when the source reported it. A withdrawn value is null. */
export type LatestValues<Facts> = {
  readonly [Name in keyof Facts]?: readonly [value: Exclude<Facts[Name], undefined>, at: UtcMillisecond];
};

/** The observations of one landing at another airport; `since` is its first report, or the first after it was withdrawn or moved. */
export type LandingObservations = {
  readonly since: UtcMillisecond;
  readonly facts: LatestValues<Omit<LandingFacts<number>, 'id'>>;
};

/** All observations of a flight, merged; stored as JSON. */
export type FlightObservations = {
  readonly facts: LatestValues<FlightFacts>;
  readonly landings: Readonly<Record<string, LandingObservations>>;
  /** The number of messages; absent where it was not counted. */
  readonly messages?: number;
};

/** A flight without observations. */
export const unobservedFlight: FlightObservations = { facts: {}, landings: {} };

/** Returns the latest value of a fact; undefined when nothing was reported, or the value was withdrawn. */
export const getValue = <Facts, Name extends keyof Facts>(
  values: LatestValues<Facts>,
  name: Name,
): NonNullable<Facts[Name]> | undefined => values[name]?.[0] ?? undefined;

/** Whether a source has hidden the status of a flight. */
export const isHidden = ({ facts }: FlightObservations): boolean => getValue(facts, 'hidden') === true;

const updateLatestValues = <Facts extends object>(
  values: LatestValues<Facts>,
  facts: Facts,
  at: UtcMillisecond,
): LatestValues<Facts> => {
  const updated: Record<string, readonly [unknown, UtcMillisecond]> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) updated[name] = [value, at];
  return { ...values, ...updated };
};

const landingTimes = ['actualOn', 'actualIn', 'actualOut', 'actualOff'] as const;

/** Returns whether a landing has taken place: the aircraft landed, or left again. */
export const hasLanded = ({ facts }: LandingObservations): boolean =>
  landingTimes.some((name) => getValue(facts, name) !== undefined);

/**
 * Whether a reported airport makes it another landing: it is withdrawn, reported again, or not completed and now planned elsewhere. Earlier facts
 * then no longer hold.
 */
const isOtherLanding = (before: LandingObservations, airport: LandingFacts<number>['airport']): boolean => {
  const planned = before.facts.airport?.[0];
  if (airport === undefined) return false;
  if (airport === null || planned === null) return true;
  return planned !== undefined && airport !== planned && !hasLanded(before);
};

const updateLanding = (
  before: LandingObservations | undefined,
  { id: _, ...reported }: LandingFacts<number>,
  at: UtcMillisecond,
): LandingObservations => {
  const { since, facts } = before && !isOtherLanding(before, reported.airport) ? before : { since: at, facts: {} };
  return { since, facts: updateLatestValues(facts, reported, at) };
};

type ObservationOrder = Pick<Observation, 'observedAt' | 'id' | 'source' | 'sender'>;

/** Compares messages by source time, then by ID, then by source and sender if both have one, independent of the order of arrival. */
export const compareObservations = (a: ObservationOrder, b: ObservationOrder): number =>
  a.observedAt - b.observedAt ||
  compareTexts(a.id, b.id) ||
  (a.source === undefined || b.source === undefined
    ? 0
    : compareTexts(a.source, b.source) || (a.sender ?? OPERATOR) - (b.sender ?? OPERATOR));

/** Lists the latest values by the names of their facts. */
export const listValues = (values: object): readonly (readonly [string, readonly [unknown, UtcMillisecond]])[] =>
  Object.entries(values);

/** Returns the later value of each fact; those of `earlier` count if the times are equal. */
const selectLater = <Facts>(known: LatestValues<Facts>, earlier: LatestValues<Facts>): LatestValues<Facts> => {
  const times = new Map(listValues(earlier).map(([name, [, at]]) => [name, at]));
  const later = listValues(known).filter(([name, [, at]]) => at > (times.get(name) ?? -Infinity));
  return { ...earlier, ...Object.fromEntries(later) };
};

/**
 * Applies a message that is newer, by `compareObservations`, than all that went into `known`. If it replaces messages, `known` has those that arrived
 * later than they were replaced: their facts count by their times, and their landings unless it has them.
 */
export const applyObservation = (
  known: FlightObservations,
  { observedAt, facts, landings, earlier }: Observation,
): FlightObservations => {
  const messages = (known.messages ?? 0) + 1;
  if (earlier)
    return {
      facts: selectLater(known.facts, earlier.facts),
      landings: { ...known.landings, ...earlier.landings },
      messages,
    };
  let byId = known.landings;
  for (const reported of landings)
    byId = { ...byId, [reported.id]: updateLanding(byId[reported.id], reported, observedAt) };
  return { facts: updateLatestValues(known.facts, facts, observedAt), landings: byId, messages };
};

/** Formats the stored part of an observation as JSON; ID and time have their own columns. */
export const formatObservation = ({ facts, landings, earlier }: Omit<Observation, 'id' | 'observedAt'>): string =>
  JSON.stringify({ facts, landings, earlier });

/** Parses a stored observation. */
export const parseObservation = ({
  id,
  source,
  sender,
  observedAt,
  observation,
}: {
  readonly id: string;
  readonly source?: string | undefined;
  readonly sender?: number | undefined;
  readonly observedAt: UtcMillisecond;
  readonly observation: string;
}): Observation => {
  const { facts, landings, earlier }: Omit<Observation, 'id' | 'observedAt'> = JSON.parse(observation);
  return {
    id,
    ...(source !== undefined && { source }),
    ...(sender !== undefined && { sender }),
    observedAt,
    facts,
    landings,
    ...(earlier && { earlier }),
  };
};

/** Parses a message that is stored as JSON. */
export const parseStatusMessage = (text: string): StatusMessage => {
  const message: StatusMessage = JSON.parse(text);
  return message;
};
