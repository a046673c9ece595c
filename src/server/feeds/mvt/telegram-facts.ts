import type { FlightFacts, LandingFacts } from '#domain/status/message.ts';
import { withoutUndefined } from '#lib/without-undefined.ts';
import type { FlightLine } from './flight-line.ts';
import type { Movements } from './movements.ts';
import type { EventTimes } from './resolve-times.ts';
import { TelegramError } from '../text/telegram-error.ts';

/** The facts of a telegram about a flight, and its airports. */
export type TelegramFacts = {
  /** '' when unknown: a telegram from the arrival airport names only that airport, and the matcher finds the other. */
  readonly departureAirport: string;
  readonly arrivalAirport: string | undefined;
  readonly facts: FlightFacts;
  readonly landings: readonly LandingFacts<string>[];
};

const departureElements = ['AD', 'ED', 'EO', 'RR', 'FR'];
const arrivalElements = ['AA', 'EA', 'EB'];

/**
 * Whether the airport of movement is the departure airport. It is the arrival airport only for an arrival, or for an expected arrival
 * without an airport of its own.
 */
const isAtDeparture = ({ airport }: FlightLine, { identifiers, expectedAt }: Movements): boolean =>
  departureElements.some((identifier) => identifiers.has(identifier)) ||
  (expectedAt !== undefined && expectedAt !== airport && !identifiers.has('AA')) ||
  !arrivalElements.some((identifier) => identifiers.has(identifier));

const rejectMixture = ({ line, airport }: FlightLine, { identifiers }: Movements): void => {
  const other = departureElements.find((identifier) => identifiers.has(identifier));
  if (other === undefined || !identifiers.has('AA')) return;
  const location = { line: line.number, field: 'elements', value: [...identifiers].join(' ') };
  const message = `AA and ${other} must not both apply to ${airport} in one telegram.`;
  throw new TelegramError(message, location, 'mixed-movements');
};

/** Returns the landing of a return in the air. An expected arrival without an airport, or at this one, is that of the return. */
const toReturnLanding = (
  { airport }: FlightLine,
  { expectedAt }: Movements,
  times: EventTimes,
): LandingFacts<string> => {
  const isExpectedHere = expectedAt === undefined || expectedAt === airport;
  return {
    id: airport,
    ...withoutUndefined<Omit<LandingFacts<string>, 'id'>>({
      airport,
      type: 'InAirReturn',
      estimatedOn: isExpectedHere ? times.expectedOn : undefined,
      estimatedIn: isExpectedHere ? times.expectedIn : undefined,
      actualOn: times.returnOn,
      actualIn: times.returnIn,
    }),
  };
};

/**
 * Returns the facts of a movement telegram (MVT, MVA). A return to the ramp deletes out and off; a return in the air is a landing.
 * After a return to the ramp, EB is the time at that ramp, for which there is no fact. With AA, an expected arrival elsewhere is that of
 * the next leg. Throws a TelegramError when the elements belong to different airports.
 */
export const toMovementFacts = (flight: FlightLine, movements: Movements, times: EventTimes): TelegramFacts => {
  rejectMixture(flight, movements);
  const { identifiers, expectedAt } = movements;
  const [isOnRamp, isBack] = [identifiers.has('RR'), identifiers.has('FR')];
  const isExpectedBack = isBack && (expectedAt === undefined || expectedAt === flight.airport);
  const isOfNextLeg = identifiers.has('AA') && expectedAt !== undefined && expectedAt !== flight.airport;
  const facts = withoutUndefined<FlightFacts>({
    estimatedOut: times.nextOut,
    estimatedOff: times.nextOff,
    actualOut: isOnRamp ? null : times.out,
    actualOff: isOnRamp ? null : times.off,
    estimatedOn: isExpectedBack || isOfNextLeg ? undefined : times.expectedOn,
    estimatedIn: isExpectedBack || isOfNextLeg || isOnRamp ? undefined : times.expectedIn,
    actualOn: times.on,
    actualIn: times.in,
    registration: flight.registration,
  });
  const landings = isBack ? [toReturnLanding(flight, movements, times)] : [];
  if (!isAtDeparture(flight, movements))
    return { departureAirport: '', arrivalAirport: flight.airport, facts, landings };
  const arrivalAirport = isExpectedBack ? undefined : expectedAt;
  return { departureAirport: flight.airport, arrivalAirport, facts, landings };
};

/** Returns the facts of a diversion telegram (DIV): its airport of movement is the scheduled arrival airport, EA has the other one. */
export const toDiversionFacts = (
  flight: FlightLine,
  { expectedAt, continues }: Movements,
  times: EventTimes,
): TelegramFacts => {
  if (expectedAt === undefined) {
    const location = { line: flight.line.number, field: 'EA', value: '' };
    throw new TelegramError(
      'The diversion has no diversion airport (EA with a time and an airport).',
      location,
      'no-diversion-airport',
    );
  }
  const landing = {
    id: expectedAt,
    ...withoutUndefined<Omit<LandingFacts<string>, 'id'>>({
      airport: expectedAt,
      estimatedOn: times.expectedOn,
      estimatedIn: times.expectedIn,
      continues,
      estimatedOff: times.nextOff,
    }),
  };
  const facts = withoutUndefined<FlightFacts>({ registration: flight.registration });
  return { departureAirport: '', arrivalAirport: flight.airport, facts, landings: [landing] };
};
