import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { renderFlightPage } from '#products/flight-info/v2/map/render-flight-page.ts';
import { buildFlightMap } from '#products/flight-info/v2/map/flight-map.ts';
import { atlantic, atMs } from '../products/flight-info/v2/map/sample-flights.ts';
import { sharedDatabase } from '../support/database.ts';
import { createEnvironment } from './run-command.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const { url } = await sharedDatabase();

/** Files under `src` that no running service reads: build tools, and documents for maintainers. */
const unshipped = [/^src\/(?:contract|release|portal|client)\//, /\.md$/];

/** Draws a map with the built package. Only the timer keeps the process alive: the drawing thread never stops. */
const drawing = `
const [file, source, now] = process.argv.slice(1);
const alive = setInterval(() => {}, 1000);
const { openMapRenderer } = await import(file);
process.stdout.write(await openMapRenderer().render(JSON.parse(source), Number(now)));
clearInterval(alive);`;

test('the package runs as JavaScript with its migrations, tables and maps', { timeout: 240_000 }, async () => {
  await run(process.execPath, ['src/release/build.ts', '--without-portal'], { cwd: root });
  const text = readFileSync(`${root}package.json`, 'utf8');
  const built: { version: string; bin: { flightdata: string } } = JSON.parse(text);
  const env = createEnvironment({ DATABASE_URL: url });
  const flightdata = (...args: readonly string[]) =>
    run(process.execPath, [`${root}${built.bin.flightdata}`, ...args], { env });
  expect((await flightdata('--version')).stdout).toBe(`${built.version}\n`);
  expect((await flightdata('keys', 'list')).stdout).toContain('No keys.');
  const now = atMs('2027-03-01T13:30Z');
  const file = new URL('../../dist/src/server/products/flight-info/v2/map/map-renderer.js', import.meta.url).href;
  const args = ['--input-type=module', '-e', drawing, file, JSON.stringify(atlantic), String(now)];
  expect((await run(process.execPath, args)).stdout).toBe(renderFlightPage(buildFlightMap(atlantic, now)));
  const overrides = new URL('../../dist/src/server/feeds/master-data/overrides/carrier-overrides.js', import.meta.url)
    .href;
  const lookup = `import { findDomicileByCode } from '${overrides}'; process.stdout.write(findDomicileByCode('DLH') ?? '');`;
  expect((await run(process.execPath, ['--input-type=module', '-e', lookup])).stdout).toBe('DE');
  const beside = globSync('src/**/*.*', { cwd: root }).filter(
    (file) => !file.endsWith('.ts') && !unshipped.some((pattern) => pattern.test(file)),
  );
  expect(beside.filter((file) => !existsSync(`${root}dist/${file}`))).toEqual([]);
  expect(beside).toContain('src/server/jobs/sources/open-sources.yaml');
});

/** Folders of the package that are for reading only: the service serves the documentation from the built portal. */
const unread = ['docs'];

test('the container image has the files of the package', () => {
  const manifest: { files: readonly string[] } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const dockerfile = readFileSync(`${root}docs/deploy/Dockerfile`, 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  const packaged = manifest.files.filter((file) => !file.startsWith('!') && !unread.includes(file));
  const implied = ['package.json', 'LICENSE', 'node_modules'];
  expect(copied.map((path) => path.replace('/flightdata/', '')).toSorted()).toEqual(
    [...packaged, ...implied].toSorted(),
  );
});
