import { findServiceType } from '#domain/schedule/service-types.ts';
import { type UtcSecond, minuteToSecond } from '#domain/status/instants.ts';
import type { FlightReference } from '#domain/status/message.ts';
import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { equipment, isSurface } from '../world/equipment.ts';
import { getAirport } from '../world/airports.ts';
import { findRotation } from '../world/timetable.ts';
import { findAirline } from '../world/carriers.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { listInstances, type SegmentInstance } from '#domain/schedule/instances.ts';
import type { FlightSegment } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { buildDemoSchedules } from '../world/demo-world.ts';

/** The demo world refers to flights by designator and departure airport only. */
export type DemoReference = Extract<FlightReference, { by: 'designator' }>;

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
  /** For a flight without schedule: when it is announced, and the flight whose passengers it carries. */
  readonly unscheduled?:
    | { readonly announcedAt: UtcSecond; readonly recovers: FlightReference | undefined }
    | undefined;
};

/** Returns the key of a flight, the same for all its legs. */
export const toFlightKey = ({ carrier, flightNumber, suffix, originDate }: DemoReference): string =>
  `${carrier}/${flightNumber}${suffix}/${originDate}`;

/** Returns the key of the flights that one aircraft flies from its base and back. */
export const toRotationKey = ({ reference, unscheduled }: DemoFlight): string => {
  const found = unscheduled === undefined ? findRotation(reference) : undefined;
  if (found?.outboundNumber === undefined) return toFlightKey(reference);
  const originDate = addDays(reference.originDate, -found.day);
  return toFlightKey({ ...reference, flightNumber: found.outboundNumber, originDate });
};

/** Returns the key of a leg: no flight of the demo world departs from an airport twice. */
export const toLegKey = (reference: DemoReference): string => `${toFlightKey(reference)}/${reference.departureAirport}`;

/** Returns the prefix of the message IDs of a leg, for example `demo:L0/101/2026-11-21/LHR`. */
export const toMessagePrefix = ({
  carrier,
  flightNumber,
  suffix,
  originDate,
  departureAirport,
}: DemoReference): string => `demo:${carrier}/${flightNumber}${suffix}/${formatDate(originDate)}/${departureAirport}`;

/** Returns whether a leg is by road or rail: it has no take-off, no touchdown and no registration. */
export const isSurfaceFlight = ({ serviceType, aircraftType }: DemoFlight): boolean =>
  findServiceType(serviceType)?.surface === true || isSurface(aircraftType.iata);

/** Returns whether a leg carries passengers, so that it has gates, counters and baggage. */
export const carriesPassengers = ({ serviceType }: DemoFlight): boolean =>
  findServiceType(serviceType)?.classes.includes('Passenger') === true;

/** Adds minutes to an instant, rounded to whole minutes as movements are reported. */
export const addMinutes = (at: UtcSecond, minutes: number): UtcSecond => (at + Math.round(minutes) * 60) as UtcSecond;

/** Legs with their previous legs, and the keys of the flights that have more than one leg. */
export type LinkedLegs = { readonly flights: readonly DemoFlight[]; readonly multiLegFlights: ReadonlySet<string> };

/**
 * Links each leg to the previous leg of the same flight, which arrives at its departure airport before its departure,
 * and each return flight to the last leg of its outbound flight.
 */
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

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Formats a number by a pattern, in which `#` is a digit and `@` a letter; the last position counts fastest. */
const formatRegistration = (pattern: string, number: number): string => {
  let rest = number;
  const characters = [...pattern].toReversed().map((character) => {
    if (character !== '#' && character !== '@') return character;
    const size = character === '#' ? 10 : LETTERS.length;
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return character === '#' ? String(digit) : (LETTERS[digit] ?? 'A');
  });
  return characters.toReversed().join('');
};

/**
 * Returns the registration of an aircraft, without hyphens, by its number in the fleet of its airline; '' for airlines
 * outside the demo world. The registrations are invented, but outside the United States an aircraft may carry one.
 */
export const buildRegistration = (carrier: string, number: number): string => {
  const airline = findAirline(carrier);
  return airline ? formatRegistration(airline.registration, Number(airline.first_registration) + number) : '';
};

const AIRCRAFT_CHANGED = 0.03;

/** The aircraft of a flight: `spare` replaces `planned` on both flights of a rotation; undefined when it is not changed. */
type AssignedAircraft = { readonly planned: string; readonly spare: string | undefined };

/** Returns the aircraft of a flight; '' for a surface vehicle and for a flight outside the demo world. */
export const assignAircraft = (flight: DemoFlight): AssignedAircraft => {
  if (isSurfaceFlight(flight)) return { planned: '', spare: undefined };
  if (flight.registration !== undefined) return { planned: flight.registration, spare: undefined };
  const { carrier, originDate } = flight.reference;
  const found = findRotation(flight.reference);
  if (!found) return { planned: '', spare: undefined };
  const { firstAircraft, aircraftCount, day } = found;
  const number = firstAircraft + ((originDate - day) % aircraftCount);
  const isChanged = createSeededRandom('spare')(toRotationKey(flight)) < AIRCRAFT_CHANGED;
  return {
    planned: buildRegistration(carrier, number),
    spare: isChanged ? buildRegistration(carrier, number + aircraftCount) : undefined,
  };
};

const DAYS_BEFORE = 5;

const toDemoFlight = (
  segment: FlightSegment,
  { originDate, departsAtUtc, arrivesAtUtc }: SegmentInstance,
  icao: string,
): DemoFlight => {
  const { carrier, flightNumber, suffix, equipment, departureTerminal, arrivalTerminal, serviceType } = segment;
  const [{ departure, arrival }] = segment.legs;
  return {
    reference: {
      by: 'designator',
      carrier,
      flightNumber,
      suffix,
      originDate,
      departureAirport: departure.station,
      arrivalAirport: arrival.station,
    },
    departsAt: minuteToSecond(departsAtUtc),
    arrivesAt: minuteToSecond(arrivesAtUtc),
    aircraftType: { iata: equipment, icao },
    departureTerminal,
    arrivalTerminal,
    serviceType,
  };
};

/**
 * Returns the operated legs of the demo world, in order of departure, for a number of days from five days before a day,
 * so that they include the outbound flights of all return flights around the day.
 */
export const listDemoFlights = (today: LocalDate, days: number): readonly DemoFlight[] => {
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
