import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBreakingChanges } from '../../src/contract/breaking-changes.ts';
import { formatComparisons, compareWithPublished } from '../../src/contract/compare-published.ts';
import { diffDocuments, type DocumentChange } from '../../src/contract/diff-documents.ts';
import { releaseContract } from '../../src/contract/release-contract.ts';
import { localDate } from '../../src/domain/time/dates.ts';
import { escapePointer, type JsonObject } from '../../src/lib/openapi-document.ts';
import { toPlantedPath, plantedChanges, plantedDocuments } from './planted/breaking-changes.ts';

const work = mkdtempSync(join(tmpdir(), 'change-gate-'));
afterAll(() => rmSync(work, { recursive: true }));

const put = (path: string, content: string): string => {
  const file = join(work, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};

const header = (name: string, required: boolean): JsonObject => ({
  name,
  in: 'header',
  required,
  schema: { type: 'string' },
});
const id = header('webhook-id', true);
const time = header('webhook-timestamp', true);
const taken = { '204': { description: 'Taken.' } };
const takenUp = { '202': { description: 'Taken up.' } };

const hook = (
  properties: JsonObject,
  required: readonly string[],
  parameters: readonly JsonObject[] = [],
): JsonObject => ({
  post: {
    parameters,
    requestBody: { content: { 'application/json': { schema: { type: 'object', required, properties } } } },
    responses: taken,
  },
});

const text = { type: 'string' };
const kind = (...values: readonly string[]): JsonObject => ({ type: 'string', enum: values });

type Hook = JsonObject | undefined;

/** Webhooks before and after a change, and the rules that it violates. */
const hooks: readonly (readonly [name: string, before: Hook, after: Hook, rules: readonly string[]])[] = [
  ['valueAdded', hook({ kind: kind('a') }, []), hook({ kind: kind('a', 'b') }, []), []],
  ['propertyAdded', hook({ id: text }, ['id']), hook({ id: text, more: text }, ['id', 'more']), []],
  ['propertyRemoved', hook({ id: text, note: text }, ['id']), hook({ id: text }, ['id']), ['property-removed']],
  ['maybeAbsent', hook({ id: text }, ['id']), hook({ id: text }, []), ['required-properties-removed']],
  ['gone', hook({ name: { type: 'number' } }, []), undefined, ['path-removed']],
  ['headerAdded', hook({}, [], [id]), hook({}, [], [id, time]), []],
  ['headerRemoved', hook({}, [], [id, time]), hook({}, [], [id]), ['event-header-removed']],
  [
    'headerRenamed',
    hook({}, [], [id, time]),
    hook({}, [], [id, header('webhook-time', true)]),
    ['event-header-removed'],
  ],
  ['headerMaybeAbsent', hook({}, [], [id]), hook({}, [], [header('webhook-id', false)]), ['header-no-longer-sure']],
  ['answerAdded', { post: { responses: taken } }, { post: { responses: { ...taken, ...takenUp } } }, []],
];

const otherLocations: readonly (readonly [string, readonly string[]])[] = [
  ...hooks.map(([name, , , rules]) => [`#/webhooks/${name}`, rules] as const),
  ['#/x-lifecycle', ['alias-removed', 'sunset-earlier']],
];

const webhooksOf = (which: 1 | 2): JsonObject =>
  Object.fromEntries(hooks.flatMap((row) => (row[which] === undefined ? [] : [[row[0], row[which]]])));

const lifecycle = { releasedOn: '2024-04-15', sunsetOn: '2027-04-15', aliases: ['1.0'] };
const before = { 'x-lifecycle': lifecycle, webhooks: webhooksOf(1) };
const after = { 'x-lifecycle': { ...lifecycle, sunsetOn: '2027-04-14', aliases: ['1'] }, webhooks: webhooksOf(2) };

describe('planted changes', () => {
  let changes: readonly DocumentChange[] = [];
  beforeAll(async () => {
    const [old, fresh] = plantedDocuments({ before, after });
    changes = await diffDocuments(put('planted/old.json', old), put('planted/fresh.json', fresh));
  });

  const isWithin = (pointer: string) => (change: DocumentChange) =>
    change.path === pointer || change.path.startsWith(`${pointer}/`);
  const rulesAt = (pointer: string): readonly string[] => [
    ...new Set(findBreakingChanges(changes.filter(isWithin(pointer))).map(({ rule }) => rule)),
  ];

  test.each(plantedChanges)('%s: %s', (...planted) => {
    const pointer = `#/paths/${escapePointer(toPlantedPath(planted))}`;
    expect(changes.filter(isWithin(pointer)).length).toBeGreaterThan(0);
    expect(rulesAt(pointer)).toEqual(planted[1] === undefined ? [] : [planted[1]]);
  });

  test.each(otherLocations)('at %s: %j', (pointer, rules) => {
    expect(changes.filter(isWithin(pointer)).length).toBeGreaterThan(0);
    expect(rulesAt(pointer)).toEqual(rules);
  });
});

describe('channels', () => {
  type MessageOptions = { readonly properties: JsonObject; readonly headers?: JsonObject; readonly operation?: string };
  const channels = (name: string, { properties, headers, operation = 'receiveEvents' }: MessageOptions): string =>
    put(
      `channels/${name}`,
      JSON.stringify({
        asyncapi: '3.0.0',
        info: { title: 'Birds', version: 'v1' },
        channels: {
          events: {
            address: 'events',
            messages: { sighting: { headers, payload: { type: 'object', properties, required: ['id'] } } },
          },
        },
        operations: { [operation]: { action: 'receive', channel: { $ref: '#/channels/events' } } },
      }),
    );
  const rulesOf = async (...files: readonly [string, string]): Promise<readonly string[]> =>
    findBreakingChanges(await diffDocuments(...files)).map(({ rule }) => rule);

  test('may add properties', async () => {
    const [old, fresh] = [
      channels('a', { properties: { id: text } }),
      channels('b', { properties: { id: text, note: text } }),
    ];
    expect(await rulesOf(old, fresh)).toEqual([]);
  });

  test('may not remove properties or rename operations', async () => {
    const headers = { type: 'object', properties: { Position: text } };
    const old = channels('c', { properties: { id: text, note: text }, headers });
    const fresh = channels('d', { properties: { id: text }, operation: 'takeEvents' });
    expect(await rulesOf(old, fresh)).toEqual(['schema-removed', 'property-removed', 'operation-renamed']);
  });
});

describe('the gate', () => {
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
  const extended = documentOf({ '/birds': item, '/nests': nests });
  const endingOn = (sunsetOn: string, deprecatedOn = '2026-05-02'): string =>
    documentOf({ '/birds': item }, { deprecatedOn, sunsetOn });
  const withOwls = documentOf({
    '/owls': { put: { operationId: 'put', responses: { '204': { description: 'Done.' } } } },
  });

  /** Creates three folders with one document in each; `undefined` leaves it out. */
  const editionsOf = (name: string, now: string | undefined, before: string | undefined) => {
    const at = (folder: string): string => join(work, name, folder);
    if (now !== undefined) put(`${name}/fresh/birds/v1/openapi.yaml`, now);
    if (before !== undefined) {
      put(`${name}/published/birds/v1/openapi.yaml`, before);
      put(`${name}/published/birds/CHANGES.md`, '- Birds.\n');
    }
    put(`${name}/spec/birds/CHANGES.md`, '- Birds.\n');
    return { fresh: at('fresh'), published: at('published'), spec: at('spec') };
  };

  const publishedIn = ({ published }: { readonly published: string }): string =>
    readFileSync(join(published, 'birds/v1/openapi.yaml'), 'utf8');

  test.each([
    ['the same', published, published, 'same'],
    ['an addition', extended, published, 'changed'],
    ['a removal', withOwls, published, 'breaking'],
    [
      'a path parameter of another name',
      documentOf({ '/birds/{ring}': item }),
      documentOf({ '/birds/{id}': item }),
      'breaking',
    ],
    ['a new version', published, undefined, 'not yet published'],
    ['an end after a year', endingOn('2027-05-01'), published, 'changed'],
    ['an end after half a year', endingOn('2026-11-01'), published, 'breaking'],
    ['an end that was never announced', endingOn('2026-06-01', '2025-05-01'), published, 'breaking'],
    [
      'an end that moves to a later day',
      endingOn('2026-07-01', '2025-05-01'),
      endingOn('2026-06-01', '2025-05-01'),
      'changed',
    ],
    ['a version that is missing', undefined, published, 'breaking'],
    ['a version past its end', undefined, documentOf({}, { sunsetOn: '2026-05-01' }), 'removed'],
    ['a version on its last day', undefined, documentOf({}, { sunsetOn: '2026-05-02' }), 'breaking'],
  ])('detects %s', async (name, now, old, expected) => {
    const verdicts = await compareWithPublished(editionsOf(`sees ${name}`, now, old), today);
    expect(verdicts.map((verdict) => [verdict.document, verdict.outcome])).toEqual([
      ['birds/v1/openapi.yaml', expected],
    ]);
  });

  test('reports what breaks and where', async () => {
    const verdicts = await compareWithPublished(
      editionsOf('says', documentOf({ '/birds': { get: { ...item.get, operationId: 'all' } } }), published),
      today,
    );
    expect(formatComparisons(verdicts)).toBe(
      [
        'birds/v1/openapi.yaml: breaking',
        "  operation-id-changed at paths//birds/get: `operationId` of operation `GET /birds` changed from 'list' to 'all'.",
      ].join('\n'),
    );
  });

  test('a release publishes an addition once CHANGES.md mentions it', async () => {
    const editions = editionsOf('addition', extended, published);
    await expect(releaseContract(editions, today)).rejects.toThrow(
      'what was added to these documents: birds/v1/openapi.yaml',
    );
    expect(publishedIn(editions)).toBe(published);
    put('addition/spec/birds/CHANGES.md', '- Birds.\n- Nests.\n');
    await releaseContract(editions, today);
    expect(publishedIn(editions)).toBe(extended);
    expect((await compareWithPublished(editions, today)).map(({ outcome }) => outcome)).toEqual(['same']);
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
});
