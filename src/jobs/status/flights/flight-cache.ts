import { toKeyOrder } from '../../../domain/schedule/keys.ts';
import { toDate } from '../../../domain/time/dates.ts';
import type { InstanceRow } from '../../../store/flights/expanded-days.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { formatStatusId, type StatusId } from '../../../store/status/flight-statuses.ts';
import { restsOnPlan, type StandingFlight, standingFlights, withInstances } from './flight-snapshots.ts';

/** A flight that is to give way to the scheduled one is told as it was, until its status is brought in line. */
const untilItGivesWay = (standing: StandingFlight): StandingFlight => {
  const { instances } = standing;
  const isGivingWay = instances.some(({ flightType, original }) => flightType !== 'S' && original === undefined);
  if (!isGivingWay || instances.length === 1) return standing;
  return withInstances(
    standing,
    instances.filter(({ flightType }) => flightType !== 'S'),
  );
};

/** The flights that messages speak of or describe, those that are remembered without being read. */
export const rememberedFlights = async (
  sql: Sql,
  { places, plans }: { readonly places: readonly StatusId[]; readonly plans: readonly InstanceRow[] },
  memory: ReturnType<FlightMemory['asOf']> | undefined,
): Promise<ReadonlyMap<string, StandingFlight>> => {
  const described = new Set(
    plans.map(({ departsAt, statusKey }) =>
      formatStatusId({ departsOn: toDate(departsAt), statusOrder: toKeyOrder(statusKey) }),
    ),
  );
  const flights = new Map<string, StandingFlight>();
  for (const name of new Set(places.map(formatStatusId))) {
    const known = described.has(name) ? undefined : memory?.get(name);
    if (known) flights.set(name, known);
  }
  const found = await standingFlights(
    sql,
    places.filter((place) => !flights.has(formatStatusId(place))),
    plans,
  );
  for (const [name, flight] of found) {
    flights.set(name, untilItGivesWay(flight));
    if (restsOnPlan(flight.instances) || described.has(name)) continue;
    // What was read of an instance is all that is wanted of it from now on.
    memory?.keep(name, {
      ...flight,
      instances: flight.instances.map((one) => ({ ...one, doc: '', seats: undefined })),
    });
  }
  return flights;
};

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
