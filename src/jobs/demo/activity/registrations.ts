import { getAirline } from '../world/carriers.ts';
import { createSeededRandom } from '../../../lib/seeded-random.ts';
import { toRotationKey } from './delays.ts';
import { isSurfaceFlight, type DemoFlight } from './demo-flight.ts';

/** How a country marks its aircraft: `#` is a digit, `@` a letter; the rest stands as it is. */
const marks = {
  // The United States never issue the letter O, so these belong to nobody.
  unitedStates: 'N###@O',
  unitedKingdom: 'G@@@@',
  qatar: 'A7@@@',
  singapore: '9V@@@',
  japan: 'JA###@',
  denmark: 'OY@@@',
  australia: 'VH@@@',
  colombia: 'HK####',
} as const;

/** Where each airline of the demo world is at home. */
const homes: Readonly<Record<string, keyof typeof marks>> = {
  L0: 'unitedKingdom',
  W0: 'unitedKingdom',
  Z1: 'unitedKingdom',
  K1: 'unitedStates',
  K0: 'unitedStates',
  O1: 'unitedStates',
  D1: 'qatar',
  M1: 'singapore',
  H0: 'japan',
  N1: 'denmark',
  X2: 'australia',
  YF: 'colombia',
};

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Writes a number in the places of a mark, the last place counting fastest. */
const writeMark = (mark: string, number: number): string => {
  let rest = number;
  const places = [...mark].toReversed().map((place) => {
    if (place !== '#' && place !== '@') return place;
    const size = place === '#' ? 10 : LETTERS.length;
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return place === '#' ? String(digit) : (LETTERS[digit] ?? 'A');
  });
  return places.toReversed().join('');
};

/** Marks for one type in a fleet: more than aircraft fly in a day, so that few are in two places at once: one flight in twenty. */
const FLEET_SIZE = 160;

/**
 * The registration of an aircraft by its number in the fleet of its type; '' for an airline that is none of the demo world.
 * Without hyphens. The marks are made up: no register was consulted, and outside the United States one may exist.
 */
export const buildRegistration = (carrier: string, type: string, number: number): string => {
  const home = homes[carrier];
  if (home === undefined) return '';
  // An aircraft on lease from another airline comes after all types of the fleet's own.
  const types = Object.keys(getAirline(carrier).fleet);
  const place = types.includes(type) ? types.indexOf(type) : types.length;
  // Each airline begins elsewhere, at a number that leaves no leading digit 0.
  const start = 2400 + 2000 * Object.keys(homes).indexOf(carrier);
  return writeMark(marks[home], start + place * FLEET_SIZE + (number % FLEET_SIZE));
};

/** An aircraft for a flight, and the one that takes over when that drops out; '' for what keeps to the ground. */
export const assignRegistrations = (flight: DemoFlight): { readonly planned: string; readonly spare: string } => {
  if (isSurfaceFlight(flight)) return { planned: '', spare: '' };
  const { carrier, flightNumber, originDate } = flight.reference;
  const { iata } = flight.aircraftType;
  // Neighbours in the timetable fly neighbours in the fleet, which keeps them apart; each day moves on by a few.
  const number = Math.ceil(flightNumber / 2) + originDate * 7 + (flight.unscheduled === undefined ? 0 : FLEET_SIZE / 2);
  const other = 1 + Math.floor(createSeededRandom('spare')(toRotationKey(flight)) * (FLEET_SIZE / 2 - 1));
  return {
    planned: buildRegistration(carrier, iata, number),
    spare: buildRegistration(carrier, iata, number + other),
  };
};
