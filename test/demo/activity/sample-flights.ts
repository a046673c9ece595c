import type { LocalDate } from '#domain/time/dates.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import type { DemoFlight } from '#demo/activity/demo-flight.ts';

const HOUR = 3600;

/** The flights that the demo world needs for an interval: those that depart from 96 hours before it to 50 hours after it. */
export const selectFlightsAround = (flights: readonly DemoFlight[], from: UtcMillisecond, to: UtcMillisecond) =>
  flights.filter(({ departsAt }) => departsAt >= from / 1000 - 96 * HOUR && departsAt <= to / 1000 + 50 * HOUR);

/** A flight of eight hours from London to New York that departs at 12:00 UTC of a day, with changes. */
export const createFlight = (date: LocalDate, changes: Partial<DemoFlight> = {}): DemoFlight => {
  const departsAt = (date * 86_400 + 12 * HOUR) as UtcSecond;
  return {
    reference: {
      by: 'designator',
      carrier: 'L0',
      flightNumber: 171,
      suffix: '',
      originDate: date,
      departureAirport: 'LHR',
      arrivalAirport: 'JFK',
    },
    departsAt,
    arrivesAt: (departsAt + 8 * HOUR) as UtcSecond,
    aircraftType: { iata: '77W', icao: 'B77W' },
    departureTerminal: '5',
    arrivalTerminal: '8',
    serviceType: 'J',
    ...changes,
  };
};

export const mergeFacts = (messages: readonly StatusMessage[]): StatusMessage['facts'] => {
  let facts: StatusMessage['facts'] = {};
  for (const message of messages) {
    const known = Object.entries(message.facts).filter(([, value]) => value !== undefined);
    facts = { ...facts, ...Object.fromEntries(known) };
  }
  return facts;
};

export const mergeLandings = (messages: readonly StatusMessage[]): StatusMessage['landings'][0] | undefined => {
  const landings = messages.flatMap((message) => message.landings);
  return landings.length === 0 ? undefined : Object.assign({}, ...landings);
};
