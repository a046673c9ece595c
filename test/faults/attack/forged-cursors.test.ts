/*
 * Cursors that were changed, or that were issued by another list, version or store or for other filters. FORGERIES is the number of
 * random changes of each list; changes of every bit are tested in test/http/handler/cursor.test.ts.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { toJsonObject } from '#lib/openapi-document.ts';
import { withParameter } from '#test/contract/responses/envelope.ts';
import { serveKnownData, type KnownService } from '#test/contract/services/known-service.ts';
import { isList, servedOperations } from '#test/contract/services/served-documents.ts';
import { listParameters, listUnknownValues, replaceParameter } from './target-operation.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';

const forgeries = Number(process.env['FORGERIES'] ?? 10);

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));
type List = (typeof lists)[number];
/** The first page of a list, and the name and value of the cursor to the second. */
type FirstPage = { readonly list: List; readonly path: string; readonly name: string; readonly cursor: string };

const world = await serveKnownData();
afterAll(world.drop);

const get = { method: 'GET', headers: { 'subscription-key': TEST_KEY } };

const fetchFirstPage = async (list: List, service: KnownService): Promise<FirstPage> => {
  const [, served, operation] = list;
  const path = withParameter(await service.wholeList(served, operation), 'Limit', 1);
  const { paging } = toJsonObject(await (await service.on(served)(path, get)).json());
  const [name = '', cursor = ''] = [...new URL(String(toJsonObject(paging)['next'])).searchParams].at(-1) ?? [];
  return { list, path, name, cursor };
};

const firstPages = await Promise.all(lists.map((list) => fetchFirstPage(list, world)));
/** The same in another store, which has its own secret. */
const otherStore = await serveKnownData();
const otherFirstPages = await Promise.all(lists.map((list) => fetchFirstPage(list, otherStore)));
await otherStore.drop();

const fetchOutcome = async ([, served]: List, path: string): Promise<string> => {
  const response = await world.on(served)(path, get);
  return `${response.status} ${String(toJsonObject(await response.json())['type'])}`;
};

/** Returns random changes of the bits of a cursor, and malformed ones. */
const forge = (cursor: string): readonly string[] => {
  const bytes = Buffer.from(cursor, 'base64url');
  const flipBits = (bits: readonly number[]): string => {
    const copy = Buffer.from(bytes);
    for (const bit of bits) copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy.toString('base64url');
  };
  const bits = fc.uniqueArray(fc.nat(bytes.length * 8 - 1), { minLength: 1, maxLength: 8 });
  const malformed = ['=', cursor.slice(1), cursor.slice(0, -1), cursor.toLowerCase()];
  const suffixed = ['A', '=', '.'].map((suffix) => cursor + suffix);
  return [...malformed, ...suffixed, ...fc.sample(bits, { numRuns: forgeries, seed: 20_260_601 }).map(flipBits)];
};

/** Lists the paths of a list with other filters that are valid by themselves. */
const listFilteredPaths = async ({ list, path }: FirstPage): Promise<readonly string[]> => {
  const [, served, operation] = list;
  const paths = listParameters(served, operation)
    .filter((one) => one.in === 'query')
    .flatMap((parameter) => {
      const [value] = listUnknownValues(parameter);
      return value === undefined ? [] : [replaceParameter(path, parameter.name, encodeURIComponent(value))];
    });
  const outcomes = await Promise.all(paths.map((one) => fetchOutcome(list, one)));
  return paths.filter((_, index) => outcomes[index]?.startsWith('200'));
};

test.each(lists)('31: %s rejects every cursor but its own', async (...list) => {
  const isOwn = (one: FirstPage): boolean => one.list[0] === list[0];
  const own = firstPages.find(isOwn);
  if (!own) throw new Error('the list has no first page');
  const { path, name, cursor } = own;
  const withCursor = (text: string, at = path): string => withParameter(at, name, encodeURIComponent(text));
  expect(await fetchOutcome(list, withCursor(cursor))).toBe('200 undefined');
  const others = [...firstPages.filter((one) => !isOwn(one)), ...otherFirstPages].map((one) => one.cursor);
  const filtered = (await listFilteredPaths(own)).map((one) => withCursor(cursor, one));
  const forged = [...forge(cursor), ...others].map((one) => withCursor(one)).concat(filtered);
  const accepted: string[] = [];
  for (const one of forged)
    if ((await fetchOutcome(list, one)) !== '400 /docs/errors#cursor-invalid') accepted.push(one);
  reportFault(31, { forged: forged.length, 'other filters': filtered.length, accepted: accepted.length }, list[0]);
  expect(accepted).toEqual([]);
});
