import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { diffFolders } from '#contract/diff-folders.ts';
import { findDocuments } from '#contract/find-documents.ts';
import { buildCatalog } from '#contract/generate-catalog.ts';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { generate } from '#contract/generate.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { applyEdits, tinyDocument, writeSpec, type Edit } from './tiny-spec.ts';

const { folder: work, write } = createTemporaryFolder();

const generated = async (documents: Readonly<Record<string, JsonObject | string>>): Promise<string> => {
  const [spec, out] = [mkdtempSync(join(work, 'spec-')), mkdtempSync(join(work, 'out-'))];
  writeSpec(spec, documents);
  await generate(spec, out);
  return out;
};

/** Builds the catalog alone, without the 0.5 s of a bundle; documents of these tests have one file each. */
const cataloged = async (documents: Readonly<Record<string, JsonObject | string>>): Promise<unknown> => {
  const spec = mkdtempSync(join(work, 'spec-'));
  writeSpec(spec, documents);
  // A bundle has no references to other files.
  const dropExternal = (name: string, value: unknown): unknown =>
    name === '$ref' && String(value).startsWith('../') ? undefined : value;
  const read = (file: string): JsonObject =>
    toJsonObject(JSON.parse(JSON.stringify(parse(readFileSync(file, 'utf8'))), dropExternal));
  return buildCatalog(findDocuments(spec).map((location) => ({ location, document: read(location.file) })));
};

const lifecycle = (value: unknown): Edit => [['x-lifecycle'], value];

test('two versions of a product are in the catalog and in the list of routes, oldest first', async () => {
  const dates = { releasedOn: '2024-01-01', deprecatedOn: '2025-01-01', sunsetOn: '2026-01-01', successor: 'v2' };
  const list = ['paths', '/tiny-things', 'get'];
  const names: readonly Edit[] = [
    [[...list, 'x-other-names'], { Type: 'Kind' }],
    [[...list, 'x-ignored-names'], ['Sort']],
  ];
  const out = await generated({
    'tiny/v1': applyEdits(tinyDocument(), lifecycle({ ...dates, aliases: ['1.0'] }), ...names),
    'tiny/v2': applyEdits(tinyDocument('tiny', 'v2'), lifecycle({ releasedOn: '2025-01-01' }), ...names),
  });
  const listNames = {
    parameters: ['version', 'Limit', 'After', 'Kind'],
    otherNames: { Type: 'Kind' },
    ignoredNames: ['Sort'],
    properties: ['data', 'kind', 'limit', 'mark', 'next', 'paging', 'size', 'totalcount', 'totalpages'],
  };
  const operations = [
    { operationId: 'listThings', method: 'get', path: '/tiny-things', isPublic: false, ...listNames },
    { operationId: 'getHealth', method: 'get', path: '/tiny/health', isPublic: true, parameters: ['version'] },
  ];
  const routes = readFileSync(join(out, 'routes.ts'), 'utf8');
  expect(routes.match(/'.*': .*/g)).toEqual([
    "'tiny/v1': Object.values(routes0),",
    "'tiny/v2': Object.values(routes1),",
  ]);
  const text = readFileSync(join(out, 'catalog.ts'), 'utf8');
  const second = { version: 'v2', aliases: [], releasedOn: '2025-01-01', operations };
  expect(JSON.parse(text.slice(text.indexOf('= ') + 2).replace(/;\s*$/, ''))).toEqual([
    { product: 'tiny', title: 'Tiny', versions: [{ version: 'v1', aliases: ['1.0'], ...dates, operations }, second] },
  ]);
});

test('generates a closed schema for a closed object of the document', async () => {
  const closed = applyEdits(tinyDocument(), [['components', 'schemas', 'Thing', 'additionalProperties'], false]);
  const zod = readFileSync(join(await generated({ 'tiny/v1': closed }), 'tiny/v1/zod.gen.ts'), 'utf8');
  expect(zod).toContain('export const zThing = z.strictObject({');
  expect(zod).toContain('export const zThingPage = z.object({');
});

test('generates the responses of a route without problems, which all operations share', async () => {
  const routes = readFileSync(join(await generated({ 'tiny/v1': tinyDocument() }), 'tiny/v1/routes.gen.ts'), 'utf8');
  expect([...routes.matchAll(/^ {8}(\d{3}): /gm)].map(([, status]) => status)).toEqual(['200', '200', '503']);
  expect(routes).not.toContain('problem');
});

test('distinguishes stale, changed and missing files', () => {
  for (const folder of ['actual', 'expected']) mkdirSync(join(work, folder));
  for (const file of ['actual/same.ts', 'actual/changed.ts', 'actual/stale.ts']) write(file, 'a');
  for (const file of ['expected/same.ts', 'expected/missing.ts']) write(file, 'a');
  write('expected/changed.ts', 'b');
  expect(diffFolders(join(work, 'actual'), join(work, 'expected'))).toEqual([
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
  const failure = ['paths', '/tiny-things', 'get', 'responses', '400', 'content'];

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
  ])('%s', async (_, documents, message) => {
    await expect(cataloged(documents)).rejects.toThrow(message);
  });

  test('a failure whose form has no name, and a broken reference', async () => {
    const unnamed = generated(v1([failure, { 'application/json': { schema: { type: 'object' } } }]));
    await expect(unnamed).rejects.toThrow(/the body of 400 must be a \$ref/);
    const broken = generated(v1([['components', 'schemas', 'Kind'], undefined]));
    await expect(broken).rejects.toThrow(/Can't resolve \$ref/);
  });
});
