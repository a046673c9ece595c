import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffFolders } from '../../src/contract/diff-folders.ts';
import type { JsonObject } from '../../src/lib/openapi-document.ts';
import { generate } from '../../src/contract/generate.ts';
import { applyEdits, tinyDocument, writeSpec, type Edit } from './tiny-spec.ts';

const work = mkdtempSync(join(tmpdir(), 'generate-'));
const folder = (name: string): string => mkdtempSync(join(work, `${name}-`));

afterAll(() => rmSync(work, { recursive: true }));

const generated = async (documents: Readonly<Record<string, JsonObject | string>>): Promise<string> => {
  const [spec, out] = [folder('spec'), folder('out')];
  writeSpec(spec, documents);
  await generate(spec, out);
  return out;
};

const lifecycle = (value: unknown): Edit => [['x-lifecycle'], value];

describe('two versions of a product', () => {
  const documents = {
    'tiny/v1': applyEdits(
      tinyDocument(),
      lifecycle({
        releasedOn: '2024-01-01',
        deprecatedOn: '2025-01-01',
        sunsetOn: '2026-01-01',
        successor: 'v2',
        aliases: ['1.0'],
      }),
    ),
    'tiny/v2': applyEdits(tinyDocument('tiny', 'v2'), lifecycle({ releasedOn: '2025-01-01' })),
  };
  let out = '';
  beforeAll(async () => {
    out = await generated(documents);
  });

  test('generate the same files each time', async () => {
    expect(diffFolders(out, await generated(documents))).toEqual([]);
  });

  test('are in the catalog, oldest first', () => {
    const operations = [
      { operationId: 'listThings', method: 'get', path: '/tiny-things', isPublic: false },
      { operationId: 'getHealth', method: 'get', path: '/tiny/health', isPublic: true },
    ];
    const text = readFileSync(join(out, 'catalog.ts'), 'utf8');
    expect(JSON.parse(text.slice(text.indexOf('= ') + 2).replace(/;\s*$/, ''))).toEqual([
      {
        product: 'tiny',
        title: 'Tiny',
        versions: [
          {
            version: 'v1',
            aliases: ['1.0'],
            releasedOn: '2024-01-01',
            deprecatedOn: '2025-01-01',
            sunsetOn: '2026-01-01',
            successor: 'v2',
            operations,
          },
          { version: 'v2', aliases: [], releasedOn: '2025-01-01', operations },
        ],
      },
    ]);
  });

  test('share one client runtime', () => {
    expect(existsSync(join(out, 'runtime/client/index.ts'))).toBe(true);
    expect(existsSync(join(out, 'runtime/core/utils.gen.ts'))).toBe(true);
    for (const version of ['v1', 'v2']) {
      expect(existsSync(join(out, 'tiny', version, 'client'))).toBe(false);
      for (const name of ['sdk.gen.ts', 'client.gen.ts'])
        expect(readFileSync(join(out, 'tiny', version, name), 'utf8')).toContain(
          `from '../../runtime/client/index.ts'`,
        );
    }
  });

  test('have a route for each operation, with the style of each query parameter', () => {
    const routes = readFileSync(join(out, 'tiny/v1/routes.gen.ts'), 'utf8').replaceAll(/\s+/g, ' ');
    expect(routes).toContain(`import { createQuerySchema } from '../../../src/http/handler/query.ts';`);
    expect(routes).toContain(`import { createRoute } from '@hono/zod-openapi';`);
    expect(routes).toContain(
      `query: createQuerySchema(zListThingsQuery, { version: { type: 'string', enum: ['v1'] }, Limit: { type: 'integer' }, ` +
        `After: { type: 'string' }, Kind: { type: 'string', array: 'csv', enum: ['Big', 'Small'] } })`,
    );
    expect(routes).toContain(
      `200: { description: 'A page.', content: { 'application/json': { schema: zThingPage } } }`,
    );
    expect(routes).toContain(
      `400: { description: 'It failed.', content: { 'application/problem+json': { schema: zProblem } } }`,
    );
    expect(routes).toContain(`export const getHealthRoute = createRoute({ method: 'get', path: '/tiny/health'`);
  });

  test('include the JSON Schema of the status feed', () => {
    const { $schema, title, type, required, additionalProperties } = JSON.parse(
      readFileSync(join(out, 'feeds/status-message.schema.json'), 'utf8'),
    );
    expect({ $schema, title, type, required, additionalProperties }).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Flight status message',
      type: 'object',
      required: ['messageId', 'observedAt', 'flight'],
      additionalProperties: false,
    });
  });

  test('become documents without external references', () => {
    const references = readFileSync(join(out, 'tiny/v1/openapi.yaml'), 'utf8').match(/\$ref: .*/g) ?? [];
    expect(references.filter((reference) => !/^\$ref: '#\//.test(reference))).toEqual([]);
    expect(references.length).toBeGreaterThan(5);
  });
});

