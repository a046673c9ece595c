import { serviceTypeOf } from '../../../domain/schedule/service-types.ts';
import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightReference } from '../../../domain/status/message.ts';
import { formatDate } from '../../../domain/time/dates.ts';
import { isSurface } from '../world/equipment.ts';

/** Flights with what they follow, and the keys of those that have more than one leg. */
export type LinkedLegs = { readonly flights: readonly DemoFlight[]; readonly multiLegFlights: ReadonlySet<string> };

/**
 * Tells each leg which one it follows: the leg of the same flight that ends where it begins, before it begins. Nearly all
 * flights have one leg, so they are counted first and only the others are looked at again.
 */
export const linkLegs = (flights: readonly DemoFlight[]): LinkedLegs => {
  const seen = new Set<string>();
  const several = new Map<string, DemoFlight[]>();
  for (const { reference } of flights) {
    const key = toFlightKey(reference);
    if (seen.has(key)) several.set(key, []);
    else seen.add(key);
  }
  const linked = flights
    .toSorted((a, b) => a.departsAt - b.departsAt)
    .map((flight) => {
      const legs = several.get(toFlightKey(flight.reference));
      if (!legs) return flight;
      const before = legs.at(-1);
      const joins =
        before?.reference.arrivalAirport === flight.reference.departureAirport && before.arrivesAt <= flight.departsAt;
      const leg = joins ? { ...flight, previousLeg: before } : flight;
      legs.push(leg);
      return leg;
    });
  return { flights: linked, multiLegFlights: new Set(several.keys()) };
};

/** The demo world names its flights by designator and departure airport only. */
export type DemoReference = Extract<FlightReference, { by: 'designator' }>;

/** One leg of the demo world on one day, as far as its life depends on it. */
export type DemoFlight = {
  readonly reference: DemoReference;
  /** Scheduled, UTC. */
  readonly departsAt: UtcSecond;
  readonly arrivesAt: UtcSecond;
  /** Each '' when there is none. */
  readonly aircraftType: { readonly iata: string; readonly icao: string };
  /** '' where there is nothing to tell. */
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  readonly serviceType: string;
  /** The leg before under the same designator: this one does not leave before that one is in. */
  readonly previousLeg?: DemoFlight | undefined;
  /** Given for a flight that no schedule holds: since when it is known, and whose passengers it takes on. */
  readonly unscheduled?:
    | { readonly announcedAt: UtcSecond; readonly recovers: FlightReference | undefined }
    | undefined;
};

/** The same for all legs of a flight, and for no other flight. */
export const toFlightKey = ({ carrier, flightNumber, suffix, originDate }: DemoReference): string =>
  `${carrier}/${flightNumber}${suffix}/${originDate}`;

/** The same for no other leg: no designator of the demo world leaves an airport twice on its way. */
export const toLegKey = (reference: DemoReference): string => `${toFlightKey(reference)}/${reference.departureAirport}`;

/** How the messages of a leg begin their ids: `demo:L0/101/2026-11-21/LHR`. */
export const toMessagePrefix = ({
  carrier,
  flightNumber,
  suffix,
  originDate,
  departureAirport,
}: DemoReference): string => `demo:${carrier}/${flightNumber}${suffix}/${formatDate(originDate)}/${departureAirport}`;

/** Whether it goes by road or rail: it leaves and arrives, but has neither take-off and touchdown nor a registration. */
export const isSurfaceFlight = ({ serviceType, aircraftType }: DemoFlight): boolean =>
  serviceTypeOf(serviceType)?.surface === true || isSurface(aircraftType.iata);

/** Whether it has passengers to tell of gates, counters and baggage. */
export const carriesPassengers = ({ serviceType }: DemoFlight): boolean =>
  serviceTypeOf(serviceType)?.classes.includes('Passenger') === true;

/** So many minutes later, or earlier when negative; rounded to whole minutes, as movements are reported. */
export const addMinutes = (at: UtcSecond, minutes: number): UtcSecond => (at + Math.round(minutes) * 60) as UtcSecond;
