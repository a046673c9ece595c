import { computeGreatCircleMetres, type Position } from './distance.ts';

/** Points by position in a list; unknown ones are NaN. */
export type PointIndex = {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** x, y and z on the unit sphere, consecutive. */
  readonly vectors: Float64Array;
};

type Vector = readonly [x: number, y: number, z: number];

const RADIUS_METRES = 6_371_000;
/** Six metres on the earth: far more than rounding errors; the exact distance decides in the end. */
const SLACK_RADIANS = 1e-6;

const toVector = ({ latitude, longitude }: Position): Vector => {
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
};

/** Creates an index of points for distance searches. */
export const createPointIndex = (
  positions: readonly { readonly latitude: number | undefined; readonly longitude: number | undefined }[],
): PointIndex => {
  const points = {
    latitudes: new Float64Array(positions.length).fill(Number.NaN),
    longitudes: new Float64Array(positions.length).fill(Number.NaN),
    vectors: new Float64Array(positions.length * 3).fill(Number.NaN),
  };
  for (const [position, { latitude, longitude }] of positions.entries()) {
    if (latitude === undefined || longitude === undefined) continue;
    points.latitudes[position] = latitude;
    points.longitudes[position] = longitude;
    points.vectors.set(toVector({ latitude, longitude }), position * 3);
  }
  return points;
};

/**
 * Computes the great-circle distances, in metres, of the points within a radius; Infinity for all others. A dot product, a tenth of the cost of a
 * distance, excludes most points.
 */
export const computeDistances = (
  { latitudes, longitudes, vectors }: PointIndex,
  from: Position,
  withinMetres: number,
): Float64Array => {
  const [x, y, z] = toVector(from);
  const angle = Math.min(Math.PI, withinMetres / RADIUS_METRES + SLACK_RADIANS);
  const minProduct = angle >= Math.PI ? -2 : Math.cos(angle);
  const distances = new Float64Array(latitudes.length).fill(Infinity);
  for (let position = 0; position < latitudes.length; position++) {
    const product =
      x * (vectors[position * 3] ?? 0) + y * (vectors[position * 3 + 1] ?? 0) + z * (vectors[position * 3 + 2] ?? 0);
    // Comparisons with NaN, the unknown position, are false.
    if (!(product >= minProduct)) continue;
    const metres = computeGreatCircleMetres(from, {
      latitude: latitudes[position] ?? 0,
      longitude: longitudes[position] ?? 0,
    });
    if (metres <= withinMetres) distances[position] = metres;
  }
  return distances;
};
