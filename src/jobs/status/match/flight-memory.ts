import type { StandingFlight } from '../flights/flight-snapshots.ts';

/** So many flights are remembered: some 100 MB when each is sold under one other designator. */
const MOST = 10_000;

/**
 * Scheduled flights that have been looked up, to be told again without reading them: a flight has ten messages and more, within hours.
 * Only a load changes them, so it is good for as long as the newest load is the same.
 */
export type FlightMemory = {
  /** What is remembered of flights as they are by this load; what was remembered of another is forgotten. */
  readonly asOf: (load: number) => {
    readonly get: (name: string) => StandingFlight | undefined;
    readonly keep: (name: string, flight: StandingFlight) => void;
  };
};

/** Remembers nothing yet. */
export const openFlightMemory = (most = MOST): FlightMemory => {
  let of: number | undefined;
  let flights = new Map<string, StandingFlight>();
  return {
    asOf: (load) => {
      if (load !== of) {
        of = load;
        flights = new Map();
      }
      const known = flights;
      return {
        get: (name) => known.get(name),
        keep: (name, flight) => {
          const [oldest] = known.size < most ? [] : known.keys();
          if (oldest !== undefined) known.delete(oldest);
          known.set(name, flight);
        },
      };
    },
  };
};
