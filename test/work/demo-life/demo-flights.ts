import { addDays, type LocalDate } from '../../../src/domain/dates.ts';
import { instancesDeparting } from '../../../src/domain/instances.ts';
import { segmentsOf } from '../../../src/domain/segments.ts';
import { atSecond, type UtcMillisecond, type UtcSecond } from '../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../src/domain/status/message.ts';
import type { DemoFlight } from '../../../src/work/demo-life/demo-flight.ts';
import { demoWorld } from '../../../src/work/demo-world/demo-world.ts';

/** The legs that the demo world around a day operates on a number of days from two before it on, by departure. */
export const demoFlights = (today: LocalDate, days: number): readonly DemoFlight[] => {
  const world = demoWorld(today);
  const zones = new Map(world.locations.map(({ iata, zone }) => [iata, zone]));
  const types = new Map(world.equipment.map(({ iata, icao }) => [iata, icao]));
  const dates = Array.from({ length: days }, (_, index) => addDays(today, index - 2));
  return world.schedules
    .flatMap(({ itineraries }) => itineraries)
    .flatMap((itinerary) =>
      segmentsOf(itinerary)
        .filter(({ legs, isMarketing }) => legs.length === 1 && !isMarketing)
        .flatMap((segment) =>
          dates.flatMap((date) =>
            instancesDeparting(segment, date, {
              firstLeg: itinerary.legs[0],
              zoneOf: (station) => zones.get(station),
            }).map(({ originDate, departsAtUtc, arrivesAtUtc }): DemoFlight => ({
              reference: {
                by: 'designator',
                carrier: segment.carrier,
                flightNumber: segment.flightNumber,
                suffix: segment.suffix,
                originDate,
                departureAirport: segment.legs[0].departure.station,
                arrivalAirport: segment.legs[0].arrival.station,
              },
              departsAt: atSecond(departsAtUtc),
              arrivesAt: atSecond(arrivesAtUtc),
              aircraftType: { iata: segment.equipment, icao: types.get(segment.equipment) ?? '' },
              departureTerminal: segment.departureTerminal,
              arrivalTerminal: segment.arrivalTerminal,
              serviceType: segment.serviceType,
            })),
          ),
        ),
    )
    .toSorted((a, b) => a.departsAt - b.departsAt);
};

const HOUR = 3600;

/** What the demo life is to be given for a stretch of time: what departs from 40 hours before it to 50 hours after it. */
export const flightsAround = (
  flights: readonly DemoFlight[],
  from: UtcMillisecond,
  to: UtcMillisecond,
): readonly DemoFlight[] =>
  flights.filter(({ departsAt }) => departsAt >= from / 1000 - 40 * HOUR && departsAt <= to / 1000 + 50 * HOUR);

/** A flight of eight hours from London to New York that departs at 12:00 UTC of a day, with changes. */
export const flightOn = (date: LocalDate, changes: Partial<DemoFlight> = {}): DemoFlight => {
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

/** What holds of a flight after a number of its messages: of each fact the last word. */
export const factsAfter = (messages: readonly StatusMessage[]): StatusMessage['facts'] => {
  let facts: StatusMessage['facts'] = {};
  for (const message of messages) {
    const told = Object.entries(message.facts).filter(([, value]) => value !== undefined);
    facts = { ...facts, ...Object.fromEntries(told) };
  }
  return facts;
};

/** The same of its landing elsewhere, if it has one. */
export const landingAfter = (messages: readonly StatusMessage[]): StatusMessage['landings'][0] | undefined => {
  const landings = messages.flatMap((message) => message.landings);
  return landings.length === 0 ? undefined : Object.assign({}, ...landings);
};
