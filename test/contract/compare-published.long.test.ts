import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareWithPublished, formatComparisons, listUndocumented } from '#contract/compare-published.ts';
import { releaseContract } from '#contract/release-contract.ts';
import { localDate } from '#domain/time/dates.ts';
import type { JsonObject } from '#lib/openapi-document.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const { folder: work, write } = createTemporaryFolder();

const put = (path: string, content: string): void => {
  mkdirSync(join(work, path, '..'), { recursive: true });
  write(path, content);
};

const today = localDate('2026-05-01');
const item = { get: { operationId: 'list', responses: { '200': { description: 'All.' } } } };
const documentOf = (paths: JsonObject, lifecycle: JsonObject = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    'x-lifecycle': { releasedOn: '2024-04-15', ...lifecycle },
    info: { title: 'Birds', version: 'v1' },
    paths,
  });
const published = documentOf({ '/birds': item });
const nests = { get: { ...item.get, operationId: 'listNests' } };
const pastEnd = { sunsetOn: '2026-05-01' };
const retold = { get: { ...item.get, responses: { '200': { description: 'All of them.' } } } };
const extended = documentOf({ '/birds': item, '/nests': nests });
const endingOn = (sunsetOn: string, deprecatedOn = '2026-05-02'): string =>
  documentOf({ '/birds': item }, { deprecatedOn, sunsetOn });
