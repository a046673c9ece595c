import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, brotliCompressSync } from 'node:zlib';
import { root } from '#contract/run-tool.ts';
import { encodeZoneRows, rasterizeRings, type Raster, type Ring } from './zone-rows.ts';

/** The package with the boundaries, its version and the day on which it was published. */
const PACKAGE = { name: 'geo-tz', version: '8.1.9', date: '2026-09-16' };
/** A row is 2.2 km high. Halving it takes 700 kB instead of 400, and mends 7 of 31,458 stations, each of them next to a border. */
const raster: Raster = { rowsPerDegree: 50, stepsPerDegree: 200 };

/** A cell of the index in the package: its quarters, numbers of zones, or where the shapes in the cell are in the data file. */
type Cell = { readonly [quarter in 'a' | 'b' | 'c' | 'd']?: Cell | readonly number[] } & {
  readonly pos?: number;
  readonly len?: number;
};
type Box = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };
type Shape = {
  readonly properties: { readonly tzid: string };
  readonly geometry:
    | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
    | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };
};

const isList = (cell: Cell | readonly number[]): cell is readonly number[] => Array.isArray(cell);

/** Lists the rings of each zone in the package; a cell that is all in a zone is a ring of that zone. */
function* listZoneRings(folder: string): Generator<{ readonly zone: string; readonly rings: readonly Ring[] }> {
  const data = join(folder, 'node_modules', PACKAGE.name, 'data');
  const load = createRequire(join(data, 'index.js'));
  const { decode }: { decode: (pbf: unknown) => { readonly features: readonly Shape[] } } = load('geobuf');
  const Pbf: new (bytes: Uint8Array) => unknown = load('pbf');
  const index: { readonly timezones: readonly string[]; readonly lookup: Cell } = JSON.parse(
    readFileSync(join(data, 'timezones.geojson.index.json'), 'utf8'),
  );
  const shapes = readFileSync(join(data, 'timezones.geojson.geo.dat'));
  const cells: { readonly cell: Cell | readonly number[] | undefined; readonly box: Box }[] = [
    { cell: index.lookup, box: { top: 89.9999, bottom: -89.9999, left: -179.9999, right: 179.9999 } },
  ];
  for (let next = cells.pop(); next; next = cells.pop()) {
    const { cell, box } = next;
    if (!cell) continue;
    const { top, bottom, left, right } = box;
    if (isList(cell)) {
      const ring: Ring = [
        [left, bottom],
        [right, bottom],
        [right, top],
        [left, top],
        [left, bottom],
      ];
      for (const number of cell) yield { zone: index.timezones[number] ?? '', rings: [ring] };
      continue;
    }
    const { pos, len, a, b, c, d } = cell;
    if (pos !== undefined && len !== undefined) {
      for (const { properties, geometry } of decode(new Pbf(shapes.subarray(pos, pos + len))).features)
        yield {
          zone: properties.tzid,
          rings: geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
        };
      continue;
    }
    const [middle, centre] = [(top + bottom) / 2, (left + right) / 2];
    cells.push(
      { cell: a, box: { ...box, bottom: middle, left: centre } },
      { cell: b, box: { ...box, bottom: middle, right: centre } },
      { cell: c, box: { ...box, top: middle, right: centre } },
      { cell: d, box: { ...box, top: middle, left: centre } },
    );
  }
}

/**
 * Writes the boundaries of time zones for `readZoneBoundaries` from a package that is only installed for it, in a temporary folder: it
 * takes 71 MB.
 */
const buildZoneBoundaries = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'zone-boundaries-'));
  try {
    const { name, version, date } = PACKAGE;
    execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', `${name}@${version}`], {
      stdio: 'inherit',
    });
    const rows = rasterizeRings(listZoneRings(folder), raster);
    const bytes = encodeZoneRows(rows, { ...raster, date, source: `timezone-boundary-builder, by ${name} ${version}` });
    const file = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
    writeFileSync(join(root, 'src/server/feeds/master-data/boundaries/zone-boundaries.br'), file);
    console.log(`zone boundaries: ${bytes.length} bytes, compressed ${file.length}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

buildZoneBoundaries();
