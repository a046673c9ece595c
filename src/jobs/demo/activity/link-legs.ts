import { flightKey, type DemoFlight } from './demo-flight.ts';

/** Flights with what they follow, and the keys of those that have more than one leg. */
export type LinkedLegs = { readonly flights: readonly DemoFlight[]; readonly severalLegs: ReadonlySet<string> };

/**
 * Tells each leg which one it follows: the leg of the same flight that ends where it begins, before it begins. Nearly all
 * flights have one leg, so they are counted first and only the others are looked at again.
 */
export const linkLegs = (flights: readonly DemoFlight[]): LinkedLegs => {
  const seen = new Set<string>();
  const several = new Map<string, DemoFlight[]>();
  for (const { reference } of flights) {
    const key = flightKey(reference);
    if (seen.has(key)) several.set(key, []);
    else seen.add(key);
  }
  const linked = flights
    .toSorted((a, b) => a.departsAt - b.departsAt)
    .map((flight) => {
      const legs = several.get(flightKey(flight.reference));
      if (!legs) return flight;
      const before = legs.at(-1);
      const joins =
        before?.reference.arrivalAirport === flight.reference.departureAirport && before.arrivesAt <= flight.departsAt;
      const leg = joins ? { ...flight, follows: before } : flight;
      legs.push(leg);
      return leg;
    });
  return { flights: linked, severalLegs: new Set(several.keys()) };
};
