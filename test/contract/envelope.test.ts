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

const createPageRequest = (served: ServedDocument): RequestPage => {
  const send = world.on(served);
  return async (path) => {
    const response = await send(path, { method: 'GET', headers: { 'subscription-key': TEST_KEY } });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
};

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));

describe.each(lists)('%s', (_, served, operation) => {
  test('returns each record once and in a stable order, with any page size, and ends', async () => {
    const path = await world.wholeList(served, operation);
    const options = { path, limits: [1, 7, 100], whole: 1000, hasPrevious: hasPreviousPages(served, operation) };
    expect(await checkList(createPageRequest(served), options)).toEqual([]);
    const { data } = toPage(await createPageRequest(served)(withParameter(path, 'Limit', 1000)));
    expect(data.length).toBeGreaterThan(2);
  });
});

test('every product has a paginated list', () => {
  const products = new Set(servedOperations.map(([, { name }]) => name.split('/')[0]));
  expect(new Set(lists.map(([, { name }]) => name.split('/')[0]))).toEqual(products);
});
