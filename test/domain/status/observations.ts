import type { FlightFacts, LandingFacts } from '../../../src/domain/status/message.ts';
import { computeFlightView, type FlightView } from '../../../src/domain/status/flight-view.ts';
import type { UtcMillisecond, UtcSecond } from '../../../src/domain/status/instants.ts';
import { applyObservations, type Observation } from '../../../src/domain/status/observed-flight.ts';

/** Ids of the locations of these tests. Every flight is scheduled from London to New York. */
export const locationIds = { london: 1, newYork: 2, paris: 3, lyon: 4 } as const;

/** A moment of 1 June 2026, UTC, the day of every flight in these tests: `HH:MM` or `HH:MM:SS`. */
export const toInstant = (time: string): UtcSecond => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (Date.UTC(2026, 5, 1, hours, minutes, seconds) / 1000) as UtcSecond;
};

/** The same moment as the time at which a source knew something. */
export const toMessageTime = (time: string): UtcMillisecond => (toInstant(time) * 1000) as UtcMillisecond;

/** What a source said at a time. Its id is that time, unless another is given. */
export const createObservation = (
  time: string,
  facts: FlightFacts,
  { id = time, landings = [] }: { readonly id?: string; readonly landings?: readonly LandingFacts<number>[] } = {},
): Observation => ({ id, observedAt: toMessageTime(time), facts, landings });

/** What a source said at a time of landings elsewhere, and of nothing else. */
export const createLandingObservation = (time: string, ...landings: readonly LandingFacts<number>[]): Observation =>
  createObservation(time, {}, { landings });

/** What messages amount to for a flight from London. */
export const computeView = (...messages: readonly Observation[]): FlightView =>
  computeFlightView(applyObservations(messages), locationIds.london);
