import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeFlightDistances, computeGreatCircleMetres } from '#domain/master-data/distance.ts';
import { toKilometers, toMiles, toNauticalMiles } from '#domain/master-data/distance.ts';
import type { Position } from '#domain/master-data/distance.ts';

const at = (latitude: number, longitude: number): Position => ({ latitude, longitude });

const airports = {
  APW: at(-13.83, -172.008333),
  CDG: at(49.012779, 2.55),
  EWR: at(40.692501, -74.168701),
  JFK: at(40.639801, -73.7789),
  LAX: at(33.942501, -118.407997),
  LHR: at(51.4706, -0.461941),
  PPG: at(-14.331, -170.710007),
  SIN: at(1.35019, 103.994003),
  SYD: at(-33.946098, 151.177002),
  UIO: at(-0.129167, -78.3575),
};

test.each([
  ['LHR', 'CDG', 347.2],
  ['JFK', 'LHR', 5539.7],
  ['SIN', 'EWR', 15336.5],
  ['SYD', 'LAX', 12061.1],
  ['UIO', 'SIN', 19720.5],
  ['APW', 'PPG', 150.7],
] as const)(
  'from %s to %s the distance is %d km within half a percent, as in published tables',
  (from, to, kilometers) => {
    const metres = computeGreatCircleMetres(airports[from], airports[to]);
    expect(Math.abs(metres / 1000 - kilometers) / kilometers).toBeLessThan(0.005);
  },
);

test('returns one distance in kilometres, miles and nautical miles, each rounded to one decimal from the metres', () => {
  const metres = 5_539_700;
  expect([toKilometers(metres), toMiles(metres), toNauticalMiles(metres)]).toEqual([5539.7, 3442.2, 2991.2]);
  expect([toKilometers(49), toKilometers(50), toMiles(1609.344), toNauticalMiles(1852)]).toEqual([0, 0.1, 1, 1]);
});

test('the distance of a point from itself is zero, and that of antipodes is half the circumference', () => {
  expect(computeGreatCircleMetres(airports.UIO, airports.UIO)).toBe(0);
  expect(computeGreatCircleMetres(at(0, 0), at(0, 180))).toBeCloseTo(Math.PI * 6_371_008.8, 3);
  expect(computeGreatCircleMetres(at(90, 12), at(-90, 77))).toBeCloseTo(Math.PI * 6_371_008.8, 3);
});

test('the distance of any two points is symmetric and at most half the circumference', () => {
  const seed = Number.parseInt('d157', 16);
  const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true });
  const point = fc.record({ latitude: degrees(90), longitude: degrees(180) });
  fc.assert(
    fc.property(point, point, (from, to) => {
      const metres = computeGreatCircleMetres(from, to);
      expect(metres).toBeGreaterThanOrEqual(0);
      expect(metres).toBeLessThanOrEqual(Math.PI * 6_371_008.8 + 1e-6);
      expect(computeGreatCircleMetres(to, from)).toBeCloseTo(metres, 3);
    }),
    { seed, numRuns: 500 },
  );
});

test('a flight has the total distance of its legs and the direct distance, or none when a position is missing', () => {
  const { SYD, SIN, LHR } = airports;
  expect(computeFlightDistances([SYD, SIN, LHR])).toEqual({
    accumulatedGreatCircleKilometers: 17176.8,
    accumulatedGreatCircleMiles: 10673.1,
    accumulatedGreatCircleNauticalMiles: 9274.7,
    greatCircleKilometers: 17020.7,
    greatCircleMiles: 10576.2,
    greatCircleNauticalMiles: 9190.4,
  });
  const nowhere = { latitude: undefined, longitude: undefined };
  expect(
    [[SYD, nowhere, LHR], [SYD, undefined, LHR], [nowhere, LHR], [SYD, undefined], []].map(computeFlightDistances),
  ).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
