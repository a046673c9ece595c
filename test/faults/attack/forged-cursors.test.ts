/*
 * Forged cursors: single bits of each flipped, and FORGERIES random changes; all bits with 1,000 forgeries or more. Cursors of other
 * lists, filters, versions and stores.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { withParameter } from '../../contract/responses/envelope.ts';
import { serveKnownData, type KnownService } from '../../contract/services/known-service.ts';
import { isList, servedOperations } from '../../contract/services/served-documents.ts';
import { listParameters, listUnknownValues, replaceParameter } from './target-operation.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';

const forgeries = Number(process.env['FORGERIES'] ?? 20);
/** Nine: one bit of every byte, each time another. */
const bitStep = forgeries >= 1000 ? 1 : 9;

let world: KnownService;
/** The same world in another store, which has its own secret. */
let otherStore: KnownService;
beforeAll(async () => {
  [world, otherStore] = [await serveKnownData(), await serveKnownData()];
});
afterAll(async () => {
  await world.drop();
  await otherStore.drop();
});

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));
const get = { method: 'GET', headers: { 'subscription-key': TEST_KEY } };

type List = (typeof lists)[number];

/** Fetches the first page of a list; returns the name and value of the cursor to the second page. */
const fetchFirstPage = async ([, served, operation]: List, service = world) => {
  const path = withParameter(await service.wholeList(served, operation), 'Limit', 1);
  const { paging } = toJsonObject(await (await service.on(served)(path, get)).json());
  const next = new URL(String(toJsonObject(paging)['next'])).searchParams;
  const [name = '', cursor = ''] = [...next].at(-1) ?? [];
  return { path, name, cursor };
};

/** Fetches a page; returns its status and problem type. */
const fetchOutcome = async ([, served]: List, path: string, service = world): Promise<string> => {
  const response = await service.on(served)(path, get);
  return `${response.status} ${String(toJsonObject(await response.json())['type'])}`;
};

const REJECTED = '400 /docs/errors#cursor-invalid';

const flipBit = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};

test.each(lists)('%s rejects a cursor with a changed bit', async (...list) => {
  const { path, name, cursor } = await fetchFirstPage(list);
  const bytes = Buffer.from(cursor, 'base64url');
  const withCursor = (forged: Buffer): string => withParameter(path, name, forged.toString('base64url'));
  expect(await fetchOutcome(list, withCursor(bytes))).toBe('200 undefined');
  const accepted: string[] = [];
  const changes = fc.array(fc.nat(bytes.length * 8 - 1), { minLength: 2, maxLength: 8 });
  const suffixed = ['A', '=', '.'].map((suffix) => `${cursor}${suffix}`);
  const forgedPaths = [
    ...Array.from({ length: Math.ceil((bytes.length * 8) / bitStep) }, (_, n) => flipBit(bytes, n * bitStep)),
    ...fc
      .sample(changes, { numRuns: forgeries, seed: 20_260_601 })
      .map((bits) => bits.reduce(flipBit, bytes))
      .filter((forged) => !forged.equals(bytes)),
  ].map(withCursor);
  for (const malformed of ['=', cursor.slice(1), cursor.slice(0, -1), ...suffixed, cursor.toLowerCase()])
    forgedPaths.push(withParameter(path, name, encodeURIComponent(malformed)));
  for (const forgedPath of forgedPaths)
    if ((await fetchOutcome(list, forgedPath)) !== REJECTED) accepted.push(forgedPath);
  const figure = { forgeries: forgedPaths.length, accepted: accepted.length };
  reportFault(31, figure, list[0]);
  expect(accepted).toEqual([]);
});

test('every list rejects the cursor of another list, another version, or other filters', async () => {
  const firsts = await Promise.all(lists.map(async (list) => ({ list, ...(await fetchFirstPage(list)) })));
  const accepted: string[] = [];
  for (const { list, path, name } of firsts)
    for (const other of firsts)
      if (other.list !== list && (await fetchOutcome(list, withParameter(path, name, other.cursor))) !== REJECTED)
        accepted.push(`${list[0]} accepts a cursor of ${other.list[0]}`);
  const filtered = new Map<List, number>(lists.map((list) => [list, 0]));
  for (const { list, path, name, cursor } of firsts)
    for (const parameter of listParameters(list[1], list[2]).filter((one) => one.in === 'query')) {
      const [value] = listUnknownValues(parameter);
      if (value === undefined) continue;
      const path2 = replaceParameter(path, parameter.name, encodeURIComponent(value));
      // A filter that is rejected by itself proves nothing about cursors.
      if (!(await fetchOutcome(list, path2)).startsWith('200')) continue;
      filtered.set(list, (filtered.get(list) ?? 0) + 1);
      const outcome = await fetchOutcome(list, withParameter(path2, name, cursor));
      if (outcome !== REJECTED) accepted.push(`${list[0]} accepts its cursor with ${parameter.name}: ${outcome}`);
    }
  const figure = {
    pairs: firsts.length * (firsts.length - 1),
    'other filters': [...filtered.values()].reduce((sum, count) => sum + count, 0),
    'lists without filters': [...filtered.values()].filter((count) => count === 0).length,
    accepted: accepted.length,
  };
  reportFault(31, figure, 'of other lists, versions and filters');
  expect([firsts.length > 5, accepted]).toEqual([true, []]);
});

test('every list rejects the cursor of the same list in another store', async () => {
  const accepted: string[] = [];
  let ownAccepted = 0;
  for (const list of lists) {
    const [{ cursor }, target] = [await fetchFirstPage(list), await fetchFirstPage(list, otherStore)];
    const outcome = await fetchOutcome(list, withParameter(target.path, target.name, cursor), otherStore);
    if (outcome !== REJECTED) accepted.push(`${list[0]}: ${outcome}`);
    const ownOutcome = await fetchOutcome(list, withParameter(target.path, target.name, target.cursor), otherStore);
    ownAccepted += Number(ownOutcome === '200 undefined');
  }
  const figure = { lists: lists.length, accepted: accepted.length, 'own cursors accepted': ownAccepted };
  reportFault(31, figure, 'of other stores');
  expect([accepted, ownAccepted]).toEqual([[], lists.length]);
});
