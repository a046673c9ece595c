import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { GroupReporter } from './test/support/vitest/group-reporter.ts';
import { LongestFirstSequencer } from './test/support/vitest/longest-first-sequencer.ts';
import { readTests, groupTests } from './test/support/vitest/test-groups.ts';

/** The long fault tests, `*.long.test.ts`, run in `make faults` and in CI. */
const isSelected = (path: string): boolean => process.env['LONG_TESTS'] === '1' || !path.endsWith('.long.test.ts');

const { stored, plain } = groupTests(readTests(import.meta.dirname));

/** Where to write the results as JSON, for .ci/run. */
const reportFile = process.env['TEST_REPORT'];

const isWatch = process.argv.includes('watch');

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    // Each worker loads modules once, not once for each file: that saves half of the processor time of many folders.
    isolate: false,
    // Node loads the sources itself, as in production. Through the module runner each use of an import is a call, and computations
    // take 2.7 times as long. Nothing here is mocked. Watch mode needs the runner: Vite then knows which tests import a changed file.
    experimental: { viteModuleRunner: isWatch, nodeLoader: false },
    sequence: { sequencer: LongestFirstSequencer },
    // Compiled modules are cached between processes: a command starts in 0.5 s of processor time instead of 1.1 s.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    // Ten times what the slowest test needs, for busy machines.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    reporters: ['default', new GroupReporter(), ...(reportFile ? [['json', { outputFile: reportFile }] as const] : [])],
    expect: { poll: { timeout: 60_000 } },
    // `vitest run --project stored` runs those whose outcome can depend on the PostgreSQL server.
    projects: [
      {
        extends: true,
        test: {
          name: 'stored',
          include: stored.filter(isSelected),
          globalSetup: ['test/support/vitest/global-setup.ts'],
        },
      },
      { extends: true, test: { name: 'plain', include: plain.filter(isSelected) } },
    ],
  },
});
