import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readLiveRegistry } from '#jobs/sources/live-registry.ts';
import type { StaticFile } from '#http/static/static-files.ts';

const require = createRequire(import.meta.url);

const script = 'text/javascript; charset=utf-8';

/** Packages with a script for browsers. */
const scriptPackages = ['d3-array', 'd3-geo', 'topojson-client'] as const;

const ownFiles = {
  '': ['index.html', 'text/html; charset=utf-8'],
  'live.css': ['live.css', 'text/css; charset=utf-8'],
  'live.js': ['live.js', script],
  'api.js': ['api.js', script],
  'flights.js': ['flights.js', script],
  'map.js': ['map.js', script],
} as const;

const insertKey = (html: string, key: string): string =>
  html.replace('name="public-key" content=""', () => `name="public-key" content="${encodeURI(key)}"`);

/** Reads the files of the live page, with the attributions of public feeds, for paths below `/live/`. With `key`, a public one, a reader needs none. */
export const readLivePage = (key = ''): readonly StaticFile[] => [
  ...Object.entries(ownFiles).map(([path, [name, mediaType]]) => {
    const bytes = readFileSync(new URL(`../../http/static/live/${name}`, import.meta.url));
    return {
      path: `/live/${path}`,
      mediaType,
      bytes: path === '' ? Buffer.from(insertKey(bytes.toString(), key)) : bytes,
    };
  }),
  ...scriptPackages.map((name) => ({
    path: `/live/${name}.js`,
    mediaType: script,
    bytes: readFileSync(new URL(`../dist/${name}.min.js`, import.meta.resolve(name))),
  })),
  {
    path: '/live/sources.json',
    mediaType: 'application/json',
    bytes: Buffer.from(
      JSON.stringify(
        readLiveRegistry().map(({ name, attribution, licence, link }) => ({ name, attribution, licence, link })),
      ),
    ),
  },
  {
    path: '/live/land.json',
    mediaType: 'application/json',
    bytes: readFileSync(require.resolve('world-atlas/land-50m.json')),
  },
];
