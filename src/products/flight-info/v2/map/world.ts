import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, MultiPolygon, Topology } from 'topojson-specification';
import type { GeoPermissibleObjects } from 'd3-geo';

/** Land, and the borders that countries share with each other. */
export type World = { readonly land: GeoPermissibleObjects; readonly borders: GeoPermissibleObjects };

type Atlas = Topology<{ readonly land: GeometryCollection | MultiPolygon; readonly countries: GeometryCollection }>;

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

const require = createRequire(import.meta.url);
let loaded: World | undefined;

/**
 * The world at 1:50 million, from public-domain data. Read when the first map is drawn, in some 40 ms: most processes never
 * draw one.
 */
export const loadWorld = (): World => {
  if (loaded) return loaded;
  const atlas: unknown = require('world-atlas/countries-50m.json');
  if (!isAtlas(atlas)) throw new TypeError('countries-50m.json is not the topology of land and countries it should be');
  const { land, countries } = atlas.objects;
  loaded = { land: feature(atlas, land), borders: mesh(atlas, countries, (a, b) => a !== b) };
  return loaded;
};
