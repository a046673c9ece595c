import { describe, expect, test } from 'vitest';
import { checkFloors, leastSeen, readSources } from '../../src/contract/floors.ts';

const rulesOf = (path: string, text: string): readonly string[] => [
  ...new Set(checkFloors(new Map([[path, text]])).map(({ rule }) => rule)),
];

test('the sources keep the rules of the house', () => {
  expect(checkFloors(readSources())).toEqual([]);
});

test('the check sees the house, and not just a corner of it', () => {
  expect(readSources().size).toBeGreaterThanOrEqual(leastSeen.modules);
});

describe('an import that only goes down is welcome', () => {
  test.each([
    ['src/feeds/ssim/read.ts', `import type { Leg } from '../../domain/schedule.ts'`],
    ['src/feeds/ssim/read.ts', `import { FeedError } from '../feed-error.ts'`],
    ['src/store/legs.ts', `import postgres from 'postgres'; import { readFile } from 'node:fs/promises'`],
    [
      'src/http/api.ts',
      `import { OpenAPIHono } from '@hono/zod-openapi'; import { HTTPException } from 'hono/http-exception'`,
    ],
    ['src/products/flight-info/v1/list.ts', `import { list } from '../v2/list.ts'`],
    [
      'src/products/flight-info/v2/list.ts',
      `import { listRoute } from '../../../../generated/flight-info/v2/routes.gen.ts'`,
    ],
    ['src/products/register.ts', `import { api } from './schedules/v1/api.ts'`],
    [
      'src/work/expand.ts',
      `import { show } from '../products/flight-info/v2/show.ts'; import { legs } from '../store/legs.ts'`,
    ],
    ['src/main.ts', `import { createApp } from './app.ts'; import { config } from './config.ts'`],
    ['src/app.ts', `import { Hono } from 'hono'`],
    ['src/config.ts', `export const port = process.env['PORT']`],
    ['src/contract/generate.ts', `import { parseDate } from '../domain/dates.ts'; import { parse } from 'yaml'`],
    ['src/contract/write-code.ts', `import { statusMessageSchema } from '../feeds/status/message-schema.ts'`],
    ['src/client/paging.ts', `import type { Paging } from '../../generated/flight-info/v2/types.gen.ts'`],
    ['generated/flight-info/v2/routes.gen.ts', `import { queryOf } from '../../../src/http/query.ts'`],
    ['generated/catalog.ts', `import type { CatalogProduct } from '../src/domain/lifecycle.ts'`],
    ['src/domain/keys.ts', `import { createHash } from 'node:crypto'`],
    ['src/domain/dates.ts', `export function* days() { yield new Date(0) }`],
  ])('%s: %s', (path, text) => {
    expect(checkFloors(new Map([[path, text]]))).toEqual([]);
  });
});

