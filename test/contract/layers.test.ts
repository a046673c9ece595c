import { describe, expect, test } from 'vitest';
import { checkLayers, minimumFound, readSources } from '../../src/contract/layers.ts';

const rulesOf = (path: string, text: string): readonly string[] => [
  ...new Set(checkLayers(new Map([[path, text]])).map(({ rule }) => rule)),
];

test('the sources conform to the architecture rules', () => {
  expect(checkLayers(readSources())).toEqual([]);
});

test('the check finds the sources', () => {
  expect(readSources().size).toBeGreaterThanOrEqual(minimumFound.modules);
});

describe('allows an import of a lower layer', () => {
  test.each([
    ['src/feeds/ssim/read.ts', `import type { Leg } from '../../domain/schedule/schedule.ts'`],
    ['src/feeds/ssim/read.ts', `import { FeedError } from '../feed-error.ts'`],
    ['src/store/legs.ts', `import postgres from 'postgres'; import { readFile } from 'node:fs/promises'`],
    [
      'src/http/handler/api.ts',
      `import { OpenAPIHono } from '@hono/zod-openapi'; import { HTTPException } from 'hono/http-exception'`,
    ],
    ['src/products/flight-info/v1/list.ts', `import { list } from '../v2/list.ts'`],
    [
      'src/products/flight-info/v2/list.ts',
      `import { listRoute } from '../../../../generated/flight-info/v2/routes.gen.ts'`,
    ],
    ['src/products/register.ts', `import { api } from './schedules/v1/api.ts'`],
    [
      'src/jobs/expand.ts',
      `import { show } from '../products/flight-info/v2/to-flight-instance.ts'; import { legs } from '../store/legs.ts'`,
    ],
    ['src/cli/main.ts', `import { createApp } from '../app.ts'; import { config } from '../config.ts'`],
    ['src/app.ts', `import { Hono } from 'hono'`],
    ['src/config.ts', `export const port = process.env['PORT']`],
    ['src/contract/generate.ts', `import { parseDate } from '../domain/time/dates.ts'; import { parse } from 'yaml'`],
    ['src/contract/generate-code.ts', `import { statusMessageSchema } from '../feeds/status/message-schema.ts'`],
    ['src/client/paging.ts', `import type { Paging } from '../../generated/flight-info/v2/types.gen.ts'`],
    [
      'generated/flight-info/v2/routes.gen.ts',
      `import { createQuerySchema } from '../../../src/http/handler/query.ts'`,
    ],
    ['generated/catalog.ts', `import type { CatalogProduct } from '../src/http/router/version-lifecycle.ts'`],
    ['src/domain/schedule/keys.ts', `import { createHash } from 'node:crypto'`],
    ['src/domain/time/dates.ts', `export function* days() { yield new Date(0) }`],
  ])('%s: %s', (path, text) => {
    expect(checkLayers(new Map([[path, text]]))).toEqual([]);
  });
});

