import type { UtcMillisecond } from './instants.ts';
import type { FlightFacts, LandingFacts } from './message.ts';

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
export type KnownLanding = {
  readonly since: UtcMillisecond;
  readonly facts: Registers<Omit<LandingFacts<number>, 'id'>>;
};

/** All that is known of a flight; it survives JSON. */
export type KnownFlight = {
  readonly facts: Registers<FlightFacts>;
  readonly landings: Readonly<Record<string, KnownLanding>>;
};

/** A flight of which nothing has been observed yet. */
export const nothingKnown: KnownFlight = { facts: {}, landings: {} };

/** What a register holds; undefined when nothing was said, or it was taken back. */
export const valueOf = <Facts, Name extends keyof Facts>(
  registers: Registers<Facts>,
  name: Name,
): NonNullable<Facts[Name]> | undefined => registers[name]?.[0] ?? undefined;

const noteAll = <Facts extends object>(
  registers: Registers<Facts>,
  facts: Facts,
  at: UtcMillisecond,
): Registers<Facts> => {
  const noted: Record<string, readonly [unknown, UtcMillisecond]> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) noted[name] = [value, at];
  return { ...registers, ...noted };
};

const madeBy = ['actualOn', 'actualIn', 'actualOut', 'actualOff'] as const;

/** Whether a landing elsewhere is known to have been made: the aircraft came down, or left again. */
export const isMade = ({ facts }: KnownLanding): boolean => madeBy.some((name) => valueOf(facts, name) !== undefined);

/**
 * Whether the airport that is told of a landing makes it another one than before: it is taken back, spoken of anew, or was
 * not made yet and is planned elsewhere now. What was said of the other one then holds no longer.
 */
const isAnother = (before: KnownLanding, airport: LandingFacts<number>['airport']): boolean => {
  const planned = before.facts.airport?.[0];
  if (airport === undefined) return false;
  if (airport === null || planned === null) return true;
  return planned !== undefined && airport !== planned && !isMade(before);
};

const noteLanding = (
  before: KnownLanding | undefined,
  { id: _, ...told }: LandingFacts<number>,
  at: UtcMillisecond,
): KnownLanding => {
  const { since, facts } = before && !isAnother(before, told.airport) ? before : { since: at, facts: {} };
  return { since, facts: noteAll(facts, told, at) };
};

/** The order in which messages count, whatever the order in which they come: by source time, then by id. */
export const compareObservations = (
  a: Pick<Observation, 'observedAt' | 'id'>,
  b: Pick<Observation, 'observedAt' | 'id'>,
): number => a.observedAt - b.observedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Adds a message that is newer, by `compareObservations`, than all that went into `known`. */
export const observe = (known: KnownFlight, { observedAt, facts, landings }: Observation): KnownFlight => {
  let byId = known.landings;
  for (const told of landings) byId = { ...byId, [told.id]: noteLanding(byId[told.id], told, observedAt) };
  return { facts: noteAll(known.facts, facts, observedAt), landings: byId };
};

/** All that messages, in any order, say together. */
export const observeAll = (observations: readonly Observation[]): KnownFlight =>
  observations.toSorted(compareObservations).reduce(observe, nothingKnown);
