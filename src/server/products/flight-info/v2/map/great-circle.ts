import { computeGreatCircleMetres, type Position } from '#domain/master-data/distance.ts';

/** Points joined by great circles, in the order of the flight. */
export type Track = readonly Position[];

type Vector = readonly [number, number, number];

/** Smaller angles (about a metre on the earth) lose the direction between two points to rounding. */
const SMALLEST_ANGLE = 1e-7;
const NORTH_POLE: Position = { latitude: 90, longitude: 0 };

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

const toVector = ({ latitude, longitude }: Position): Vector => {
  const [phi, lambda] = [radians(latitude), radians(longitude)];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
};

const toPosition = ([x, y, z]: Vector): Position => ({
  latitude: degrees(Math.atan2(z, Math.hypot(x, y))),
  longitude: degrees(Math.atan2(y, x)),
});

const angleBetween = (a: Vector, b: Vector): number => {
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  return Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
};

/** Returns the shortest track between two points; antipodal points, which have none, are joined over the North Pole. */
export const trackBetween = (from: Position, to: Position): Track => {
  const angle = angleBetween(toVector(from), toVector(to));
  if (angle < Math.PI - SMALLEST_ANGLE) return [from, to];
  // Between the poles every meridian is equally short: the one of the departure is used.
  const isPolar = Math.abs(from.latitude) > 89.9999;
  return [from, isPolar ? { latitude: 0, longitude: from.longitude } : NORTH_POLE, to];
};

/** Returns the point at a fraction (0..1) of the great circle between two points that are not antipodal. */
export const pointBetween = (from: Position, to: Position, fraction: number): Position => {
  const [a, b] = [toVector(from), toVector(to)];
  const angle = angleBetween(a, b);
  if (angle < SMALLEST_ANGLE || fraction <= 0) return from;
  if (fraction >= 1) return to;
  const [p, q] = [Math.sin((1 - fraction) * angle) / Math.sin(angle), Math.sin(fraction * angle) / Math.sin(angle)];
  return toPosition([p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]]);
};

/** Returns the initial bearing of a great circle, degrees clockwise from north, 0 up to 360; 0 between identical points. */
export const bearingBetween = (from: Position, to: Position): number => {
  if (angleBetween(toVector(from), toVector(to)) < SMALLEST_ANGLE) return 0;
  const [phi, psi] = [radians(from.latitude), radians(to.latitude)];
  const turn = radians(to.longitude - from.longitude);
  const east = Math.sin(turn) * Math.cos(psi);
  const north = Math.cos(phi) * Math.sin(psi) - Math.sin(phi) * Math.cos(psi) * Math.cos(turn);
  return (degrees(Math.atan2(east, north)) + 360) % 360;
};

/** Returns the point at an arc (degrees) from a point in a direction (degrees clockwise from north). */
export const pointAhead = (from: Position, bearing: number, arc: number): Position => {
  const [phi, theta, delta] = [radians(from.latitude), radians(bearing), radians(arc)];
  const z = Math.sin(phi) * Math.cos(delta) + Math.cos(phi) * Math.sin(delta) * Math.cos(theta);
  const turn = Math.atan2(Math.sin(theta) * Math.sin(delta) * Math.cos(phi), Math.cos(delta) - Math.sin(phi) * z);
  const longitude = from.longitude + degrees(turn);
  return { latitude: degrees(Math.asin(z)), longitude: ((longitude + 540) % 360) - 180 };
};

/** Returns the length of a track, metres. */
export const trackMetres = (track: Track): number =>
  track.slice(1).reduce((sum, point, index) => sum + computeGreatCircleMetres(track[index] ?? point, point), 0);

/** A track cut in two, with the cut point and the bearing there. */
export type CutTrack = {
  readonly behind: Track;
  readonly ahead: Track;
  readonly at: Position;
  /** Degrees clockwise from north. */
  readonly bearing: number;
};

/** Cuts a track of at least one point at a fraction (0..1) of its length; at its end the bearing is that of arrival. */
export const cutTrack = (track: readonly [Position, ...Position[]], fraction: number): CutTrack => {
  let rest = trackMetres(track) * Math.min(1, Math.max(0, fraction));
  let [from] = track;
  let heading = 0;
  for (const [index, to] of track.slice(1).entries()) {
    const length = computeGreatCircleMetres(from, to);
    if (rest < length) {
      const at = pointBetween(from, to, rest / length);
      const behind = [...track.slice(0, index + 1), at];
      return { behind, ahead: [at, ...track.slice(index + 1)], at, bearing: bearingBetween(at, to) };
    }
    // The bearing at the end of a leg is the opposite of the bearing back.
    if (length > 0) heading = (bearingBetween(to, from) + 180) % 360;
    rest -= length;
    from = to;
  }
  return { behind: track, ahead: [from], at: from, bearing: heading };
};

/** Returns points of a track that are up to `arc` degrees apart. */
export const sampleTrack = (track: Track, arc: number): Track =>
  track.flatMap((to, index) => {
    const from = track[index - 1];
    if (from === undefined) return [to];
    const steps = Math.max(1, Math.ceil(degrees(angleBetween(toVector(from), toVector(to))) / arc));
    return Array.from({ length: steps }, (_, step) => pointBetween(from, to, (step + 1) / steps));
  });

/** Returns the centre of points on the sphere: the direction of their sum; the first one if they cancel out. */
export const computeCentre = (points: readonly [Position, ...Position[]]): Position => {
  const sum = points.map(toVector).reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
  return Math.hypot(...sum) < SMALLEST_ANGLE ? points[0] : toPosition(sum);
};
