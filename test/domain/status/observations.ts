import type { FlightFacts, LandingFacts } from '../../../src/domain/status/message.ts';
import { computeFlightView, type FlightView } from '../../../src/domain/status/flight-view.ts';
import type { UtcMillisecond, UtcSecond } from '../../../src/domain/status/instants.ts';
import { applyObservations, type Observation } from '../../../src/domain/status/observed-flight.ts';

/** Location IDs of these tests. All flights are scheduled from London to New York. */
export const locationIds = { london: 1, newYork: 2, paris: 3, lyon: 4 } as const;

/** Returns an instant of 1 June 2026, UTC, the day of all flights in these tests: `HH:MM` or `HH:MM:SS`. */
export const toInstant = (time: string): UtcSecond => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (Date.UTC(2026, 5, 1, hours, minutes, seconds) / 1000) as UtcSecond;
};

/** Returns the same instant as a message time. */
export const toMessageTime = (time: string): UtcMillisecond => (toInstant(time) * 1000) as UtcMillisecond;

/** Creates the observation of a message. Its ID defaults to the time. */
export const createObservation = (
  time: string,
  facts: FlightFacts,
  { id = time, landings = [] }: { readonly id?: string; readonly landings?: readonly LandingFacts<number>[] } = {},
): Observation => ({ id, observedAt: toMessageTime(time), facts, landings });

/** Creates an observation of landings at other airports only. */
export const createLandingObservation = (time: string, ...landings: readonly LandingFacts<number>[]): Observation =>
  createObservation(time, {}, { landings });

/** Computes the status of a flight from London. */
export const computeView = (...messages: readonly Observation[]): FlightView =>
  computeFlightView(applyObservations(messages), locationIds.london);
