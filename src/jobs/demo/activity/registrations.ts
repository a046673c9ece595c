import { findAirline } from '../world/carriers.ts';
import { createSeededRandom } from '../../../lib/seeded-random.ts';
import { findRotation } from '../world/timetable.ts';
import { isSurfaceFlight, toRotationKey, type DemoFlight } from './demo-flight.ts';

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
  return airline ? formatRegistration(airline.registration, airline.firstRegistration + number) : '';
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
