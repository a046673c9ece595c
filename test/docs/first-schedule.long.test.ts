import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { freePort } from '../support/free-port.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { findMismatches } from './example-mismatches.ts';
import { pages } from './guide.ts';
import { hasExpectedStatus, runExamples } from './run-examples.ts';

test('the tutorial of the first schedule runs unchanged and returns what is shown', { timeout: 120_000 }, async () => {
  const page = pages.find(({ name }) => name.endsWith('/first-schedule.md'));
  const [dataDir, port] = [join(createTemporaryFolder().folder, 'store'), await freePort()];
  const replacements = { '/tmp/first-schedule': dataDir, 'localhost:8080': `127.0.0.1:${port}` };
  const options = { cwd: root, replacements, env: { PORT: String(port) } };
  const runs = page === undefined ? [] : await runExamples(page, options);
  expect(runs.filter((one) => !hasExpectedStatus(one))).toEqual([]);
  const mismatches = runs
    .filter(({ example }) => example.shown !== undefined)
    .map(({ example, printed }) => findMismatches(example.shown, JSON.parse(printed.slice(printed.indexOf('{')))));
  expect(mismatches).toEqual([[], [], [], []]);
  expect(existsSync(dataDir)).toBe(false);
});
