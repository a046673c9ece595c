import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The configuration of the generated files that run-mutants.ts writes into its copy of the tree. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: [`mutants/${process.env['MUTANTS_ROUND']}/*.test.ts`],
    globalSetup: ['test/support/vitest/global-setup.ts'],
    maxWorkers: 2,
    isolate: process.env['MUTANTS_ISOLATE'] === '1',
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    testTimeout: 15_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    silent: true,
    passWithNoTests: true,
    dangerouslyIgnoreUnhandledErrors: true,
    reporters: ['dot'],
  },
});
