import { computeGreatCircleMetres, type Position } from './distance.ts';

/** Points of a list, by their place in it; those of unknown position are NaN. */
export type PointIndex = {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** x, y and z on the unit sphere, one after the other. */
  readonly vectors: Float64Array;
};

type Vector = readonly [x: number, y: number, z: number];

const RADIUS_METRES = 6_371_000;
/** Six metres on the earth: far more than rounding can move a point, and the exact distance decides in the end. */
const SLACK_RADIANS = 1e-6;

const toVector = ({ latitude, longitude }: Position): Vector => {
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
};

/** Points made ready to be searched by distance. */
export const createPointIndex = (
  positions: readonly { readonly latitude: number | undefined; readonly longitude: number | undefined }[],
): PointIndex => {
  const points = {
    latitudes: new Float64Array(positions.length).fill(Number.NaN),
    longitudes: new Float64Array(positions.length).fill(Number.NaN),
    vectors: new Float64Array(positions.length * 3).fill(Number.NaN),
  };
  for (const [place, { latitude, longitude }] of positions.entries()) {
    if (latitude === undefined || longitude === undefined) continue;
    points.latitudes[place] = latitude;
    points.longitudes[place] = longitude;
    points.vectors.set(toVector({ latitude, longitude }), place * 3);
  }
  return points;
};

/**
 * The great-circle distances, in metres, of the points at most `withinMetres` from another, by their places; Infinity for all
 * others. Most points are ruled out by one product of vectors, a tenth of the work of a distance.
 */
export const computeDistances = (
  { latitudes, longitudes, vectors }: PointIndex,
  from: Position,
  withinMetres: number,
): Float64Array => {
  const [x, y, z] = toVector(from);
  const angle = Math.min(Math.PI, withinMetres / RADIUS_METRES + SLACK_RADIANS);
  const leastProduct = angle >= Math.PI ? -2 : Math.cos(angle);
  const found = new Float64Array(latitudes.length).fill(Infinity);
  for (let place = 0; place < latitudes.length; place++) {
    const product =
      x * (vectors[place * 3] ?? 0) + y * (vectors[place * 3 + 1] ?? 0) + z * (vectors[place * 3 + 2] ?? 0);
    // Unknown positions are NaN, which is no product at least as large as any.
    if (!(product >= leastProduct)) continue;
    const metres = computeGreatCircleMetres(from, {
      latitude: latitudes[place] ?? 0,
      longitude: longitudes[place] ?? 0,
    });
    if (metres <= withinMetres) found[place] = metres;
  }
  return found;
};
