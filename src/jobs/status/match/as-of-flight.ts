import type { Directory } from '../../../domain/master-data/directory.ts';
import type { FlightFacts, LandingFacts, StatusMessage } from '../../../domain/status/message.ts';
import type { StatusCandidate } from '../../../store/status/status-candidates.ts';
import { locationMeant } from './station-codes.ts';

const arrivalNames = ['estimatedOn', 'estimatedIn', 'actualOn', 'actualIn'] as const;
const departureNames = ['estimatedOut', 'estimatedOff', 'actualOut', 'actualOff'] as const;

/** Takes some times out of a message and tells them of a landing instead. */
const tellOfLanding = (
  message: StatusMessage,
  landing: LandingFacts<string>,
  names: readonly ((typeof arrivalNames)[number] | (typeof departureNames)[number])[],
): StatusMessage => {
  const leaving = new Set<string>(names);
  const told = Object.entries(message.facts);
  const facts: FlightFacts = Object.fromEntries(told.filter(([name]) => !leaving.has(name)));
  const times: Partial<LandingFacts<string>> = Object.fromEntries(told.filter(([name]) => leaving.has(name)));
  return { ...message, facts, landings: [...message.landings, { ...times, ...landing }] };
};

/**
 * A message as its flight's schedule shows it to be meant. A telegram names the airport it comes from, and cannot know the
 * schedule: an arrival where the flight was not due is a landing elsewhere, and a departure from there its going on.
 */
export const asOfFlight = (
  message: StatusMessage,
  { target, leaves }: { readonly target: StatusCandidate; readonly leaves: string | undefined },
  directory: Directory,
): StatusMessage => {
  if (leaves !== undefined) return tellOfLanding(message, { id: leaves }, departureNames);
  const { flight, facts, landings } = message;
  if (flight.by !== 'designator' || flight.departureAirport !== '' || flight.arrivalAirport === undefined)
    return message;
  const arrived = arrivalNames.some((name) => typeof facts[name] === 'number');
  if (!arrived || landings.length > 0) return message;
  if (locationMeant(directory, flight.arrivalAirport)?.id === target.arrival) return message;
  const { arrivalGate: _gate, arrivalTerminal: _terminal, baggage: _baggage, ...rest } = facts;
  const landing = { id: flight.arrivalAirport, airport: flight.arrivalAirport };
  return tellOfLanding({ ...message, facts: rest }, landing, arrivalNames);
};
