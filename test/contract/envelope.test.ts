import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_KEY } from '../support/tiny-world.ts';
import { listProblems, pageOf, withParameter, type AskPage } from './envelope.ts';
import { serveKnownWorld, type KnownWorld } from './known-world.ts';
import { isList, leadsBack, servedOperations, type ServedDocument } from './served-documents.ts';

let world: KnownWorld;
beforeAll(async () => {
  world = await serveKnownWorld();
});
afterAll(() => world.drop());

const asker = (served: ServedDocument): AskPage => {
  const ask = world.on(served);
  return async (path) => {
    const response = await ask(path, { method: 'GET', headers: { 'subscription-key': TEST_KEY } });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
};

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));

describe.each(lists)('%s', (_, served, operation) => {
  test('gives each record once and in one order, in pages of any size, and ends', async () => {
    const path = await world.wholeList(served, operation);
    const question = { path, limits: [1, 7, 100], whole: 1000, hasPrevious: leadsBack(served, operation) };
    expect(await listProblems(asker(served), question)).toEqual([]);
    const { data } = pageOf(await asker(served)(withParameter(path, 'Limit', 1000)));
    expect(data.length).toBeGreaterThan(2);
  });
});

test('every product has a list in pages', () => {
  const products = new Set(servedOperations.map(([, { name }]) => name.split('/')[0]));
  expect(new Set(lists.map(([, { name }]) => name.split('/')[0]))).toEqual(products);
});
