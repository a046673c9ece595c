import { expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { Designator, FlightSegment } from '../../../../src/domain/schedule/schedule.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { buildDemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';

const { schedules, carriers } = buildDemoWorld(localDate('2027-02-01'));
const segments = schedules.flatMap(({ itineraries }) => itineraries.flatMap(buildSegments));

const offOf = ({ legs }: FlightSegment): string => legs.at(-1)?.arrival.station ?? '';

/** A flight between two places over one period, under some designator. */
const nameOf = (
  { carrier, flightNumber, suffix }: Designator,
  { legs: [first, ...others], itinerary }: FlightSegment,
): string => {
  const stations = [first.departure.station, others.at(-1)?.arrival.station ?? first.arrival.station];
  return [carrier, flightNumber, suffix, itinerary, ...stations, first.period.from, first.period.to].join(' ');
};

const byName = new Map(segments.map((segment) => [nameOf(segment, segment), segment]));

const route = (segment: FlightSegment) =>
  segment.legs.map(({ period, departure, arrival, ...leg }) => [
    period,
    departure,
    arrival,
    leg.equipment,
    leg.configuration,
  ]);

const plain = ({ carrier, flightNumber, suffix }: Designator): Designator => ({ carrier, flightNumber, suffix });

test('every marketing flight that an operating flight names exists, has the same route and names the operating flight', () => {
  const operating = segments.filter(({ marketingFlights }) => marketingFlights.length > 0);
  expect(operating.length).toBeGreaterThan(500);
  for (const segment of operating)
    for (const marketing of segment.marketingFlights) {
      const other = byName.get(nameOf(marketing, segment));
      expect(other && [other.operatingFlight, route(other), other.isMarketing]).toEqual([
        plain(segment),
        route(segment),
        true,
      ]);
    }
});

test('every operating flight that a marketing flight names exists and lists it', () => {
  const marketing = segments.filter(({ isMarketing }) => isMarketing);
  expect(marketing.length).toBeGreaterThan(500);
  for (const segment of marketing) {
    const { operatingFlight } = segment;
    const operator = operatingFlight && byName.get(nameOf(operatingFlight, segment));
    expect(operator?.marketingFlights.filter((each) => nameOf(each, segment) === nameOf(segment, segment))).toEqual([
      plain(segment),
    ]);
    expect(segment.operatingAirlineDisclosure).toEqual({
      code: operatingFlight?.carrier,
      name: carriers.find(({ iata }) => iata === operatingFlight?.carrier)?.name.toUpperCase(),
    });
  }
});

test('an operating flight is never marked as sold for another', () => {
  const both = segments.filter(({ isMarketing, marketingFlights }) => isMarketing && marketingFlights.length > 0);
  expect(both).toEqual([]);
});

test('the through flight of a shared flight with a stop is shared too', () => {
  const through = segments.find(
    (segment) =>
      segment.carrier === 'L0' && segment.flightNumber === 15 && offOf(segment) === 'SYD' && segment.legs.length === 2,
  );
  expect(through?.marketingFlights).toEqual([{ carrier: 'X2', flightNumber: 8015, suffix: '' }]);
  expect(through?.planeChangeWithoutTypeChange).toBe(true);
});
