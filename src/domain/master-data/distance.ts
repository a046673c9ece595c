/** A point on the earth, degrees, north and east positive. */
export type Position = { readonly latitude: number; readonly longitude: number };

/** The IUGG mean radius. A sphere differs from the WGS84 ellipsoid by less than 0.4 % on any route flown. */
const EARTH_RADIUS_METRES = 6_371_008.8;
const METRES_A_KILOMETRE = 1000;
const METRES_A_MILE = 1609.344;
const METRES_A_NAUTICAL_MILE = 1852;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;

/** The great-circle distance of two points, metres, unrounded: convert first and round last. */
export const computeGreatCircleMetres = (from: Position, to: Position): number => {
  const h =
    haversine(toRadians(to.latitude - from.latitude)) +
    Math.cos(toRadians(from.latitude)) *
      Math.cos(toRadians(to.latitude)) *
      haversine(toRadians(to.longitude - from.longitude));
  // Between opposite ends of the earth rounding lifts h above 1; above 1 the arcsine is not a number.
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
};

const roundToOneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Kilometres, one decimal. */
export const toKilometers = (metres: number): number => roundToOneDecimal(metres / METRES_A_KILOMETRE);

/** International miles of 1609.344 m, one decimal. */
export const toMiles = (metres: number): number => roundToOneDecimal(metres / METRES_A_MILE);

/** Nautical miles of 1852 m, one decimal. */
export const toNauticalMiles = (metres: number): number => roundToOneDecimal(metres / METRES_A_NAUTICAL_MILE);

/** How far a flight goes: the sum over its legs, and the direct way from its first point to its last. One decimal. */
export type FlightDistances = {
  readonly accumulatedGreatCircleKilometers: number;
  readonly accumulatedGreatCircleMiles: number;
  readonly accumulatedGreatCircleNauticalMiles: number;
  readonly greatCircleKilometers: number;
  readonly greatCircleMiles: number;
  readonly greatCircleNauticalMiles: number;
};

type OptionalPosition = { readonly latitude: number | undefined; readonly longitude: number | undefined };

const positionOf = (place: OptionalPosition | undefined): Position | undefined =>
  place?.latitude === undefined || place.longitude === undefined
    ? undefined
    : { latitude: place.latitude, longitude: place.longitude };

/** The distances of a flight over its stations in order; undefined when the position of one is not known. */
export const computeFlightDistances = (
  stations: readonly (OptionalPosition | undefined)[],
): FlightDistances | undefined => {
  const points = stations.map(positionOf);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return undefined;
  let accumulated = 0;
  for (const [index, point] of points.entries()) {
    if (index === 0) continue;
    const before = points[index - 1];
    if (!before || !point) return undefined;
    accumulated += computeGreatCircleMetres(before, point);
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
