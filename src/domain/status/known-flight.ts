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

/** What is known of one landing elsewhere; `since` is when it was first spoken of. */
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

/** The order in which messages count, whatever the order in which they come: by source time, then by id. */
export const compareObservations = (
  a: Pick<Observation, 'observedAt' | 'id'>,
  b: Pick<Observation, 'observedAt' | 'id'>,
): number => a.observedAt - b.observedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Adds a message that is newer, by `compareObservations`, than all that went into `known`. */
export const observe = (known: KnownFlight, { observedAt, facts, landings }: Observation): KnownFlight => {
  let byId = known.landings;
  for (const { id, ...told } of landings) {
    const before = byId[id] ?? { since: observedAt, facts: {} };
    byId = { ...byId, [id]: { since: before.since, facts: noteAll(before.facts, told, observedAt) } };
  }
  return { facts: noteAll(known.facts, facts, observedAt), landings: byId };
};

/** All that messages, in any order, say together. */
export const observeAll = (observations: readonly Observation[]): KnownFlight =>
  observations.toSorted(compareObservations).reduce(observe, nothingKnown);