describe('a planted fault is seen', () => {
  test.each([
    ['floors', 'an import that goes up', 'src/store/legs.ts', `import { bind } from '../http/api.ts'`],
    ['floors', 'a type from above', 'src/domain/legs.ts', `import type { Row } from '../store/legs.ts'`],
    ['floors', 'a type from above, in passing', 'src/domain/legs.ts', `export type A = import('../store/legs.ts').Row`],
    ['floors', 'an import while running', 'src/domain/legs.ts', `export const f = () => import('../store/legs.ts')`],
    ['floors', 'a passing on', 'src/http/api.ts', `export * from '../work/expand.ts'`],
    ['floors', 'a neighbour', 'src/feeds/ssim/read.ts', `import { legs } from '../../store/legs.ts'`],
    [
      'floors',
      'another product',
      'src/products/schedules/v1/list.ts',
      `import { show } from '../../flight-info/v2/show.ts'`,
    ],
    ['floors', 'an older version', 'src/products/flight-info/v2/list.ts', `import { ask } from '../v1/ask.ts'`],
    [
      'floors',
      'the register, from a product',
      'src/products/flight-info/v2/list.ts',
      `import { all } from '../../register.ts'`,
    ],
    ['floors', 'a tool of the build', 'src/app.ts', `import { bundle } from './contract/bundle.ts'`],
    [
      'floors',
      'the house, from a tool of the build',
      'src/contract/check.ts',
      `import { legs } from '../store/legs.ts'`,
    ],
    [
      'floors',
      'more of a feed than its schema, from a tool of the build',
      'src/contract/write-code.ts',
      `import { readStatusMessage } from '../feeds/status/read-message.ts'`,
    ],
    ['floors', 'the house, from the client', 'src/client/paging.ts', `import { pageUrl } from '../http/paging.ts'`],
    [
      'floors',
      'the contract, from below the products',
      'src/http/front.ts',
      `import { catalog } from '../../generated/catalog.ts'`,
    ],
    [
      'floors',
      'the house, from generated code',
      'generated/a/v1/sdk.gen.ts',
      `import { queryOf } from '../../../src/http/query.ts'`,
    ],
    [
      'floors',
      'more than the query, from routes',
      'generated/a/v1/routes.gen.ts',
      `import { x } from '../../../src/store/x.ts'`,
    ],
    ['floors', 'a test, from the sources', 'src/app.ts', `import { fresh } from '../test/support/database.ts'`],
    ['packages', 'hono in a product', 'src/products/flight-info/v2/list.ts', `import { Hono } from 'hono'`],
    ['packages', 'hono in work', 'src/work/push.ts', `import { serve } from '@hono/node-server'`],
    ['packages', 'SQL outside the store', 'src/work/push.ts', `import postgres from 'postgres'`],
    ['packages', 'a broker in work', 'src/work/push.ts', `import { connect } from '@nats-io/transport-node'`],
    ['packages', 'a package in the domain', 'src/domain/legs.ts', `import { z } from 'zod'`],
    ['packages', 'a file system in the domain', 'src/domain/legs.ts', `import { readFileSync } from 'node:fs'`],
    ['packages', 'a builtin that could be a package', 'src/work/push.ts', `import { readFileSync } from 'fs'`],
    ['pure-domain', 'the clock', 'src/domain/legs.ts', `export const now = () => Date.now()`],
    ['pure-domain', 'the clock by another name', 'src/domain/legs.ts', `export const now = () => new Date()`],
    ['pure-domain', 'chance', 'src/domain/legs.ts', `export const any = () => Math.random()`],
    ['pure-domain', 'waiting', 'src/domain/legs.ts', `export const wait = async () => 1`],
    ['pure-domain', 'the terminal', 'src/domain/legs.ts', `export const say = () => console.log(1)`],
    ['environment', 'the environment', 'src/work/push.ts', `export const home = process.env['HOME']`],
    [
      'environment',
      'the environment, taken apart',
      'src/work/push.ts',
      `const { env } = process; export const a = env`,
    ],
    ['environment', 'the environment, by index', 'src/work/push.ts', `export const a = process['env']`],
    [
      'environment',
      'the environment, imported',
      'src/work/push.ts',
      `import { env } from 'node:process'; export const a = env`,
    ],
    ['known-room', 'a room without a floor', 'src/helpers/strings.ts', `export const a = 1`],
    ['shapes', 'a function that is no arrow', 'src/work/push.ts', `export function push() { return 1 }`],
    ['shapes', 'a class that is no error', 'src/work/push.ts', `export class Push {}`],
  ])('%s: %s', (rule, _, path, text) => {
    expect(rulesOf(path, text)).toEqual([rule]);
  });

  test('cycles: files that import each other', () => {
    const ring = new Map([
      ['src/work/a.ts', `import { b } from './b.ts'`],
      ['src/work/b.ts', `import { c } from './c.ts'`],
      ['src/work/c.ts', `import { a } from './a.ts'`],
    ]);
    expect(checkFloors(ring)).toEqual([
      {
        path: 'src/work/a.ts',
        rule: 'cycles',
        message: 'imports itself by way of src/work/a.ts -> src/work/b.ts -> src/work/c.ts',
      },
    ]);
  });
});
