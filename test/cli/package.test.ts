import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

test('what a package holds runs as JavaScript, with its migrations', { timeout: 120_000 }, async () => {
  await run(process.execPath, ['src/contract/build.ts'], { cwd: root });
  const built: { version: string; bin: { flightdata: string } } = JSON.parse(
    readFileSync(`${root}package.json`, 'utf8'),
  );
  const flightdata = (...args: readonly string[]) =>
    run(process.execPath, [`${root}${built.bin.flightdata}`, ...args], { env: { DATABASE_URL: fresh.url } });
  expect((await flightdata('--version')).stdout).toBe(`${built.version}\n`);
  expect((await flightdata('keys', 'list')).stdout).toContain('There are no keys.');
});