test('generates a closed schema for a closed object of the document', async () => {
  const closed = applyEdits(tinyDocument(), [['components', 'schemas', 'Thing', 'additionalProperties'], false]);
  const zod = readFileSync(join(await generated({ 'tiny/v1': closed }), 'tiny/v1/zod.gen.ts'), 'utf8');
  expect(zod).toContain('export const zThing = z.strictObject({');
  expect(zod).toContain('export const zThingPage = z.object({');
});

test('distinguishes stale, changed and missing files', () => {
  const [actual, expected] = [folder('actual'), folder('expected')];
  for (const [dir, name, text] of [
    [actual, 'same.ts', 'a'],
    [expected, 'same.ts', 'a'],
    [actual, 'changed.ts', 'a'],
    [expected, 'changed.ts', 'b'],
    [actual, 'stale.ts', 'a'],
    [expected, 'missing.ts', 'a'],
  ] as const)
    writeFileSync(join(dir, name), text);
  expect(diffFolders(actual, expected)).toEqual([
    { path: 'changed.ts', kind: 'changed' },
    { path: 'missing.ts', kind: 'missing' },
    { path: 'stale.ts', kind: 'stale' },
  ]);
});

describe('rejects documents that contradict themselves or each other', () => {
  const v1 = (...edits: readonly Edit[]) => ({ 'tiny/v1': applyEdits(tinyDocument(), ...edits) });
  const living = (more: object) => v1(lifecycle({ releasedOn: '2024-01-01', ...more }));
  const v2 = (...edits: readonly Edit[]) => ({
    ...v1(),
    'tiny/v2': applyEdits(tinyDocument('tiny', 'v2'), lifecycle({ releasedOn: '2025-01-01' }), ...edits),
  });
  const unquoted = JSON.stringify(tinyDocument(), null, 1).replace('On": "2024-01-01"', 'On": 2024-01-01');
  const things = (name: string) => ({ get: { operationId: name, responses: { '204': { description: 'None.' } } } });
  const shared = {
    ...v1([['paths', '/shared/{a}'], things('getA')]),
    'other/v1': applyEdits(tinyDocument('other'), [['paths', '/shared/{b}'], things('getB')]),
  };
  const failure = ['paths', '/tiny-things', 'get', 'responses', '400', 'content', 'application/problem+json', 'schema'];

  test.each<readonly [string, Readonly<Record<string, JsonObject | string>>, RegExp]>([
    ['no document', {}, /no <product>\/<version>\/openapi\.yaml/],
    ['a version folder of another name', { 'tiny/latest': tinyDocument() }, /a version folder is named v1, v2/],
    ['x-product and folder', { 'small/v1': tinyDocument() }, /x-product is 'tiny', its folder says 'small'/],
    ['info.version and folder', { 'tiny/v2': tinyDocument() }, /info\.version is 'v1', its folder says 'v2'/],
    ['a date without quotes', { 'tiny/v1': unquoted }, /x-lifecycle\.releasedOn must be quoted/],
    ['a date that no calendar has', living({ releasedOn: '2024-02-30' }), /must be a date/],
    ['no lifecycle', v1(lifecycle(undefined)), /x-lifecycle/],
    ['a misspelt member', living({ sunsetDate: '2025-01-01' }), /sunsetDate/],
    ['dates out of order', living({ deprecatedOn: '2023-01-01' }), /out of order: 2024-01-01, 2023-01-01/],
    ['an end without a warning', living({ sunsetOn: '2025-01-01' }), /needs a deprecatedOn/],
    ['a successor that does not exist', living({ successor: 'v2' }), /successor 'v2' is not a later version/],
    ['a successor that came before', v2([['x-lifecycle', 'successor'], 'v1']), /successor 'v1' is not a later version/],
    ['an earlier second version', v2(lifecycle({ releasedOn: '2023-06-01' })), /released 2023-06-01, not after v1/],
    ['an alias that is another version', v2([['x-lifecycle', 'aliases'], ['V1']]), /'v1' names two versions/],
    ['a path that two products claim', shared, /'\/shared\/\{\w\}' is claimed by other and by tiny/],
    ['a failure whose form has no name', v1([failure, { type: 'object' }]), /the body of 400 must be a \$ref/],
    ['a broken reference', v1([['components', 'schemas', 'Kind'], undefined]), /Can't resolve \$ref/],
  ])('%s', async (_, documents, message) => {
    await expect(generated(documents)).rejects.toThrow(message);
  });
});
