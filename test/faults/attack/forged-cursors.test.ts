/*
 * Cursors that were tampered with: every bit of each turned over, and as many more changes by chance as FORGERIES asks for. Cursors of
 * other lists, other filters, other versions and other stores.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { withParameter } from '../../contract/responses/envelope.ts';
import { serveKnownData, type KnownService } from '../../contract/services/known-service.ts';
import { isList, servedOperations } from '../../contract/services/served-documents.ts';
import { listParameters, listUnknownValues, replaceParameter } from './baseline-requests.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';

const forgeries = Number(process.env['FORGERIES'] ?? 100);

let world: KnownService;
/** The same in other stores, each of which has a secret of its own. */
let elsewhere: KnownService;
beforeAll(async () => {
  [world, elsewhere] = [await serveKnownData(), await serveKnownData()];
});
afterAll(async () => {
  await world.drop();
  await elsewhere.drop();
});

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));
const get = { method: 'GET', headers: { 'subscription-key': TEST_KEY } };

type List = (typeof lists)[number];

/** The first page of two or more, and the name and value of the cursor that leads to the second. */
const fetchFirstPage = async ([, served, operation]: List, where = world) => {
  const path = withParameter(await where.wholeList(served, operation), 'Limit', 1);
  const { paging } = toJsonObject(await (await where.on(served)(path, get)).json());
  const next = new URL(String(toJsonObject(paging)['next'])).searchParams;
  const [name = '', cursor = ''] = [...next].at(-1) ?? [];
  return { path, name, cursor };
};

/** What becomes of a list that is asked for with a cursor. */
const fetchOutcome = async ([, served]: List, path: string, where = world): Promise<string> => {
  const response = await where.on(served)(path, get);
  return `${response.status} ${String(toJsonObject(await response.json())['type'])}`;
};

const REJECTED = '400 /docs/errors#cursor-invalid';

const flipBit = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};

test.each(lists)('%s opens no cursor of which a bit was changed', async (...list) => {
  const { path, name, cursor } = await fetchFirstPage(list);
  const bytes = Buffer.from(cursor, 'base64url');
  const with_ = (forged: Buffer): string => withParameter(path, name, forged.toString('base64url'));
  expect(await fetchOutcome(list, with_(bytes))).toBe('200 undefined');
  const accepted: string[] = [];
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const asked = with_(flipBit(bytes, bit));
    if ((await fetchOutcome(list, asked)) !== REJECTED) accepted.push(asked);
  }
  const changes = fc.array(fc.nat(bytes.length * 8 - 1), { minLength: 2, maxLength: 8 });
  for (const bits of fc.sample(changes, { numRuns: forgeries, seed: 20_260_601 })) {
    const forged = bits.reduce(flipBit, bytes);
    if (!forged.equals(bytes) && (await fetchOutcome(list, with_(forged))) !== REJECTED) accepted.push(with_(forged));
  }
  for (const odd of [
    '=',
    cursor.slice(1),
    cursor.slice(0, -1),
    `${cursor}A`,
    `${cursor}=`,
    `${cursor}.`,
    cursor.toLowerCase(),
  ]) {
    const asked = withParameter(path, name, encodeURIComponent(odd));
    if ((await fetchOutcome(list, asked)) !== REJECTED) accepted.push(asked);
  }
  const figure = { forgeries: bytes.length * 8 + forgeries + 7, accepted: accepted.length };
  reportFault({ fault: 31, part: list[0], figure, bound: 'accepted 0' });
  expect(accepted).toEqual([]);
});

test('no list opens the cursor of another list, of another version, or of itself with other filters', async () => {
  const firsts = await Promise.all(lists.map(async (list) => ({ list, ...(await fetchFirstPage(list)) })));
  const accepted: string[] = [];
  for (const { list, path, name } of firsts)
    for (const other of firsts)
      if (other.list !== list && (await fetchOutcome(list, withParameter(path, name, other.cursor))) !== REJECTED)
        accepted.push(`${list[0]} opens a cursor of ${other.list[0]}`);
  const filtered = new Map<List, number>(lists.map((list) => [list, 0]));
  for (const { list, path, name, cursor } of firsts)
    for (const parameter of listParameters(list[1], list[2]).filter((one) => one.in === 'query')) {
      const [value] = listUnknownValues(parameter);
      if (value === undefined) continue;
      const asked = replaceParameter(path, parameter.name, encodeURIComponent(value));
      // A filter that is refused for itself says nothing of cursors.
      if (!(await fetchOutcome(list, asked)).startsWith('200')) continue;
      filtered.set(list, (filtered.get(list) ?? 0) + 1);
      const fate = await fetchOutcome(list, withParameter(asked, name, cursor));
      if (fate !== REJECTED) accepted.push(`${list[0]} opens its cursor with ${parameter.name}: ${fate}`);
    }
  const figure = {
    pairs: firsts.length * (firsts.length - 1),
    'other filters': [...filtered.values()].reduce((sum, count) => sum + count, 0),
    'lists that have none': [...filtered.values()].filter((count) => count === 0).length,
    accepted: accepted.length,
  };
  reportFault({ fault: 31, part: 'of other lists, versions and filters', figure, bound: 'accepted 0' });
  expect([firsts.length > 5, accepted]).toEqual([true, []]);
});

test('no list opens the cursor that the same list of another store gave out', async () => {
  const accepted: string[] = [];
  let own = 0;
  for (const list of lists) {
    const [{ cursor }, there] = [await fetchFirstPage(list), await fetchFirstPage(list, elsewhere)];
    const fate = await fetchOutcome(list, withParameter(there.path, there.name, cursor), elsewhere);
    if (fate !== REJECTED) accepted.push(`${list[0]}: ${fate}`);
    const itsOwn = await fetchOutcome(list, withParameter(there.path, there.name, there.cursor), elsewhere);
    own += Number(itsOwn === '200 undefined');
  }
  const figure = { lists: lists.length, accepted: accepted.length, 'own cursors opened': own };
  reportFault({ fault: 31, part: 'of other stores', figure, bound: 'accepted 0, all own cursors opened' });
  expect([accepted, own]).toEqual([[], lists.length]);
});
