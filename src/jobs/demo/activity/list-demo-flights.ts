import { addDays, type LocalDate } from '../../../domain/time/dates.ts';
import { listInstances, type SegmentInstance } from '../../../domain/schedule/instances.ts';
import type { FlightSegment } from '../../../domain/schedule/schedule.ts';
import { buildSegments } from '../../../domain/schedule/segments.ts';
import { minuteToSecond } from '../../../domain/status/instants.ts';
import { buildDemoWorld } from '../world/demo-world.ts';
import type { DemoFlight } from './demo-flight.ts';

const DAYS_BEFORE = 5;

const toDemoFlight = (
  segment: FlightSegment,
  { originDate, departsAtUtc, arrivesAtUtc }: SegmentInstance,
  icao: string,
): DemoFlight => {
  const { carrier, flightNumber, suffix, equipment, departureTerminal, arrivalTerminal, serviceType } = segment;
  const [{ departure, arrival }] = segment.legs;
  return {
    reference: {
      by: 'designator',
      carrier,
      flightNumber,
      suffix,
      originDate,
      departureAirport: departure.station,
      arrivalAirport: arrival.station,
    },
    departsAt: minuteToSecond(departsAtUtc),
    arrivesAt: minuteToSecond(arrivesAtUtc),
    aircraftType: { iata: equipment, icao },
    departureTerminal,
    arrivalTerminal,
    serviceType,
  };
};

/**
 * Returns the operated legs of the demo world, in order of departure, for a number of days from five days before a day,
 * so that they include the outbound flights of all return flights around the day.
 */
export const listDemoFlights = (today: LocalDate, days: number): readonly DemoFlight[] => {
  const from = addDays(today, -DAYS_BEFORE);
  const { locations, equipment, schedules } = buildDemoWorld(today, { from, to: addDays(from, days - 1) });
  const zones = new Map(locations.map(({ iata, zone }) => [iata, zone]));
  const types = new Map(equipment.map(({ iata, icao }) => [iata, icao]));
  const dates = Array.from({ length: days }, (_, index) => addDays(from, index));
  const zoneOf = (station: string): string | undefined => zones.get(station);
  const flights: DemoFlight[] = [];
  for (const itinerary of schedules.flatMap(({ itineraries }) => itineraries)) {
    const [firstLeg] = itinerary.legs;
    const operated = buildSegments(itinerary).filter(({ legs, isMarketing }) => legs.length === 1 && !isMarketing);
    for (const segment of operated)
      for (const date of dates)
        for (const instance of listInstances(segment, date, { firstLeg, zoneOf }))
          flights.push(toDemoFlight(segment, instance, types.get(segment.equipment) ?? ''));
  }
  return flights.toSorted((a, b) => a.departsAt - b.departsAt);
};
