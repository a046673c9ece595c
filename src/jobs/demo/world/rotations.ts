import { addDays, type LocalDate } from '../../../domain/time/dates.ts';
import { isSurface } from './equipment.ts';
import { addUtcMinutes, computeLegTimes, toDepartureInstant } from './leg-times.ts';
import { type FlightPair, planNetworks, probeDates, shiftDays } from './plan-networks.ts';
import { specialFlights } from './special-flights.ts';
import type { TimetableFlight } from './timetable.ts';

/**
 * The flights of one aircraft from its base and back: a flight with its return flight, or one flight that ends where it
 * began. The rotation has aircraft of its own, which alternate from day to day.
 */
type Rotation = {
  readonly carrier: string;
  /** The number of its first aircraft within the fleet of the airline. */
  readonly firstAircraft: number;
  /** The number of its aircraft, without the spare aircraft: each of them has one spare aircraft. */
  readonly aircraftCount: number;
  /** Days from the departure of the outbound flight to the departure of the return flight. */
  readonly returnDay: number;
};

/** A flight within its rotation. */
type RotationFlight = {
  readonly rotation: Rotation;
  /** The flight number of the outbound flight of a return flight; undefined for the first flight of a rotation. */
  readonly outboundNumber: number | undefined;
  /** Whether the aircraft is at its base after this flight. */
  readonly isLast: boolean;
};

type Designator = { readonly carrier: string; readonly flightNumber: number; readonly suffix: string };

/** Hours between two rotations of an aircraft: more than any delay. */
const SLACK_MINUTES = 12 * 60;
const TURNAROUND_MINUTES = 25;
const MINUTES_A_DAY = 1440;
const WEEK = [0, 1, 2, 3, 4, 5, 6] as const;

const findStations = ({ legs }: TimetableFlight): readonly [first: string, last: string] => [
  legs[0].from,
  (legs.at(-1) ?? legs[0]).to,
];

const findArrival = (flight: TimetableFlight, date: LocalDate): number =>
  addUtcMinutes(toDepartureInstant(flight, date), computeLegTimes(flight).at(-1)?.arrives ?? 0);

/** Returns the days from the outbound flight to the first return flight that its aircraft reaches; undefined if none fits. */
const findReturnDay = ([outbound, inbound]: FlightPair): number | undefined =>
  WEEK.find(
    (day) =>
      shiftDays(outbound.days, day) === inbound.days &&
      probeDates.every(
        (date) => toDepartureInstant(inbound, addDays(date, day)) >= findArrival(outbound, date) + TURNAROUND_MINUTES,
      ),
  );

const isReturnFlight = (outbound: TimetableFlight, inbound: TimetableFlight): boolean => {
  const [first, last] = findStations(outbound);
  const [from, to] = findStations(inbound);
  return (
    inbound !== outbound &&
    inbound.carrier === outbound.carrier &&
    inbound.suffix === outbound.suffix &&
    inbound.legs[0].equipment === outbound.legs[0].equipment &&
    from === last &&
    to === first &&
    findReturnDay([outbound, inbound]) !== undefined
  );
};

type PlannedRotation = readonly [outbound: TimetableFlight, inbound: TimetableFlight | undefined];

/** Pairs each flight with the next one that returns its aircraft. Throws RangeError for a flight that leaves its aircraft elsewhere. */
const pairFlights = (flights: readonly TimetableFlight[]): readonly PlannedRotation[] => {
  const paired = new Set<TimetableFlight>();
  return flights.flatMap((outbound, index): readonly PlannedRotation[] => {
    if (paired.has(outbound)) return [];
    const [first, last] = findStations(outbound);
    if (first === last) return [[outbound, undefined]];
    const inbound = flights.slice(index).find((flight) => !paired.has(flight) && isReturnFlight(outbound, flight));
    if (!inbound)
      throw new RangeError(`no flight returns the aircraft of ${outbound.carrier} ${outbound.flightNumber}`);
    paired.add(inbound);
    return [[outbound, inbound]];
  });
};

/** Returns the aircraft that a rotation needs so that each is back long before its next rotation. */
const countAircraft = ([outbound, inbound]: PlannedRotation, returnDay: number): number => {
  const minutes = probeDates.map((date) => {
    const end = inbound ? findArrival(inbound, addDays(date, returnDay)) : findArrival(outbound, date);
    return end - toDepartureInstant(outbound, date);
  });
  return Math.ceil((Math.max(...minutes) + SLACK_MINUTES) / MINUTES_A_DAY);
};

const toKey = ({ carrier, flightNumber, suffix }: Designator): string => `${carrier}/${flightNumber}${suffix}`;

const buildRotations = (): ReadonlyMap<string, RotationFlight> => {
  const flown = specialFlights.filter(({ legs }) => !isSurface(legs[0].equipment));
  const rotations = new Map<string, RotationFlight>();
  const fleetSizes = new Map<string, number>();
  for (const pair of [...planNetworks(), ...pairFlights(flown)]) {
    const [outbound, inbound] = pair;
    // The weekday and weekend plans of a flight have the same aircraft.
    if (rotations.has(toKey(outbound))) continue;
    const { carrier, flightNumber } = outbound;
    const returnDay = inbound ? inbound.rotationDay || (findReturnDay([outbound, inbound]) ?? 0) : 0;
    const firstAircraft = fleetSizes.get(carrier) ?? 0;
    const aircraftCount = countAircraft(pair, returnDay);
    const rotation: Rotation = { carrier, firstAircraft, aircraftCount, returnDay };
    fleetSizes.set(carrier, firstAircraft + 2 * aircraftCount);
    rotations.set(toKey(outbound), { rotation, outboundNumber: undefined, isLast: inbound === undefined });
    if (inbound) rotations.set(toKey(inbound), { rotation, outboundNumber: flightNumber, isLast: true });
  }
  return rotations;
};

let cached: ReadonlyMap<string, RotationFlight> | undefined;

/** Returns the rotation of a scheduled flight; undefined for a surface vehicle and a flight without schedule. */
export const findRotation = (designator: Designator): RotationFlight | undefined =>
  (cached ??= buildRotations()).get(toKey(designator));