describe('detects a planted violation', () => {
  test.each([
    ['layers', 'an import of a higher layer', 'src/store/legs.ts', `import { bind } from '../http/handler/api.ts'`],
    ['layers', 'a type of a higher layer', 'src/domain/legs.ts', `import type { Row } from '../store/legs.ts'`],
    [
      'layers',
      'an inline type import of a higher layer',
      'src/domain/legs.ts',
      `export type A = import('../store/legs.ts').Row`,
    ],
    ['layers', 'a dynamic import', 'src/domain/legs.ts', `export const f = () => import('../store/legs.ts')`],
    ['layers', 'a re-export', 'src/http/handler/api.ts', `export * from '../../jobs/expand.ts'`],
    [
      'layers',
      'an import of a folder of the same layer',
      'src/feeds/ssim/read.ts',
      `import { legs } from '../../store/legs.ts'`,
    ],
    [
      'layers',
      'another product',
      'src/products/schedules/v1/list.ts',
      `import { show } from '../../flight-info/v2/show.ts'`,
    ],
    ['layers', 'an older version', 'src/products/flight-info/v2/list.ts', `import { parse } from '../v1/parse.ts'`],
    [
      'layers',
      'the register, from a product',
      'src/products/flight-info/v2/list.ts',
      `import { all } from '../../register.ts'`,
    ],
    ['layers', 'a build tool', 'src/app.ts', `import { bundle } from './contract/bundle.ts'`],
    ['layers', 'server code, from a build tool', 'src/contract/check.ts', `import { legs } from '../store/legs.ts'`],
    [
      'layers',
      'more of a feed than its schema, from a build tool',
      'src/contract/generate-code.ts',
      `import { readStatusMessage } from '../feeds/status/read-message.ts'`,
    ],
    [
      'layers',
      'server code, from the client',
      'src/client/paging.ts',
      `import { pageUrl } from '../http/handler/paging.ts'`,
    ],
    [
      'layers',
      'the contract, from below the products',
      'src/http/router/router.ts',
      `import { catalog } from '../../generated/catalog.ts'`,
    ],
    [
      'layers',
      'server code, from generated code',
      'generated/a/v1/sdk.gen.ts',
      `import { createQuerySchema } from '../../../src/http/handler/query.ts'`,
    ],
    [
      'layers',
      'more than the query, from routes',
      'generated/a/v1/routes.gen.ts',
      `import { x } from '../../../src/store/x.ts'`,
    ],
    ['layers', 'a test, from the sources', 'src/app.ts', `import { fresh } from '../test/support/database.ts'`],
    ['packages', 'hono in a product', 'src/products/flight-info/v2/list.ts', `import { Hono } from 'hono'`],
    ['packages', 'hono in jobs', 'src/jobs/push.ts', `import { serve } from '@hono/node-server'`],
    ['packages', 'SQL outside the store', 'src/jobs/push.ts', `import postgres from 'postgres'`],
    ['packages', 'a broker in jobs', 'src/jobs/push.ts', `import { connect } from '@nats-io/transport-node'`],
    ['packages', 'a package in the domain', 'src/domain/legs.ts', `import { z } from 'zod'`],
    ['packages', 'a file system in the domain', 'src/domain/legs.ts', `import { readFileSync } from 'node:fs'`],
    ['packages', 'a built-in module without node:', 'src/jobs/push.ts', `import { readFileSync } from 'fs'`],
    ['pure-domain', 'the clock', 'src/domain/legs.ts', `export const now = () => Date.now()`],
    ['pure-domain', 'the clock, as new Date()', 'src/domain/legs.ts', `export const now = () => new Date()`],
    ['pure-domain', 'random numbers', 'src/domain/legs.ts', `export const any = () => Math.random()`],
    ['pure-domain', 'async functions', 'src/domain/legs.ts', `export const wait = async () => 1`],
    ['pure-domain', 'the terminal', 'src/domain/legs.ts', `export const say = () => console.log(1)`],
    ['environment', 'the environment', 'src/jobs/push.ts', `export const home = process.env['HOME']`],
    [
      'environment',
      'the environment, destructured',
      'src/jobs/push.ts',
      `const { env } = process; export const a = env`,
    ],
    ['environment', 'the environment, by index', 'src/jobs/push.ts', `export const a = process['env']`],
    [
      'environment',
      'the environment, imported',
      'src/jobs/push.ts',
      `import { env } from 'node:process'; export const a = env`,
    ],
    ['unknown-part', 'a part without a layer', 'src/helpers/strings.ts', `export const a = 1`],
    ['arrow-functions', 'a function declaration', 'src/jobs/push.ts', `export function push() { return 1 }`],
    [
      'layers',
      'the domain, from the library',
      'src/lib/signal.ts',
      `import { localDate } from '../domain/time/dates.ts'`,
    ],
    ['layers', 'the portal, from a build tool', 'src/contract/build.ts', `import { page } from '../portal/page.ts'`],
  ])('%s: %s', (rule, _, path, text) => {
    expect(rulesOf(path, text)).toEqual([rule]);
  });

  test('file-cycles: files that import each other', () => {
    const cycle = new Map([
      ['src/jobs/a.ts', `import { b } from './b.ts'`],
      ['src/jobs/b.ts', `import { c } from './c.ts'`],
      ['src/jobs/c.ts', `import { a } from './a.ts'`],
    ]);
    expect(checkLayers(cycle)).toEqual([
      {
        path: 'src/jobs/a.ts',
        rule: 'file-cycles',
        message: 'imports itself through src/jobs/a.ts -> src/jobs/b.ts -> src/jobs/c.ts',
      },
    ]);
  });

  test('folder-cycles: folders that import each other through different files', () => {
    const cycle = new Map([
      ['src/jobs/status/a.ts', `import { b } from '../import/b.ts'`],
      ['src/jobs/import/b.ts', `export const b = 1`],
      ['src/jobs/import/c.ts', `import type { D } from '../expand/d.ts'`],
      ['src/jobs/expand/d.ts', `import { e } from '../status/e.ts'; export type D = typeof e`],
      ['src/jobs/status/e.ts', `export const e = 1`],
    ]);
    expect(checkLayers(cycle)).toEqual([
      {
        path: 'src/jobs/status',
        rule: 'folder-cycles',
        message: 'imports itself through src/jobs/status -> src/jobs/import -> src/jobs/expand',
      },
    ]);
  });

  test('folder-cycles: a folder and its sub-folder', () => {
    const cycle = new Map([
      ['src/cli/main.ts', `import { a } from './serve/port.ts'`],
      ['src/cli/serve/port.ts', `import { open } from '../open.ts'`],
      ['src/cli/open.ts', `export const open = 1`],
    ]);
    expect(checkLayers(cycle)).toEqual([
      { path: 'src/cli', rule: 'folder-cycles', message: 'imports itself through src/cli -> src/cli/serve' },
    ]);
  });

  test('unique-types: two exported types of one name outside products', () => {
    const sources = new Map([
      ['src/http/problem.ts', `export class Change {}`],
      ['src/jobs/import/diff.ts', `export type Change = 1`],
      ['src/products/flight-info/v2/change.ts', `export interface Change {}`],
      ['src/store/change.ts', `type Change = 2; export const one: Change = 2`],
    ]);
    expect(checkLayers(sources)).toEqual([
      {
        path: 'src/jobs/import/diff.ts',
        rule: 'unique-types',
        message: 'exports the type Change, as src/http/problem.ts does',
      },
    ]);
  });
});
