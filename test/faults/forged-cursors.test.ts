/*
 * Cursors that were tampered with: every bit of each turned over, and as many more changes by chance as FORGERIES asks for. Cursors of
 * other lists, other filters, other versions and other stores.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeOf } from '../../src/domain/openapi-document.ts';
import { withParameter } from '../contract/envelope.ts';
import { serveKnownWorld, type KnownWorld } from '../contract/known-world.ts';
import { isList, servedOperations } from '../contract/served-documents.ts';
import { TEST_KEY } from '../support/tiny-world.ts';

const forgeries = Number(process.env['FORGERIES'] ?? 100);

let world: KnownWorld;
beforeAll(async () => {
  world = await serveKnownWorld();
});
afterAll(() => world.drop());

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));
const get = { method: 'GET', headers: { 'subscription-key': TEST_KEY } };

type List = (typeof lists)[number];

/** The first page of two or more, and the name and value of the cursor that leads to the second. */
const firstOf = async ([, served, operation]: List) => {
  const path = withParameter(await world.wholeList(served, operation), 'Limit', 1);
  const { paging } = nodeOf(await (await world.on(served)(path, get)).json());
  const next = new URL(String(nodeOf(paging)['next'])).searchParams;
  const [name = '', cursor = ''] = [...next].at(-1) ?? [];
  return { path, name, cursor };
};

/** What becomes of a list that is asked for with a cursor. */
const fateOf = async ([, served]: List, path: string): Promise<string> => {
  const response = await world.on(served)(path, get);
  return `${response.status} ${String(nodeOf(await response.json())['type'])}`;
};

const REFUSED = '400 /docs/errors#cursor-invalid';

const flipped = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};

test.each(lists)('%s opens no cursor of which a bit was changed', async (...list) => {
  const { path, name, cursor } = await firstOf(list);
  const bytes = Buffer.from(cursor, 'base64url');
  const with_ = (forged: Buffer): string => withParameter(path, name, forged.toString('base64url'));
  expect(await fateOf(list, with_(bytes))).toBe('200 undefined');
  const accepted: string[] = [];
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const asked = with_(flipped(bytes, bit));
    if ((await fateOf(list, asked)) !== REFUSED) accepted.push(asked);
  }
  const changes = fc.array(fc.nat(bytes.length * 8 - 1), { minLength: 2, maxLength: 8 });
  for (const bits of fc.sample(changes, { numRuns: forgeries, seed: 20_260_601 })) {
    const forged = bits.reduce(flipped, bytes);
    if (!forged.equals(bytes) && (await fateOf(list, with_(forged))) !== REFUSED) accepted.push(with_(forged));
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
    if ((await fateOf(list, asked)) !== REFUSED) accepted.push(asked);
  }
  console.log(`${list[0]}: ${bytes.length * 8 + forgeries + 7} forgeries, ${accepted.length} accepted`);
  expect(accepted).toEqual([]);
});

test('no list opens the cursor of another list, of another version, or of itself with other filters', async () => {
  const firsts = await Promise.all(lists.map(async (list) => ({ list, ...(await firstOf(list)) })));
  const accepted: string[] = [];
  for (const { list, path, name } of firsts)
    for (const other of firsts)
      if (other.list !== list && (await fateOf(list, withParameter(path, name, other.cursor))) !== REFUSED)
        accepted.push(`${list[0]} opens a cursor of ${other.list[0]}`);
  for (const { list, path, name, cursor } of firsts) {
    const [, , { parameters }] = list;
    const names = parameters.map((one) => String(nodeOf(one)['name']));
    const filter = ['CarrierCode', 'Carrier', 'IATA', 'DepartureAirport', 'CountryCode'].find((one) =>
      names.includes(one),
    );
    if (filter === undefined) continue;
    const fate = await fateOf(list, withParameter(withParameter(path, filter, 'ZZ'), name, cursor));
    if (!fate.startsWith('400')) accepted.push(`${list[0]} opens its cursor with ${filter}: ${fate}`);
  }
  expect([firsts.length > 5, accepted]).toEqual([true, []]);
});
