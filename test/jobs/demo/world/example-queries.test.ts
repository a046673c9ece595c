import { expect, test } from 'vitest';
import { addDays, formatDate, formatMinute, localDate, type LocalDate } from '../../../../src/domain/time/dates.ts';
import { listInstances } from '../../../../src/domain/schedule/instances.ts';
import type { FlightSegment, ScheduleLeg } from '../../../../src/domain/schedule/schedule.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { listServiceTypes } from '../../../../src/domain/schedule/service-types.ts';
import { buildDemoWorld, type DemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';
import { buildFlightInfoExamples } from '../../../../src/jobs/demo/world/example-queries.ts';

type Departure = { readonly segment: FlightSegment; readonly departs: string; readonly arrives: string };

const listDepartures = (world: DemoWorld, today: LocalDate): readonly Departure[] => {
  const zones = new Map(world.locations.map(({ iata, zone }) => [iata, zone]));
  const dates = Array.from({ length: 16 }, (_, index) => addDays(today, index - 2));
  const zoneOf = (station: string) => zones.get(station);
  const listOfSegment = (segment: FlightSegment, firstLeg: ScheduleLeg): readonly Departure[] =>
    dates.flatMap((date) =>
      listInstances(segment, date, { firstLeg, zoneOf }).map(({ departsAtLocal, arrivesAtLocal }) => ({
        segment,
        departs: formatMinute(departsAtLocal),
        arrives: formatMinute(arrivesAtLocal),
      })),
    );
  return world.schedules
    .flatMap(({ itineraries }) => itineraries)
    .flatMap((itinerary) => buildSegments(itinerary).flatMap((segment) => listOfSegment(segment, itinerary.legs[0])));
};

/** `2026-11-21`, `2026-11-21T20:00` or two of them, as the first and the last minute they allow. */
const within = (range: string, minute: string): boolean => {
  const [from = '', to = from] = range.replaceAll('T', ' ').split('/');
  return minute >= from && minute <= to.padEnd(16, '~');
};

/**
 * Evaluates a query by filtering all flights. An unknown parameter is an error, so that no new parameter is ignored.
 */
const evaluate = (query: string, world: DemoWorld, departures: readonly Departure[]): readonly Departure[] => {
  const parameters = new URLSearchParams(query);
  const codeType = parameters.get('CodeType') ?? '';
  const findLocation = (station: string) => world.locations.find(({ iata }) => iata === station);
  const isAt = (station: string, codes: string): boolean => {
    const location = findLocation(station);
    const code = codeType === 'ICAO' ? location?.icao : codeType === 'FAA' ? location?.faa : location?.iata;
    return codes.split(',').includes(code ?? 'none');
  };
  const lastStation = ({ legs }: FlightSegment): string => legs.at(-1)?.arrival.station ?? '';
  const conditions: Readonly<Record<string, (departure: Departure, value: string) => boolean>> = {
    version: (_, value) => value === 'v2',
    CodeType: () => true,
    Content: () => true,
    DepartureDateTime: ({ departs }, value) => within(value, departs),
    ArrivalDateTime: ({ arrives }, value) => within(value, arrives),
    DepartureAirport: ({ segment }, value) => isAt(segment.legs[0].departure.station, value),
    ArrivalAirport: ({ segment }, value) => isAt(lastStation(segment), value),
    ArrivalCountryCode: ({ segment }, value) => findLocation(lastStation(segment))?.countryCode === value,
    CarrierCode: ({ segment }, value) => segment.carrier === value,
    FlightNumber: ({ segment }, value) => segment.flightNumber === Number(value),
    ServiceType: ({ segment }, value) =>
      (value === 'Cargo' ? listServiceTypes('Cargo') : [value]).includes(segment.serviceType),
    Codeshare: ({ segment }, value) => segment.isMarketing === (value === 'Marketing'),
  };
  return departures.filter((departure) =>
    [...parameters].every(([name, value]) => {
      const matches = conditions[name];
      if (!matches) throw new Error(`unknown parameter ${name}`);
      return matches(departure, value);
    }),
  );
};

const days = ['2026-11-21', '2027-07-01', '2027-03-27', '2027-10-02'].slice(
  0,
  Number(process.env['DEMO_WORLD_DAYS'] ?? 1),
);

test.each(days)('every example query has results on %s', (day) => {
  const today = localDate(day);
  const world = buildDemoWorld(today);
  const departures = listDepartures(world, today);
  const queries = buildFlightInfoExamples(today);
  const empty = queries.filter(({ query }) => evaluate(query, world, departures).length === 0);
  expect(empty).toEqual([]);

  const find = (query: string): readonly Departure[] =>
    evaluate(queries.find(({ description }) => description.includes(query))?.query ?? '', world, departures);
  expect(find('date line').every(({ departs, arrives }) => arrives.slice(0, 10) < departs.slice(0, 10))).toBe(true);
  expect(find('two marketing flights').map(({ segment }) => segment.marketingFlights.length)).toEqual([2]);
  const legs = find('two stops').map(({ segment }) => segment.legs.length);
  expect(legs.toSorted((a, b) => a - b)).toEqual([1, 1, 1, 3]);
  const toSydney = find('Sydney two days later').filter(({ departs }) => departs.endsWith('22:30'));
  expect(toSydney.map(({ arrives }) => arrives.slice(0, 10))).toEqual([formatDate(addDays(today, 2))]);
  expect(new Set(find('every other Saturday').map(({ segment }) => segment.flightNumber))).toEqual(new Set([8601]));
});
