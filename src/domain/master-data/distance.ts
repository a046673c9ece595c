/** A point on the earth, degrees, north and east positive. */
export type Position = { readonly latitude: number; readonly longitude: number };

/** The IUGG mean radius. A sphere differs from the WGS84 ellipsoid by less than 0.4 % on any route flown. */
const EARTH_RADIUS_METRES = 6_371_008.8;
const METRES_A_KILOMETRE = 1000;
const METRES_A_MILE = 1609.344;
const METRES_A_NAUTICAL_MILE = 1852;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;

/** The great-circle distance of two points, metres, unrounded: convert first and round last. */
export const greatCircleMetres = (from: Position, to: Position): number => {
  const h =
    haversine(radians(to.latitude - from.latitude)) +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      haversine(radians(to.longitude - from.longitude));
  // Between opposite ends of the earth rounding lifts h above 1; above 1 the arcsine is not a number.
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
};

const toOneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Kilometres, one decimal. */
export const inKilometers = (metres: number): number => toOneDecimal(metres / METRES_A_KILOMETRE);

/** International miles of 1609.344 m, one decimal. */
export const inMiles = (metres: number): number => toOneDecimal(metres / METRES_A_MILE);

/** Nautical miles of 1852 m, one decimal. */
export const inNauticalMiles = (metres: number): number => toOneDecimal(metres / METRES_A_NAUTICAL_MILE);

/** How far a flight goes: the sum over its legs, and the direct way from its first point to its last. One decimal. */
export type FlightDistances = {
  readonly accumulatedGreatCircleKilometers: number;
  readonly accumulatedGreatCircleMiles: number;
  readonly accumulatedGreatCircleNauticalMiles: number;
  readonly greatCircleKilometers: number;
  readonly greatCircleMiles: number;
  readonly greatCircleNauticalMiles: number;
};

type Place = { readonly latitude: number | undefined; readonly longitude: number | undefined };

const positionOf = (place: Place | undefined): Position | undefined =>
  place?.latitude === undefined || place.longitude === undefined
    ? undefined
    : { latitude: place.latitude, longitude: place.longitude };

/** The distances of a flight over its stations in order; undefined when the position of one is not known. */
export const flightDistances = (stations: readonly (Place | undefined)[]): FlightDistances | undefined => {
  const points = stations.map(positionOf);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return undefined;
  let accumulated = 0;
  for (const [index, point] of points.entries()) {
    if (index === 0) continue;
    const before = points[index - 1];
    if (!before || !point) return undefined;
    accumulated += greatCircleMetres(before, point);
  }
  const direct = greatCircleMetres(first, last);
  return {
    accumulatedGreatCircleKilometers: inKilometers(accumulated),
    accumulatedGreatCircleMiles: inMiles(accumulated),
    accumulatedGreatCircleNauticalMiles: inNauticalMiles(accumulated),
    greatCircleKilometers: inKilometers(direct),
    greatCircleMiles: inMiles(direct),
    greatCircleNauticalMiles: inNauticalMiles(direct),
  };
};
