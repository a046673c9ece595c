import { geoInterpolate } from 'd3-geo';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeGreatCircleMetres, type Position } from '#domain/master-data/distance.ts';
import { bearingBetween, cutTrack } from '#products/flight-info/v2/map/great-circle.ts';
import { computeCentre, pointAhead } from '#products/flight-info/v2/map/great-circle.ts';
import { pointBetween, sampleTrack } from '#products/flight-info/v2/map/great-circle.ts';
import { trackBetween, trackMetres } from '#products/flight-info/v2/map/great-circle.ts';
import { AKL, JFK, LAX, LHR } from './sample-flights.ts';

const at = (latitude: number, longitude: number): Position => ({ latitude, longitude });
const position = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
const rounded = ({ latitude, longitude }: Position): Position =>
  at(Number(latitude.toFixed(3)), Number(longitude.toFixed(3)));

test('intermediate points match another great-circle implementation', () => {
  fc.assert(
    fc.property(position, position, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, fraction) => {
      const metres = computeGreatCircleMetres(from, to);
      fc.pre(trackBetween(from, to).length === 2 && metres > 100 && metres < 2e7);
      const interpolate = geoInterpolate([from.longitude, from.latitude], [to.longitude, to.latitude]);
      const [longitude, latitude] = interpolate(fraction);
      expect(computeGreatCircleMetres(pointBetween(from, to, fraction), at(latitude, longitude))).toBeLessThan(1);
    }),
  );
});

test('a track is cut into two parts of the requested lengths between any points', () => {
  fc.assert(
    fc.property(position, position, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, fraction) => {
      const track = trackBetween(from, to);
      const cut = cutTrack([from, ...track.slice(1)], fraction);
      const whole = trackMetres(track);
      expect(trackMetres(cut.behind)).toBeCloseTo(whole * fraction, -1);
      expect(trackMetres(cut.ahead)).toBeCloseTo(whole * (1 - fraction), -1);
      expect(cut.bearing).toBeGreaterThanOrEqual(0);
      expect(cut.bearing).toBeLessThan(360);
    }),
  );
});

test('a track crosses 180° without going round the world', () => {
  const middle = pointBetween(AKL, LAX, 0.5);
  expect(rounded(middle)).toEqual(at(-1.836, -151.088));
  expect(computeGreatCircleMetres(AKL, middle)).toBeCloseTo(computeGreatCircleMetres(middle, LAX), 0);
});

test('a track joins opposite ends of the earth over the North Pole, and the poles along a meridian', () => {
  expect(trackBetween(at(10, 20), at(-10, -160))).toEqual([at(10, 20), at(90, 0), at(-10, -160)]);
  expect(trackBetween(at(90, 5), at(-90, 0))).toEqual([at(90, 5), at(0, 5), at(-90, 0)]);
});

test('a track from a point to itself stays there', () => {
  expect(cutTrack([LHR, LHR], 0.5)).toEqual({ behind: [LHR, LHR], ahead: [LHR], at: LHR, bearing: 0 });
  expect(pointBetween(LHR, LHR, 0.5)).toEqual(LHR);
  expect(sampleTrack([LHR, LHR], 5)).toEqual([LHR, LHR]);
});

test('a track of several parts is cut in the part that contains the fraction', () => {
  const equator = [at(0, 0), at(0, 20), at(0, 40)] as const;
  const { behind, ahead, at: cut, bearing } = cutTrack(equator, 0.75);
  expect([behind, ahead].map((part) => part.map(rounded))).toEqual([
    [at(0, 0), at(0, 20), at(0, 30)],
    [at(0, 30), at(0, 40)],
  ]);
  expect([rounded(cut), bearing]).toEqual([at(0, 30), 90]);
});

test('a track ends with the direction of arrival', () => {
  const expected = { behind: [at(0, 0), at(0, 90)], ahead: [at(0, 90)], at: at(0, 90), bearing: 90 };
  expect(cutTrack([at(0, 0), at(0, 90)], 1)).toEqual(expected);
});

test('a track is sampled from end to end', () => {
  const samples = sampleTrack([LHR, JFK], 5);
  expect(samples).toHaveLength(11);
  expect([samples[0], samples.at(-1)]).toEqual([LHR, JFK]);
  expect(trackMetres(samples)).toBeCloseTo(computeGreatCircleMetres(LHR, JFK), 0);
});

test('a direction is that of the great circle at its beginning', () => {
  expect(bearingBetween(LHR, JFK)).toBeCloseTo(287.94, 2);
  expect(bearingBetween(at(0, 0), at(10, 0))).toBe(0);
  expect(bearingBetween(at(0, 179), at(0, -179))).toBeCloseTo(90, 9);
  expect(rounded(pointAhead(at(0, 179), 90, 2))).toEqual(at(0, -179));
});

test('the centre of points is between them, on either side of 180°', () => {
  expect(rounded(computeCentre([at(0, 170), at(0, -170)]))).toEqual(at(0, 180));
  expect(computeCentre([at(0, 0), at(0, 180)])).toEqual(at(0, 0));
});
