import { dateAt } from '../../../domain/time/dates.ts';
import { keyOrder } from '../../../domain/schedule/keys.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { placeName, type StatusPlace } from '../../../store/status/flight-statuses.ts';
import type { InstanceRow } from '../../../store/flights/instance-days.ts';
import type { FlightMemory } from './flight-memory.ts';
import { restsOnPlan, standingFlights, withInstances, type StandingFlight } from '../flights/flight-snapshots.ts';

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
  { places, plans }: { readonly places: readonly StatusPlace[]; readonly plans: readonly InstanceRow[] },
  memory: ReturnType<FlightMemory['asOf']> | undefined,
): Promise<ReadonlyMap<string, StandingFlight>> => {
  const described = new Set(
    plans.map(({ departsAt, statusKey }) =>
      placeName({ departsOn: dateAt(departsAt), statusOrder: keyOrder(statusKey) }),
    ),
  );
  const flights = new Map<string, StandingFlight>();
  for (const name of new Set(places.map(placeName))) {
    const known = described.has(name) ? undefined : memory?.get(name);
    if (known) flights.set(name, known);
  }
  const found = await standingFlights(
    sql,
    places.filter((place) => !flights.has(placeName(place))),
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
