import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirstSequencer } from './test/support/vitest/longest-first-sequencer.ts';
import { readTests, groupTests } from './test/support/vitest/test-groups.ts';

/** The long fault tests, `*.long.test.ts`, run in `make faults` and in CI. */
const isSelected = (path: string): boolean => process.env['LONG_TESTS'] === '1' || !path.endsWith('.long.test.ts');

const { stored, plain } = groupTests(readTests(import.meta.dirname));

export default defineConfig({
  test: {
    // Two cores is the machine this must run on; a database answers from a third process.
    maxWorkers: 2,
    // Modules are loaded once in each worker, not once for each of its files: half of the processor time of many a folder.
    isolate: false,
    // Node loads the sources itself, as it does in service. Through the module runner every use of an import is a call, and what
    // computes much takes 2.7 times as long. Nothing here is mocked, which is all that the loader of Vitest would be for.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirstSequencer },
    // What Node makes of a module is kept from one process to the next: a command starts in 0.5 s of processor time, not in 1.1 s.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    // A machine that does other things besides may take ten times as long; what hangs is ended all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 60_000 } },
    // `vitest run --project stored` has those whose outcome could depend on the PostgreSQL they run on.
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
