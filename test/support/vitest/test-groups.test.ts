import { expect, inject, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { readTests, groupTests } from './test-groups.ts';

test('a test is stored when it imports a database directly, through other modules, in a cycle or dynamically', () => {
  const modules = new Map([
    ['test/support/database.ts', `import { inject } from 'vitest';`],
    ['test/support/world.ts', `import { freshDatabase } from './database.ts';\nimport type { A } from './ring.ts';`],
    ['test/support/ring.ts', `export * from './world.ts';`],
    ['test/a.test.ts', `import {\n  freshDatabase,\n} from './support/database.ts';`],
    ['test/c/d.test.ts', `import type { A } from '../support/ring.ts';`],
    ['test/e.test.ts', `const { serve } = await import('./support/world.ts');`],
    ['test/f/g/h.test.ts', `import { world } from '#test/support/world.ts';`],
    ['test/i.test.ts', `import { openDatabase } from '#store/database.ts';`],
  ]);
  const stored = ['test/a.test.ts', 'test/c/d.test.ts', 'test/e.test.ts', 'test/f/g/h.test.ts'];
  expect(groupTests(modules)).toEqual({ stored, plain: ['test/i.test.ts'] });
});

test('puts every test file of the project in one of two long lists', () => {
  const modules = readTests(root);
  const { stored, plain } = groupTests(modules);
  expect([...stored, ...plain].toSorted()).toEqual([...modules.keys()].filter((path) => path.endsWith('.test.ts')));
  expect(Math.min(stored.length, plain.length)).toBeGreaterThan(100);
  expect(plain).toContain('test/support/vitest/test-groups.test.ts');
});

test('provides no server to a plain test, so that a test in the wrong list fails', () => {
  expect(inject('testServer')).toBeUndefined();
});
