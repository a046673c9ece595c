import { toDesignatorKey } from '#domain/schedule/designators.ts';
import { findServiceType } from '#domain/schedule/service-types.ts';
import { type UtcSecond, minuteToSecond } from '#domain/status/instants.ts';
import {
  createLegReference,
  type DatedReference,
  type DesignatorReference,
  type UnscheduledFlightDescription,
} from '#domain/status/message.ts';
import { addDays, type LocalDate } from '#domain/time/dates.ts';
import { equipment, isSurface } from '../world/equipment.ts';
import { getAirport } from '../world/airports.ts';
import { findRotation } from '../world/timetable.ts';
import { getAirline } from '../world/carriers.ts';
import { createSeededRandom, interpolate } from '#lib/seeded-random.ts';
import { listInstances, type SegmentInstance } from '#domain/schedule/instances.ts';
import type { FlightSegment } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { buildDemoSchedules } from '../world/demo-world.ts';

/** The demo world refers to flights by designator and departure airport only. */
export type DemoReference = DatedReference & { readonly arrivalAirport: string };

/** One leg of the demo world on one day: the facts on which its messages depend. */
export type DemoFlight = {
  readonly reference: DemoReference;
  /** Scheduled, UTC. */
  readonly departsAt: UtcSecond;
  readonly arrivesAt: UtcSecond;
  /** '' for a type without such a code. */
  readonly aircraftType: { readonly iata: string; readonly icao: string };
  /** '' when unknown. */
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  readonly serviceType: string;
  /** The previous leg of the same flight: this one departs after its arrival. */
  readonly previousLeg?: DemoFlight | undefined;
  /** The last leg of the outbound flight of a return flight: it brings the aircraft. */
  readonly broughtBy?: DemoFlight | undefined;
  /** The aircraft of a flight without schedule; that of other flights follows from their rotation. */
  readonly registration?: string | undefined;
  /** For a flight without schedule: its type, when it is announced, and the flight whose passengers it carries. */
  readonly unscheduled?:
    | (Pick<UnscheduledFlightDescription, 'flightType' | 'recovers'> & { readonly announcedAt: UtcSecond })
    | undefined;
};

/** Returns the key of a flight, the same for all its legs. */
export const toFlightKey = (reference: DesignatorReference): string =>
  `${toDesignatorKey(reference)}/${reference.originDate}`;

/** Returns the key of the flights that one aircraft flies from its base and back. */
export const toRotationKey = ({ reference, unscheduled }: DemoFlight): string => {
  const found = unscheduled === undefined ? findRotation(reference) : undefined;
  if (found?.outboundNumber === undefined) return toFlightKey(reference);
  const originDate = addDays(reference.originDate, -found.day);
  return toFlightKey({ ...reference, flightNumber: found.outboundNumber, originDate });
};

/** Returns the key of a leg: no flight of the demo world departs from an airport twice. */
export const toLegKey = (reference: DesignatorReference): string =>
  `${toFlightKey(reference)}/${reference.departureAirport}`;

/** Returns whether a leg is by road or rail: it has no take-off, no touchdown and no registration. */
export const isSurfaceFlight = ({ serviceType, aircraftType }: DemoFlight): boolean =>
  findServiceType(serviceType)?.surface === true || isSurface(aircraftType.iata);

/** Returns whether a leg carries passengers, so that it has gates, counters and baggage. */
export const carriesPassengers = ({ serviceType }: DemoFlight): boolean =>
  findServiceType(serviceType)?.classes.includes('Passenger') === true;

/** Adds minutes to an instant, rounded to whole minutes as movements are reported. */
export const addMinutes = (at: UtcSecond, minutes: number): UtcSecond => (at + Math.round(minutes) * 60) as UtcSecond;

/** Returns an instant before another by a number of minutes within a range, at a share of that range. */
export const subtractMinutes = (at: UtcSecond, share: number, [min, max]: readonly [number, number]): UtcSecond =>
  addMinutes(at, -interpolate(share, min, max));

/** Legs with their previous legs, and the keys of the flights that have more than one leg. */
export type LinkedLegs = { readonly flights: readonly DemoFlight[]; readonly multiLegFlights: ReadonlySet<string> };

