import { describe, expect, test } from 'vitest';
import { checkLayers, minimumFound, readSources } from '#contract/layers.ts';

const rulesOf = (path: string, text: string): readonly string[] => [
  ...new Set(checkLayers(new Map([[path, text]])).map(({ rule }) => rule)),
];

const use = (path: string): string => `import { x } from '${path}'`;

test('the sources conform to the architecture rules', () => {
  expect(checkLayers(readSources())).toEqual([]);
  expect(readSources().size).toBeGreaterThanOrEqual(minimumFound.modules);
});

describe('detects a planted violation', () => {
  test.each([
    ['layers', 'an import of a higher layer', 'src/server/store/legs.ts', `import { x } from '../http/handler/api.ts'`],
    [
      'layers',
      'an import of a higher layer by its short name',
      'src/server/store/legs.ts',
      `import { x } from '#http/api.ts'`,
    ],
    ['layers', 'a type of a higher layer', 'src/server/domain/legs.ts', `import type { Row } from '../store/legs.ts'`],
    ['layers', 'an inline type', 'src/server/domain/legs.ts', `export type A = import('../store/legs.ts').Row`],
    ['layers', 'a dynamic import', 'src/server/domain/legs.ts', `export const f = () => import('../store/legs.ts')`],
    ['layers', 'a re-export', 'src/server/http/handler/api.ts', `export * from '../../jobs/expand.ts'`],
    ['layers', 'the same layer', 'src/server/feeds/ssim/read.ts', `import { x } from '../../store/legs.ts'`],
    ['layers', 'another product', 'src/server/products/a/v1/list.ts', `import { x } from '../../b/v2/show.ts'`],
    ['layers', 'an older version', 'src/server/products/flight-info/v2/list.ts', `import { x } from '../v1/parse.ts'`],
    ['layers', 'the register', 'src/server/products/flight-info/v2/list.ts', `import { x } from '../../register.ts'`],
    ['layers', 'a build tool', 'src/server/app.ts', `import { x } from '../contract/bundle.ts'`],
    [
      'layers',
      'server code, from a build tool',
      'src/contract/check.ts',
      `import { x } from '../server/store/legs.ts'`,
    ],
    [
      'layers',
      'a feed, from a build tool',
      'src/contract/check.ts',
      `import { x } from '../server/feeds/status/read.ts'`,
    ],
    ['layers', 'a client', 'src/client/paging.ts', `import { x } from '../server/http/handler/paging.ts'`],
    [
      'layers',
      'the contract, too low',
      'src/server/http/router/router.ts',
      `import { x } from '#generated/catalog.ts'`,
    ],
    [
      'layers',
      'server code, generated',
      'generated/a/v1/sdk.gen.ts',
      `import { x } from '../../../src/server/store/x.ts'`,
    ],
    [
      'layers',
      'more than the query',
      'generated/a/v1/routes.gen.ts',
      `import { x } from '../../../src/server/store/x.ts'`,
    ],
    ['layers', 'a test, from the sources', 'src/server/app.ts', `import { x } from '../../test/support/database.ts'`],
    ['packages', 'hono in a product', 'src/server/products/flight-info/v2/list.ts', `import { x } from 'hono'`],
    ['packages', 'hono in jobs', 'src/server/jobs/push.ts', `import { x } from '@hono/node-server'`],
    ['packages', 'SQL outside the store', 'src/server/jobs/push.ts', `import postgres from 'postgres'`],
    ['packages', 'a broker in jobs', 'src/server/jobs/push.ts', `import { x } from '@nats-io/transport-node'`],
    [
      'packages',
      'the tracing SDK in commands',
      'src/server/cli/keys.ts',
      `const x = import('@opentelemetry/sdk-trace')`,
    ],
    ['packages', 'a package in the domain', 'src/server/domain/legs.ts', `import { x } from 'zod'`],
    ['packages', 'a file system in the domain', 'src/server/domain/legs.ts', `import { x } from 'node:fs'`],
    ['pure-domain', 'the clock', 'src/server/domain/legs.ts', `export const now = () => Date.now()`],
    ['pure-domain', 'the clock, as new Date()', 'src/server/domain/legs.ts', `export const now = () => new Date()`],
    ['pure-domain', 'random numbers', 'src/server/domain/legs.ts', `export const any = () => Math.random()`],
    ['pure-domain', 'async functions', 'src/server/domain/legs.ts', `export const wait = async () => 1`],
    ['pure-domain', 'the terminal', 'src/server/domain/legs.ts', `export const say = () => console.log(1)`],
    ['unknown-part', 'a part without a layer', 'src/server/helpers/strings.ts', `export const a = 1`],
    ['arrow-functions', 'a function declaration', 'src/server/jobs/push.ts', `export function push() { return 1 }`],
    [
      'layers',
      'the domain, from the library',
      'src/server/lib/signal.ts',
      `import { x } from '../domain/time/dates.ts'`,
    ],
    ['layers', 'the portal, from a build tool', 'src/release/build.ts', `import { x } from '../portal/page.ts'`],
    ['layers', 'the demo world, from jobs', 'src/server/jobs/expand.ts', `import { x } from '#demo/seed-demo.ts'`],
    ['layers', 'commands, from the demo world', 'src/demo/seed-demo.ts', `import { x } from '#cli/program.ts'`],
  ])('%s: %s', (rule, _, path, text) => {
    expect(rulesOf(path, text)).toEqual([rule]);
  });

  test.each<readonly [rule: string, sources: Readonly<Record<string, string>>, path: string, message: string]>([
    [
      'file-cycles',
      {
        'src/server/jobs/a.ts': use('./b.ts'),
        'src/server/jobs/b.ts': use('./c.ts'),
        'src/server/jobs/c.ts': use('./a.ts'),
      },
      'src/server/jobs/a.ts',
      'imports itself through src/server/jobs/a.ts -> src/server/jobs/b.ts -> src/server/jobs/c.ts',
    ],
    [
      'folder-cycles',
      {
        'src/server/jobs/status/a.ts': use('../import/b.ts'),
        'src/server/jobs/import/b.ts': 'export const b = 1',
        'src/server/jobs/import/c.ts': `import type { D } from '../expand/d.ts'`,
        'src/server/jobs/expand/d.ts': `${use('../status/e.ts')}; export type D = typeof x`,
        'src/server/jobs/status/e.ts': 'export const e = 1',
      },
      'src/server/jobs/status',
      'imports itself through src/server/jobs/status -> src/server/jobs/import -> src/server/jobs/expand',
    ],
    [
      'folder-cycles',
      {
        'src/server/cli/main.ts': use('./serve/port.ts'),
        'src/server/cli/serve/port.ts': use('../open.ts'),
        'src/server/cli/open.ts': '',
      },
      'src/server/cli',
      'imports itself through src/server/cli -> src/server/cli/serve',
    ],
    [
      'unique-types',
      {
        'src/server/http/problem.ts': 'export class Change {}',
        'src/server/jobs/import/diff.ts': 'export type Change = 1',
        'src/server/products/flight-info/v2/change.ts': 'export interface Change {}',
        'src/server/store/change.ts': 'type Change = 2; export const one: Change = 2',
      },
      'src/server/jobs/import/diff.ts',
      'exports the type Change, as src/server/http/problem.ts does',
    ],
  ])('%s across files: %j', (rule, sources, path, message) => {
    expect(checkLayers(new Map(Object.entries(sources)))).toEqual([{ path, rule, message }]);
  });
});