const withOwls = documentOf({
  '/owls': { put: { operationId: 'put', responses: { '204': { description: 'Done.' } } } },
});
/** A document with two equal forms of a list parameter and of a nullable object. */
const withSchemas = (codes: JsonObject, owner: JsonObject): string => {
  const parameters = ['First', 'Second'].map((name) => ({ name, in: 'query', explode: false, schema: codes }));
  const schema = { type: 'object', required: ['owner'], properties: { owner } };
  const responses = { '200': { description: 'All.', content: { 'application/json': { schema } } } };
  const document: JsonObject = JSON.parse(documentOf({ '/birds': { get: { ...item.get, parameters, responses } } }));
  return JSON.stringify({ ...document, components: { schemas: { Codes: list, Owner: object } } });
};
const list = { type: 'array', items: { type: 'string', pattern: '^[A-Z]+$' } };
const object = { type: 'object', properties: { name: { type: 'string' } } };
const [codesReference, ownerReference] = ['Codes', 'Owner'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
const withReferences = withSchemas({ ...codesReference }, { oneOf: [ownerReference, { type: 'null' }] });

/** Creates three folders with one document in each; `undefined` leaves it out. */
const editionsOf = (name: string, now: string | undefined, before: string | undefined) => {
  if (now !== undefined) put(`${name}/fresh/birds/v1/openapi.json`, `${now}\n`);
  if (before !== undefined) {
    put(`${name}/published/birds/v1/openapi.json`, `${before}\n`);
    put(`${name}/published/birds/CHANGES.md`, '- Birds.\n');
  }
  put(`${name}/spec/birds/CHANGES.md`, '## v1\n\n- Birds.\n');
  return { fresh: join(work, name, 'fresh'), published: join(work, name, 'published'), spec: join(work, name, 'spec') };
};

const publishedIn = ({ published }: { readonly published: string }): string =>
  readFileSync(join(published, 'birds/v1/openapi.json'), 'utf8').trimEnd();

test.each([
  ['the same', published, published, 'same'],
  ['an addition', extended, published, 'changed'],
  ['a removal', withOwls, published, 'breaking'],
  ['another path parameter', documentOf({ '/birds/{ring}': item }), documentOf({ '/birds/{id}': item }), 'breaking'],
  ['equal forms', withSchemas(list, { ...object, type: ['object', 'null'] }), withReferences, 'changed'],
  ['another list item', withSchemas({ ...list, items: { type: 'integer' } }, object), withReferences, 'breaking'],
  ['an object that can be null', withReferences, withSchemas(list, object), 'breaking'],
  ['a new version', published, undefined, 'not yet published'],
  ['an end after a year and a day', endingOn('2027-05-03'), published, 'changed'],
  ['an end after a year', endingOn('2027-05-02'), published, 'breaking'],
  ['an end after half a year', endingOn('2026-11-01'), published, 'breaking'],
  ['an end that was never announced', endingOn('2026-06-01', '2025-05-01'), published, 'breaking'],
  ['a later end', endingOn('2026-07-01', '2025-05-01'), endingOn('2026-06-01', '2025-05-01'), 'changed'],
  ['a version that is missing', undefined, published, 'breaking'],
  [
    'an addition to a version past its end',
    documentOf({ '/birds': item, '/nests': nests }, pastEnd),
    documentOf({ '/birds': item }, pastEnd),
    'breaking',
  ],
  [
    'a text of a version past its end',
    documentOf({ '/birds': retold }, pastEnd),
    documentOf({ '/birds': item }, pastEnd),
    'changed',
  ],
  ['a version past its end', undefined, documentOf({}, { sunsetOn: '2026-05-01' }), 'removed'],
  ['a version on its last day', undefined, documentOf({}, { sunsetOn: '2026-05-02' }), 'breaking'],
])('detects %s', async (name, now, old, expected) => {
  const verdicts = await compareWithPublished(editionsOf(`sees ${name}`, now, old), today);
  expect(verdicts.map((verdict) => [verdict.document, verdict.outcome])).toEqual([['birds/v1/openapi.json', expected]]);
});

test('reports each breaking change with its place', async () => {
  const renamed = documentOf({ '/birds': { get: { ...item.get, operationId: 'all' } } });
  const verdicts = await compareWithPublished(editionsOf('says', renamed, published), today);
  expect(formatComparisons(verdicts)).toBe(
    [
      'birds/v1/openapi.json: breaking',
      "  operation-id-changed at paths//birds/get: `operationId` of operation `GET /birds` changed from 'list' to 'all'.",
    ].join('\n'),
  );
});

test('a release publishes an addition once CHANGES.md names it', async () => {
  const editions = editionsOf('addition', extended, published);
  await expect(releaseContract(editions, today)).rejects.toThrow(
    "spec/birds/CHANGES.md does not name '/nests', which birds/v1/openapi.json has at paths//nests",
  );
  expect(publishedIn(editions)).toBe(published);
  put('addition/spec/birds/CHANGES.md', '- Birds.\n- `/nests` lists nests.\n');
  await releaseContract(editions, today);
  expect(publishedIn(editions)).toBe(extended);
  expect((await compareWithPublished(editions, today)).map(({ outcome }) => outcome)).toEqual(['same']);
});

test('lists the additions that CHANGES.md does not name, whatever else it says', async () => {
  const colours = (values: readonly string[]): JsonObject => ({ type: 'string', enum: [...values] });
  const withMembers = (properties: JsonObject, more: JsonObject = {}): string => {
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    const { parameters = [], headers = {}, ...others } = more;
    const responses = { '200': { description: 'All.', headers, content }, ...others };
    return documentOf({ '/birds': { get: { operationId: 'list', parameters, responses } } });
  };
  const before = withMembers({ colour: colours(['red']) });
  const now = withMembers(
    { colour: colours(['red', 'blue']), age: { type: 'integer' }, ring: { type: 'string' } },
    {
      parameters: [{ name: 'Size', in: 'query', schema: { type: 'string' } }],
      headers: { 'X-Nests': { schema: { type: 'integer' } } },
      '409': { description: 'Gone.' },
    },
  );
  const editions = editionsOf('named', now, before);
  const listNames = async (text: string): Promise<readonly string[]> => {
    put('named/spec/birds/CHANGES.md', text);
    const comparisons = await compareWithPublished(editions, today);
    return listUndocumented(comparisons, editions).map((line) => /'(.*?)'/.exec(line)?.[1] ?? line);
  };
  expect((await listNames('## v1\n\n- Birds with `rings`.\n')).toSorted()).toEqual(
    ['409', 'Size', 'X-Nests', 'age', 'blue', 'ring'].toSorted(),
  );
  expect(await listNames('- `Size`, `X-Nests`, `age`, `blue`, `ring` and 409.\n')).toEqual([]);
  // A line that was published names another thing.
  put('named/published/birds/CHANGES.md', '- Every bird has its `age` at home.\n');
  expect(await listNames('- Every bird has its `age` at home.\n- `Size`, `X-Nests`, `blue`, `ring`, 409.\n')).toEqual([
    'age',
  ]);
});

test('a new version needs its heading in CHANGES.md', async () => {
  const editions = editionsOf('heading', published, undefined);
  put('heading/spec/birds/CHANGES.md', '# Birds\n');
  await expect(releaseContract(editions, today)).rejects.toThrow("spec/birds/CHANGES.md does not name '## v1'");
});

test('a release rejects a removal, names it, and leaves the published document unchanged', async () => {
  const editions = editionsOf('removal', withOwls, published);
  await expect(releaseContract(editions, today)).rejects.toThrow(/path-removed at paths\/.*birds/);
  expect(publishedIn(editions)).toBe(published);
});

test('a first release publishes a version', async () => {
  const editions = editionsOf('first', published, undefined);
  await releaseContract(editions, today);
  expect(publishedIn(editions)).toBe(published);
});
