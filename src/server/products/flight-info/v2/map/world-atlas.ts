import { createRequire } from 'node:module';
import { geoCentroid, geoDistance, type GeoPermissibleObjects } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** A circle on the earth: its centre as [longitude, latitude], degrees, and its radius, degrees of arc. */
export type Cap = { readonly middle: [number, number]; readonly radius: number };

type Line = [number, number][];
/** A shape and its bounding circle. */
type Piece<Shape> = { readonly shape: Shape; readonly cap: Cap };
type World = { readonly land: readonly Piece<Line[]>[]; readonly borders: readonly Piece<Line>[] };

type Atlas = Topology<{ readonly land: GeometryCollection; readonly countries: GeometryCollection }>;

const isAtlas = (value: unknown): value is Atlas =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'Topology' &&
  'objects' in value &&
  typeof value.objects === 'object' &&
  value.objects !== null &&
  'land' in value.objects &&
  'countries' in value.objects;

const computeCap = (points: Line): Cap => {
  const middle = geoCentroid({ type: 'MultiPoint', coordinates: points });
  const reach = points.reduce((max, point) => Math.max(max, geoDistance(middle, point)), 0);
  return { middle, radius: (reach * 180) / Math.PI };
};

const asLine = (points: readonly number[][]): Line =>
  points.map(([longitude = 0, latitude = 0]) => [longitude, latitude]);

const require = createRequire(import.meta.url);

const loadWorld = (): World => {
  const atlas: unknown = require('world-atlas/countries-50m.json');
  if (!isAtlas(atlas)) throw new TypeError('countries-50m.json is not the topology of land and countries it should be');
  const { land, countries } = atlas.objects;
  const polygons = feature(atlas, land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'MultiPolygon') return geometry.coordinates;
    return geometry.type === 'Polygon' ? [geometry.coordinates] : [];
  });
  return {
    land: polygons.map((rings) => ({ shape: rings.map(asLine), cap: computeCap(asLine(rings[0] ?? [])) })),
    borders: mesh(atlas, countries, (a, b) => a !== b).coordinates.map((line) => ({
      shape: asLine(line),
      cap: computeCap(asLine(line)),
    })),
  };
};

let world: World | undefined;

const selectNear = <Shape>(pieces: readonly Piece<Shape>[], { middle, radius }: Cap): Shape[] =>
  pieces
    .filter(({ cap }) => (geoDistance(cap.middle, middle) * 180) / Math.PI <= cap.radius + radius)
    .map(({ shape }) => shape);

/**
 * Finds the land and the borders between countries near a part of the earth, at 1:50 million, from public-domain data. The
 * data are loaded with the first map, in about 300 ms, and take 13 MB: most processes never render one.
 */
export const findShapesNear = (part: Cap): Readonly<Record<'land' | 'borders', GeoPermissibleObjects>> => {
  world ??= loadWorld();
  return {
    land: { type: 'MultiPolygon', coordinates: selectNear(world.land, part) },
    borders: { type: 'MultiLineString', coordinates: selectNear(world.borders, part) },
  };
};
