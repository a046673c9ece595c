import type { FlightFacts, LandingFacts } from '../../domain/status/message.ts';
import type { FlightLine } from './flight-line.ts';
import type { Movements } from './movements.ts';
import type { EventTimes } from './resolve-times.ts';
import { TelegramError } from './telegram-error.ts';

/** What a telegram tells of a flight, and between which airports. */
export type TelegramFacts = {
  /** '' when the telegram does not tell it: one from the arrival airport names that airport only, and the matcher finds the other. */
  readonly departureAirport: string;
  readonly arrivalAirport: string | undefined;
  readonly facts: FlightFacts;
  readonly landings: readonly LandingFacts<string>[];
};

/** Facts that are not told are absent, and not present as undefined, so that they cannot overwrite anything. */
const withoutUndefined = <Facts extends object>(facts: Facts): Facts =>
  // Object.fromEntries forgets the keys it was given.
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts;

const departureElements = ['AD', 'ED', 'EO', 'RR', 'FR'];
const arrivalElements = ['AA', 'EA', 'EB'];

/**
 * Whether the airport of movement is the one the flight leaves from. The elements tell: only an arrival, or an expected arrival without an
 * airport of its own, is sent about the airport the flight goes to.
 */
const isAtDeparture = ({ airport }: FlightLine, { identifiers, expectedAt }: Movements): boolean =>
  departureElements.some((identifier) => identifiers.has(identifier)) ||
  (expectedAt !== undefined && expectedAt !== airport && !identifiers.has('AA')) ||
  !arrivalElements.some((identifier) => identifiers.has(identifier));

const rejectMixture = ({ line, airport }: FlightLine, { identifiers }: Movements): void => {
  const other = departureElements.find((identifier) => identifiers.has(identifier));
  if (other === undefined || !identifiers.has('AA')) return;
  const place = { line: line.number, field: 'elements', value: [...identifiers].join(' ') };
  const message = `AA and ${other} cannot both be about ${airport} in one telegram.`;
  throw new TelegramError(message, place, 'mixed-movements');
};

/** Back at the airport it left: an expected arrival without an airport, or at this one, is that of the return. */
const toReturnLanding = (
  { airport }: FlightLine,
  { expectedAt }: Movements,
  moments: EventTimes,
): LandingFacts<string> => {
  const isExpectedHere = expectedAt === undefined || expectedAt === airport;
  return withoutUndefined<LandingFacts<string>>({
    id: airport,
    airport,
    type: 'InAirReturn',
    estimatedOn: isExpectedHere ? moments.expectedOn : undefined,
    estimatedIn: isExpectedHere ? moments.expectedIn : undefined,
    actualOn: moments.returnOn,
    actualIn: moments.returnIn,
  });
};

/**
 * What a movement telegram (MVT, MVA) tells. A return to the ramp takes back out and off; one from the air is a landing. After a return to
 * the ramp EB is the time at that ramp, for which there is no fact; beside AA an expected arrival elsewhere is that of the next leg. Throws a TelegramError when the elements belong to different airports.
 */
export const toMovementFacts = (flight: FlightLine, movements: Movements, moments: EventTimes): TelegramFacts => {
  rejectMixture(flight, movements);
  const { identifiers, expectedAt } = movements;
  const [isOnRamp, isBack] = [identifiers.has('RR'), identifiers.has('FR')];
  const isExpectedBack = isBack && (expectedAt === undefined || expectedAt === flight.airport);
  const isOfNextLeg = identifiers.has('AA') && expectedAt !== undefined && expectedAt !== flight.airport;
  const facts = withoutUndefined<FlightFacts>({
    estimatedOut: moments.nextOut,
    estimatedOff: moments.nextOff,
    actualOut: isOnRamp ? null : moments.out,
    actualOff: isOnRamp ? null : moments.off,
    estimatedOn: isExpectedBack || isOfNextLeg ? undefined : moments.expectedOn,
    estimatedIn: isExpectedBack || isOfNextLeg || isOnRamp ? undefined : moments.expectedIn,
    actualOn: moments.on,
    actualIn: moments.in,
    registration: flight.registration,
  });
  const landings = isBack ? [toReturnLanding(flight, movements, moments)] : [];
  if (!isAtDeparture(flight, movements))
    return { departureAirport: '', arrivalAirport: flight.airport, facts, landings };
  const arrivalAirport = isExpectedBack ? undefined : expectedAt;
  return { departureAirport: flight.airport, arrivalAirport, facts, landings };
};

/** What a diversion telegram (DIV) tells: its airport of movement is the one at which the flight was to land, EA names the other one. */
export const toDiversionFacts = (
  flight: FlightLine,
  { expectedAt, continues }: Movements,
  moments: EventTimes,
): TelegramFacts => {
  if (expectedAt === undefined) {
    const place = { line: flight.line.number, field: 'EA', value: '' };
    throw new TelegramError(
      'The diversion does not say where to (EA with a time and an airport).',
      place,
      'no-diversion-airport',
    );
  }
  const landing = withoutUndefined<LandingFacts<string>>({
    id: expectedAt,
    airport: expectedAt,
    estimatedOn: moments.expectedOn,
    estimatedIn: moments.expectedIn,
    continues,
    estimatedOff: moments.nextOff,
  });
  const facts = withoutUndefined<FlightFacts>({ registration: flight.registration });
  return { departureAirport: '', arrivalAirport: flight.airport, facts, landings: [landing] };
};
