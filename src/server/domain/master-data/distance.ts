/** A point on the earth; degrees, north and east positive. */
export type Position = { readonly latitude: number; readonly longitude: number };

/** IUGG mean radius. The sphere differs from the WGS84 ellipsoid by less than 0.4 % on any route flown. */
const EARTH_RADIUS_METRES = 6_371_008.8;
const METRES_A_KILOMETRE = 1000;
const METRES_A_MILE = 1609.344;
const METRES_A_NAUTICAL_MILE = 1852;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;

/** Computes the great-circle distance of two points, metres, unrounded: convert first, round last. */
export const computeGreatCircleMetres = (from: Position, to: Position): number => {
  const h =
    haversine(toRadians(to.latitude - from.latitude)) +
    Math.cos(toRadians(from.latitude)) *
      Math.cos(toRadians(to.latitude)) *
      haversine(toRadians(to.longitude - from.longitude));
  // For antipodes, rounding can lift h above 1, where the arcsine is NaN.
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
};

const roundToOneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Converts metres to kilometres with one decimal. */
export const toKilometers = (metres: number): number => roundToOneDecimal(metres / METRES_A_KILOMETRE);

/** Converts metres to international miles of 1609.344 m with one decimal. */
export const toMiles = (metres: number): number => roundToOneDecimal(metres / METRES_A_MILE);

/** Converts metres to nautical miles of 1852 m with one decimal. */
export const toNauticalMiles = (metres: number): number => roundToOneDecimal(metres / METRES_A_NAUTICAL_MILE);

/** Distances of a flight: the sum over its legs, and the direct distance from its first to its last point. One decimal. */
export type FlightDistances = {
  readonly accumulatedGreatCircleKilometers: number;
  readonly accumulatedGreatCircleMiles: number;
  readonly accumulatedGreatCircleNauticalMiles: number;
  readonly greatCircleKilometers: number;
  readonly greatCircleMiles: number;
  readonly greatCircleNauticalMiles: number;
};

type OptionalPosition = { readonly latitude: number | undefined; readonly longitude: number | undefined };

const toPosition = (place: OptionalPosition | undefined): Position | undefined =>
  place?.latitude === undefined || place.longitude === undefined
    ? undefined
    : { latitude: place.latitude, longitude: place.longitude };

/** Computes the distances of a flight over its stations in order; undefined when a position is unknown. */
export const computeFlightDistances = (
  stations: readonly (OptionalPosition | undefined)[],
): FlightDistances | undefined => {
  const points = stations.map(toPosition);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return undefined;
  let accumulated = 0;
  for (const [index, point] of points.entries()) {
    if (index === 0) continue;
    const previous = points[index - 1];
    if (!previous || !point) return undefined;
    accumulated += computeGreatCircleMetres(previous, point);
  }
  const direct = computeGreatCircleMetres(first, last);
  return {
    accumulatedGreatCircleKilometers: toKilometers(accumulated),
    accumulatedGreatCircleMiles: toMiles(accumulated),
    accumulatedGreatCircleNauticalMiles: toNauticalMiles(accumulated),
    greatCircleKilometers: toKilometers(direct),
    greatCircleMiles: toMiles(direct),
    greatCircleNauticalMiles: toNauticalMiles(direct),
  };
};
