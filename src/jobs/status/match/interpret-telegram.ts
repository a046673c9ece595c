import type { Directory } from '../../../domain/master-data/directory.ts';
import type { FlightFacts, LandingFacts, StatusMessage } from '../../../domain/status/message.ts';
import type { StatusCandidate } from '../../../store/status/status-candidates.ts';
import { findLocation } from './code-lookups.ts';

const arrivalNames = ['estimatedOn', 'estimatedIn', 'actualOn', 'actualIn'] as const;
const departureNames = ['estimatedOut', 'estimatedOff', 'actualOut', 'actualOff'] as const;

/** Moves some times of a message to a diversion landing. */
const moveToLanding = (
  message: StatusMessage,
  landing: LandingFacts<string>,
  names: readonly ((typeof arrivalNames)[number] | (typeof departureNames)[number])[],
): StatusMessage => {
  const moved = new Set<string>(names);
  const entries = Object.entries(message.facts);
  const facts: FlightFacts = Object.fromEntries(entries.filter(([name]) => !moved.has(name)));
  const times: Partial<LandingFacts<string>> = Object.fromEntries(entries.filter(([name]) => moved.has(name)));
  return { ...message, facts, landings: [...message.landings, { ...times, ...landing }] };
};

/**
 * Returns a telegram with the meaning that the schedule of its flight gives it. A telegram names the airport that sends it: an arrival at
 * another airport than the scheduled one is a diversion landing, and a departure from there (`landingId`) continues the flight.
 */
export const interpretTelegram = (
  message: StatusMessage,
  { target, landingId }: { readonly target: StatusCandidate; readonly landingId: string | undefined },
  directory: Directory,
): StatusMessage => {
  if (landingId !== undefined) return moveToLanding(message, { id: landingId }, departureNames);
  const { flight, facts, landings } = message;
  if (flight.by !== 'designator' || flight.departureAirport !== '' || flight.arrivalAirport === undefined)
    return message;
  const arrived = arrivalNames.some((name) => typeof facts[name] === 'number');
  if (!arrived || landings.length > 0) return message;
  if (findLocation(directory, flight.arrivalAirport)?.id === target.arrival) return message;
  const { arrivalGate: _gate, arrivalTerminal: _terminal, baggage: _baggage, ...rest } = facts;
  const landing = { id: flight.arrivalAirport, airport: flight.arrivalAirport };
  return moveToLanding({ ...message, facts: rest }, landing, arrivalNames);
};
