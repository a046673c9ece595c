import type { UtcMillisecond } from './instants.ts';
import type { FlightFacts, LandingFacts, StatusMessage } from './message.ts';

/** What is kept of a message beside its id and time: the rest of an Observation, as JSON. */
export const formatObservation = ({ facts, landings }: Omit<Observation, 'id' | 'observedAt'>): string =>
  JSON.stringify({ facts, landings });

/** A kept message as it is counted. */
export const parseObservation = ({
  id,
  observedAt,
  observation,
}: {
  readonly id: string;
  readonly observedAt: UtcMillisecond;
  readonly observation: string;
}): Observation => {
  const { facts, landings }: Omit<Observation, 'id' | 'observedAt'> = JSON.parse(observation);
  return { id, observedAt, facts, landings };
};

/** A whole message that was kept as JSON. */
export const parseStatusMessage = (text: string): StatusMessage => {
  const message: StatusMessage = JSON.parse(text);
  return message;
};

/** What one message adds to the knowledge of a flight. Airports are ids of locations. */
export type Observation = {
  readonly id: string;
  readonly observedAt: UtcMillisecond;
  readonly facts: FlightFacts;
  readonly landings: readonly LandingFacts<number>[];
};

/** The last that was said of each fact, and when the source said it. A value that was taken back is null. */
export type Registers<Facts> = {
  readonly [Name in keyof Facts]?: readonly [value: Exclude<Facts[Name], undefined>, at: UtcMillisecond];
};

/** What is known of one landing elsewhere; `since` is when it was first spoken of, or first after it was taken back or moved. */
export type LandingObservations = {
  readonly since: UtcMillisecond;
  readonly facts: Registers<Omit<LandingFacts<number>, 'id'>>;
};

/** All that is known of a flight; it survives JSON. */
export type FlightObservations = {
  readonly facts: Registers<FlightFacts>;
  readonly landings: Readonly<Record<string, LandingObservations>>;
};

/** A flight of which nothing has been observed yet. */
export const unobservedFlight: FlightObservations = { facts: {}, landings: {} };

/** What a register holds; undefined when nothing was said, or it was taken back. */
export const getValue = <Facts, Name extends keyof Facts>(
  registers: Registers<Facts>,
  name: Name,
): NonNullable<Facts[Name]> | undefined => registers[name]?.[0] ?? undefined;

const updateRegisters = <Facts extends object>(
  registers: Registers<Facts>,
  facts: Facts,
  at: UtcMillisecond,
): Registers<Facts> => {
  const noted: Record<string, readonly [unknown, UtcMillisecond]> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) noted[name] = [value, at];
  return { ...registers, ...noted };
};

const landingTimes = ['actualOn', 'actualIn', 'actualOut', 'actualOff'] as const;

/** Whether a landing elsewhere is known to have been made: the aircraft came down, or left again. */
export const hasLanded = ({ facts }: LandingObservations): boolean =>
  landingTimes.some((name) => getValue(facts, name) !== undefined);

/**
 * Whether the airport that is told of a landing makes it another one than before: it is taken back, spoken of anew, or was
 * not made yet and is planned elsewhere now. What was said of the other one then holds no longer.
 */
const isOtherLanding = (before: LandingObservations, airport: LandingFacts<number>['airport']): boolean => {
  const planned = before.facts.airport?.[0];
  if (airport === undefined) return false;
  if (airport === null || planned === null) return true;
  return planned !== undefined && airport !== planned && !hasLanded(before);
};

const updateLanding = (
  before: LandingObservations | undefined,
  { id: _, ...told }: LandingFacts<number>,
  at: UtcMillisecond,
): LandingObservations => {
  const { since, facts } = before && !isOtherLanding(before, told.airport) ? before : { since: at, facts: {} };
  return { since, facts: updateRegisters(facts, told, at) };
};

/** The order in which messages count, whatever the order in which they come: by source time, then by id. */
export const compareObservations = (
  a: Pick<Observation, 'observedAt' | 'id'>,
  b: Pick<Observation, 'observedAt' | 'id'>,
): number => a.observedAt - b.observedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Adds a message that is newer, by `compareObservations`, than all that went into `known`. */
export const applyObservation = (
  known: FlightObservations,
  { observedAt, facts, landings }: Observation,
): FlightObservations => {
  let byId = known.landings;
  for (const told of landings) byId = { ...byId, [told.id]: updateLanding(byId[told.id], told, observedAt) };
  return { facts: updateRegisters(known.facts, facts, observedAt), landings: byId };
};

/** All that messages, in any order, say together. */
export const applyObservations = (observations: readonly Observation[]): FlightObservations =>
  observations.toSorted(compareObservations).reduce(applyObservation, unobservedFlight);
