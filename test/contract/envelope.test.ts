import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_KEY } from '../support/tiny-world.ts';
import { checkList, toPage, withParameter, type RequestPage } from './responses/envelope.ts';
import { serveKnownData, type KnownService } from './services/known-service.ts';
import { isList, hasPreviousPages, servedOperations, type ServedDocument } from './services/served-documents.ts';

let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(() => world.drop());

const asker = (served: ServedDocument): RequestPage => {
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
    const question = { path, limits: [1, 7, 100], whole: 1000, hasPrevious: hasPreviousPages(served, operation) };
    expect(await checkList(asker(served), question)).toEqual([]);
    const { data } = toPage(await asker(served)(withParameter(path, 'Limit', 1000)));
    expect(data.length).toBeGreaterThan(2);
  });
});

test('every product has a list in pages', () => {
  const products = new Set(servedOperations.map(([, { name }]) => name.split('/')[0]));
  expect(new Set(lists.map(([, { name }]) => name.split('/')[0]))).toEqual(products);
});
