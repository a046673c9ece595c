import { geoAzimuthalEqualArea, geoPath, type GeoPath, type GeoPermissibleObjects, type GeoProjection } from 'd3-geo';
import { createCompactPath } from './svg-path.ts';
import type { Position } from '#domain/master-data/distance.ts';
import { computeCentre } from './great-circle.ts';
import type { Cap } from './world-atlas.ts';

/** A point of the drawing, pixels from its upper left corner. */
export type Point = { readonly x: number; readonly y: number };

/** Size of the drawing, pixels: the always visible part, and the bleed that is visible in larger windows. */
export type Frame = {
  readonly width: number;
  readonly height: number;
  readonly bleedX: number;
  readonly bleedY: number;
  /** Space for labels and symbols around the track. */
  readonly margin: number;
};

/** A map projection for one flight. */
export type MapView = {
  /** Projects a position; undefined on the far side of the earth. */
  readonly project: (position: Position) => Point | undefined;
  /** Renders an object as the `d` of a path, coordinates to a tenth of a pixel; '' if it is not visible. */
  readonly path: GeoPath;
  /** Renders an object with many points, in units of UNIT pixels. */
  readonly compact: (object: GeoPermissibleObjects) => string;
  /** The visible part of the earth. */
  readonly part: Cap;
  /** Cache key: views with the same name are identical. */
  readonly name: string;
};

const EARTH_RADIUS_KM = 6371;
/** Minimum extent of the longer side, so that a short flight has a map around it. */
const MIN_VIEW_KM = 1500;
/** How much of the earth is drawn, degrees of arc from the centre; shapes beyond it are distorted beyond recognition. */
const HORIZON_DEGREES = 100;
/** The centre moves towards the equator by this part of the track's length, up to a limit in degrees: tracks bow as on a globe. */
const TILT = { part: 0.22, most: 16 };

const chooseCentre = (points: readonly [Position, ...Position[]], trackDegrees: number): Position => {
  const { latitude, longitude } = computeCentre(points);
  const tilt = Math.min(TILT.most, trackDegrees * TILT.part, Math.abs(latitude));
  return { latitude: latitude - Math.sign(latitude) * tilt, longitude };
};

const computeBounds = (
  points: readonly Point[],
): { readonly middle: Point; readonly width: number; readonly height: number } => {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { middle: { x: (left + right) / 2, y: (top + bottom) / 2 }, width: right - left, height: bottom - top };
};

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const projectPoint = (projection: GeoProjection, { latitude, longitude }: Position): Point | undefined => {
  const projected = projection([longitude, latitude]);
  return projected ? { x: projected[0], y: projected[1] } : undefined;
};

/**
 * Creates an equal-area projection centred on a flight, north up, in which all `points` (samples of its tracks) are inside
 * the frame's margin. Centred on the flight, it has no seam near it, even at 180° longitude.
 */
export const projectMap = (
  points: readonly [Position, ...Position[]],
  trackDegrees: number,
  { width, height, bleedX, bleedY, margin }: Frame,
): MapView => {
  const middle = chooseCentre(points, trackDegrees);
  const [latitude, longitude] = [round(middle.latitude, 1), round(middle.longitude, 1)];
  const unit = geoAzimuthalEqualArea().rotate([-longitude, -latitude]).scale(1).translate([0, 0]);
  const bounds = computeBounds(points.flatMap((point) => projectPoint(unit, point) ?? []));
  const closest = (Math.max(width, height) / MIN_VIEW_KM) * EARTH_RADIUS_KM;
  const widest = Math.min((width - 2 * margin) / bounds.width, (height - 2 * margin) / bounds.height);
  const scale = round(Math.min(closest, widest), 0);
  const translate: [number, number] = [
    round(width / 2 - bounds.middle.x * scale, 0),
    round(height / 2 - bounds.middle.y * scale, 0),
  ];
  const createProjection = (precision: number): GeoProjection =>
    geoAzimuthalEqualArea()
      .rotate([-longitude, -latitude])
      .scale(scale)
      .translate(translate)
      .clipAngle(HORIZON_DEGREES)
      .clipExtent([
        [-bleedX, -bleedY],
        [width + bleedX, height + bleedY],
      ])
      .precision(precision);
  const projection = createProjection(0.4);
  // From the centre to the farthest corner; in this projection an arc θ is 2 sin(θ / 2) radii long.
  const farthest = Math.hypot(
    bleedX + Math.max(translate[0], width - translate[0]),
    bleedY + Math.max(translate[1], height - translate[1]),
  );
  const arc = (2 * Math.asin(Math.min(1, farthest / (2 * scale))) * 180) / Math.PI;
  // Coastlines are dense enough to skip adaptive resampling, which halves the time.
  const withoutResampling = createProjection(0);
  return {
    project: (position) => projectPoint(projection, position),
    path: geoPath(projection).digits(1),
    compact: (object) => {
      const { context, text } = createCompactPath();
      geoPath(withoutResampling, context)(object);
      return text();
    },
    part: { middle: [longitude, latitude], radius: Math.min(HORIZON_DEGREES, arc) },
    name: JSON.stringify([width, height, latitude, longitude, scale, translate]),
  };
};
