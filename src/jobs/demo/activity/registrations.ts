import { findAirline } from '../world/carriers.ts';
import { createSeededRandom } from '../../../lib/seeded-random.ts';
import { toRotationKey } from './delays.ts';
import { isSurfaceFlight, type DemoFlight } from './demo-flight.ts';

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
 * Registrations for each type of a fleet: more than fly on a day, so that only one flight in twenty shares an aircraft
 * with another.
 */
const FLEET_SIZE = 160;

/**
 * Returns the registration of an aircraft, without hyphens, by its number in the fleet of its type; '' for airlines
 * outside the demo world. The registrations are invented, but outside the United States an aircraft may carry one.
 */
export const buildRegistration = (carrier: string, type: string, number: number): string => {
  const airline = findAirline(carrier);
  if (!airline) return '';
  // Leased aircraft come after all types of the airline's own fleet.
  const types = [...airline.fleet.keys()];
  const position = types.includes(type) ? types.indexOf(type) : types.length;
  return formatRegistration(
    airline.registration,
    airline.firstRegistration + position * FLEET_SIZE + (number % FLEET_SIZE),
  );
};

/**
 * Returns the registration of the planned aircraft of a flight and of its replacement; both '' for a surface vehicle.
 */
export const assignRegistrations = (flight: DemoFlight): { readonly planned: string; readonly spare: string } => {
  if (isSurfaceFlight(flight)) return { planned: '', spare: '' };
  const { carrier, flightNumber, originDate } = flight.reference;
  const { iata } = flight.aircraftType;
  // Consecutive flights get consecutive aircraft, and each day starts seven further on, so that few flights share one.
  const number = Math.ceil(flightNumber / 2) + originDate * 7 + (flight.unscheduled === undefined ? 0 : FLEET_SIZE / 2);
  const other = 1 + Math.floor(createSeededRandom('spare')(toRotationKey(flight)) * (FLEET_SIZE / 2 - 1));
  return {
    planned: buildRegistration(carrier, iata, number),
    spare: buildRegistration(carrier, iata, number + other),
  };
};
