import { expect, test } from 'vitest';
import { addDays, localDate } from '../../../../src/domain/time/dates.ts';
import type { UtcSecond } from '../../../../src/domain/status/instants.ts';
import { computeDepartureDelay } from '../../../../src/jobs/demo/activity/delays.ts';
import type { DemoFlight } from '../../../../src/jobs/demo/activity/demo-flight.ts';
import { computeOutcome } from '../../../../src/jobs/demo/activity/flight-outcome.ts';
import { buildFlightMessages } from '../../../../src/jobs/demo/activity/flight-messages.ts';
import { mergeFacts, createFlight } from './sample-flights.ts';

const day = localDate('2027-03-02');
const airports = ['LHR', 'JFK', 'SIN', 'SYD', 'CPH', 'BOG', 'HND', 'DOH', 'ORD', 'LGW'];

/** Returns flights of one to twelve hours, spread over some days. */
const createFlights = (count: number): readonly DemoFlight[] =>
  Array.from({ length: count }, (_, index) => {
    const date = addDays(day, index % 10);
    const departsAt = (date * 86_400 + (index % 96) * 900) as UtcSecond;
    const flight = createFlight(date, { departsAt, arrivesAt: (departsAt + 3600 * (1 + (index % 12))) as UtcSecond });
    const [departureAirport = '', arrivalAirport = ''] = [airports[index % 10], airports[(index + 3) % 10]];
    const reference = { ...flight.reference, flightNumber: 1 + 2 * index, departureAirport, arrivalAirport };
    return { ...flight, reference };
  });

const share = <T>(all: readonly T[], is: (each: T) => boolean): number => all.filter(is).length / all.length;

test('most of 5,000 flights depart within a quarter of an hour of schedule, and one in a hundred is cancelled', () => {
  const flights = createFlights(5000);
  const flown = flights.map((flight) => ({ flight, facts: mergeFacts(buildFlightMessages(flight)) }));
  const delays = flown.flatMap(({ flight, facts }) =>
    typeof facts.actualOut === 'number' ? [(facts.actualOut - flight.departsAt) / 60] : [],
  );
  const shares = [
    [0.7, 0.88, share(delays, (delay) => delay < 15)],
    [0.005, 0.03, share(delays, (delay) => delay >= 120)],
    [0.005, 0.015, share(flown, ({ facts }) => facts.cancelled === true)],
  ] as const;
  expect(shares.filter(([least, most, value]) => value < least || value > most)).toEqual([]);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(-5);
  expect(Math.max(...delays)).toBeLessThan(320);
});

test('of 50,000 flights, about one in some hundreds each is reinstated, returns to its gate or is diverted', () => {
  const kinds = Map.groupBy(createFlights(50_000), (flight) => computeOutcome(flight).kind);
  const limits = [
    ['reinstated', 10, 100],
    ['returned', 60, 140],
    ['diverted', 50, 140],
  ] as const;
  const counts = limits.map(([kind, least, most]) => ({ kind, least, most, count: kinds.get(kind)?.length ?? 0 }));
  expect(counts.filter(({ least, most, count }) => count <= least || count >= most)).toEqual([]);
});

test('departures of one airport in one hour are late together', () => {
  const hourOf = ({ reference, departsAt }: DemoFlight) =>
    `${reference.departureAirport} ${Math.floor(departsAt / 3600)}`;
  const groups = [...Map.groupBy(createFlights(5000), hourOf).values()].filter(({ length }) => length >= 3);
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  const delays = groups.map((group) => group.map(computeDepartureDelay).toSorted((a, b) => a - b));
  // In an hour in which even the most punctual flight is late, all of them are.
  const crowded = delays.filter(([earliest = 0]) => earliest >= 15);
  expect(groups.length).toBeGreaterThan(200);
  expect(crowded.length / groups.length).toBeGreaterThan(0.02);
  expect(mean(crowded.map(mean))).toBeGreaterThan(2 * mean(delays.map(mean)));
});
