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
  const within = (least: number, value: number, most: number): readonly [boolean, number] => [
    value >= least && value <= most,
    value,
  ];
  const all = [
    within(
      0.7,
      share(delays, (delay) => delay < 15),
      0.88,
    ),
    within(
      0.005,
      share(delays, (delay) => delay >= 120),
      0.03,
    ),
    within(
      0.005,
      share(flown, ({ facts }) => facts.cancelled === true),
      0.015,
    ),
  ];
  expect(all.filter(([isWithin]) => !isWithin)).toEqual([]);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(-5);
  expect(Math.max(...delays.filter((delay) => delay > 180)) < 320).toBe(true);
});

test('of 50,000 flights, about one in some hundreds each is reinstated, returns to its gate or is diverted', () => {
  const kinds = Map.groupBy(createFlights(50_000), (flight) => computeOutcome(flight).kind);
  const count = (kind: string): number =>
    [...kinds].filter(([name]) => name === kind).reduce((sum, [, each]) => sum + each.length, 0);
  expect([count('reinstated') > 10, count('reinstated') < 100]).toEqual([true, true]);
  expect([count('returned') > 60, count('returned') < 140]).toEqual([true, true]);
  expect([count('diverted') > 50, count('diverted') < 140]).toEqual([true, true]);
});

test('departures of one airport in one hour are late together', () => {
  const groups = [
    ...Map.groupBy(
      createFlights(5000),
      ({ reference, departsAt }) => `${reference.departureAirport} ${Math.floor(departsAt / 3600)}`,
    ).values(),
  ].filter((group) => group.length >= 3);
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  const delays = groups.map((group) => group.map(computeDepartureDelay).toSorted((a, b) => a - b));
  // In an hour in which even the most punctual flight is late, all of them are.
  const crowded = delays.filter(([earliest = 0]) => earliest >= 15);
  expect(groups.length).toBeGreaterThan(200);
  expect(crowded.length / groups.length).toBeGreaterThan(0.02);
  expect(mean(crowded.map(mean))).toBeGreaterThan(2 * mean(delays.map(mean)));
});