/** Links each leg to the previous leg of the same flight, and each return flight to the last leg of its outbound flight. */
export const linkLegs = (flights: readonly DemoFlight[]): LinkedLegs => {
  const multiLegFlights = new Set<string>();
  const lastLegs = new Map<string, DemoFlight>();
  const linkLeg = (flight: DemoFlight, key: string): DemoFlight => {
    const previousLeg = lastLegs.get(key);
    if (previousLeg) multiLegFlights.add(key);
    const isConnected = previousLeg?.reference.arrivalAirport === flight.reference.departureAirport;
    if (previousLeg && isConnected && previousLeg.arrivesAt <= flight.departsAt) return { ...flight, previousLeg };
    const outboundKey = toRotationKey(flight);
    const broughtBy = outboundKey === key ? undefined : lastLegs.get(outboundKey);
    return broughtBy ? { ...flight, broughtBy } : flight;
  };
  const linked = flights
    .toSorted((a, b) => a.departsAt - b.departsAt)
    .map((flight) => {
      const key = toFlightKey(flight.reference);
      const leg = linkLeg(flight, key);
      lastLegs.set(key, leg);
      return leg;
    });
  return { flights: linked, multiLegFlights };
};

const alphabets: Readonly<Record<string, string>> = { '#': '0123456789', '@': 'ABCDEFGHJKLMNPQRSTUVWXYZ' };

/** Formats a number by a pattern, in which `#` is a digit and `@` a letter; the last position counts fastest. */
const formatRegistration = (pattern: string, number: number): string => {
  let rest = number;
  let text = '';
  for (const character of [...pattern].toReversed()) {
    const alphabet = alphabets[character] ?? character;
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
};

/** Returns the invented registration of an aircraft, without hyphens, by its number in the fleet of its airline. */
export const buildRegistration = (carrier: string, number: number): string => {
  const { registration, first_registration: first } = getAirline(carrier);
  return formatRegistration(registration, Number(first) + number);
};

const AIRCRAFT_CHANGED = 0.03;

/** The aircraft of a flight: `spare` replaces `planned` on both flights of a rotation; undefined when it is not changed. */
type AssignedAircraft = { readonly planned: string; readonly spare: string | undefined };

/** Returns the aircraft of a flight; '' for a surface vehicle and for a flight outside the demo world. */
export const assignAircraft = (flight: DemoFlight): AssignedAircraft => {
  const { reference, registration } = flight;
  const rotation = findRotation(reference);
  if (isSurfaceFlight(flight)) return { planned: '', spare: undefined };
  if (registration !== undefined || !rotation) return { planned: registration ?? '', spare: undefined };
  const { firstAircraft, aircraftCount, day } = rotation;
  const number = firstAircraft + ((reference.originDate - day) % aircraftCount);
  const isChanged = createSeededRandom('spare')(toRotationKey(flight)) < AIRCRAFT_CHANGED;
  return {
    planned: buildRegistration(reference.carrier, number),
    spare: isChanged ? buildRegistration(reference.carrier, number + aircraftCount) : undefined,
  };
};

const DAYS_BEFORE = 5;

const toDemoFlight = (
  segment: FlightSegment,
  { originDate, departsAtUtc, arrivesAtUtc }: SegmentInstance,
  icao: string,
): DemoFlight => {
  const { equipment, departureTerminal, arrivalTerminal, serviceType } = segment;
  const [{ departure, arrival }] = segment.legs;
  return {
    reference: createLegReference(segment, originDate, [departure.station, arrival.station]),
    departsAt: minuteToSecond(departsAtUtc),
    arrivesAt: minuteToSecond(arrivesAtUtc),
    aircraftType: { iata: equipment, icao },
    departureTerminal,
    arrivalTerminal,
    serviceType,
  };
};

/**
 * Returns the operated legs of the demo world, in order of departure, from five days before a day: the outbound flights of all return
 * flights around the day are among them. Ten days include its arrivals on later days.
 */
export const listDemoFlights = (today: LocalDate, days = 10): readonly DemoFlight[] => {
  const from = addDays(today, -DAYS_BEFORE);
  const schedules = buildDemoSchedules(today, { from, to: addDays(from, days - 1) });
  const types = new Map(equipment.map(({ iata, icao }) => [iata, icao]));
  const dates = Array.from({ length: days }, (_, index) => addDays(from, index));
  const zoneOf = (station: string): string => getAirport(station).zone;
  const flights: DemoFlight[] = [];
  for (const itinerary of schedules.flatMap(({ itineraries }) => itineraries)) {
    const [firstLeg] = itinerary.legs;
    const operated = buildSegments(itinerary).filter(({ legs, isMarketing }) => legs.length === 1 && !isMarketing);
    for (const segment of operated)
      for (const date of dates)
        for (const instance of listInstances(segment, date, { firstLeg, zoneOf }))
          flights.push(toDemoFlight(segment, instance, types.get(segment.equipment) ?? ''));
  }
  return flights.toSorted((a, b) => a.departsAt - b.departsAt);
};
