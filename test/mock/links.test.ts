import { expect, test } from 'vitest';
import { isJsonObject } from '#lib/openapi-document.ts';
import { listExamples, isSuccess } from '#mock/examples.ts';
import { toPage, toRequestPath, walkPages, checkWalk } from '../contract/responses/envelope.ts';
import { isList, servedDocuments, servedOperations } from '../contract/services/served-documents.ts';
import { toExampleCall } from './example-calls.ts';
import { serveMock } from './serve-mock.ts';

const BASE = 'https://mock.test';
const FLIGHT_MAP = `${BASE}/flight-map/`;

const { send, get } = serveMock(BASE);

const follow = ({ day }: { readonly day: string }, path: string) => get(path, { Prefer: `today=${day}` });

/** Every address of the service in a value. A map is drawn of flights that are in the air; the mock has none. */
const addressesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(addressesIn);
  return typeof value === 'string' && value.startsWith(`${BASE}/`) && !value.startsWith(FLIGHT_MAP) ? [value] : [];
};

const linksIn = ({ headers }: Response): readonly string[] => {
  const links = [...(headers.get('link') ?? '').matchAll(/<(.+?)>/g)].map(([, link = '']) => link);
  const location = headers.get('location');
  return [...links, ...(location === null ? [] : [location])].map((link) => new URL(link, BASE).href);
};

/** Returns each success example with the response to its request. */
const fetchExamples = async ([, served, operation]: (typeof servedOperations)[number]) => {
  const examples = listExamples(served.contract.document, operation).filter(
    (one) => isSuccess(one) && one.mediaType === 'application/json',
  );
  return Promise.all(
    examples.map(async (example) => {
      const { path, init } = toExampleCall(served, operation, { example });
      const response = await send(path, init);
      return { example, path, response, body: await response.json() };
    }),
  );
};

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));
const withLists = servedDocuments.filter((served) => lists.some(([, document]) => document === served));

test.each(withLists)('every link in a response of $name works', async (served) => {
  const addresses = new Set<string>();
  for (const one of servedOperations.filter(([, document]) => document === served))
    for (const { response, body } of await fetchExamples(one))
      for (const link of [...addressesIn(body), ...linksIn(response)]) addresses.add(link);
  expect(addresses.size).toBeGreaterThan(0);
  for (const address of addresses) {
    // The entry of a version: Flight Info and Connections need a query.
    const needsQuery = /\/flight-(?:instances|connections)\?version=v\d+$/.test(address);
    const { status } = await follow(served, toRequestPath(address));
    expect([address, status]).toEqual([address, needsQuery ? 400 : 200]);
  }
});

test.each(lists)('pages of %s lead from first to last and back, with each record once', async (...one) => {
  const fetchPage = async (target: string): Promise<unknown> => (await follow(one[1], target)).json();
  const examples = await fetchExamples(one);
  const firstPages = examples.filter(({ example }) => !/[?&](after|cursor)=/i.test(example.request ?? ''));
  expect(firstPages.length).toBeGreaterThan(0);
  for (const { body, path } of firstPages) {
    const limit = Number(toPage(body).paging['limit']);
    const pages = await walkPages(fetchPage, path, { link: 'next', most: 20 });
    expect([path, checkWalk({ limit, pages })]).toEqual([path, []]);
    const backLink = pages.at(-1)?.paging['previous'];
    if (backLink === undefined) continue;
    const back = await walkPages(fetchPage, toRequestPath(backLink), { link: 'previous', most: 20 });
    expect(back.map(({ data }) => data).toReversed()).toEqual(pages.slice(0, -1).map(({ data }) => data));
  }
});

test('lists of every product lead from page to page', async () => {
  const products = new Set<string>();
  for (const one of lists)
    if ((await fetchExamples(one)).some(({ body }) => 'next' in toPage(body).paging)) products.add(one[1].name);
  // The lists of alerts that have pages are empty in the examples.
  expect([...products]).toEqual(withLists.map(({ name }) => name).filter((name) => !name.includes('alerts')));
});

test('a created object has a Location', async () => {
  const created = servedOperations.filter(([, , { operation }]) => '201' in Object(operation['responses']));
  const locations = [];
  for (const one of created)
    for (const { response } of await fetchExamples(one)) locations.push(response.headers.get('location'));
  expect(locations.length).toBeGreaterThan(2);
  for (const location of locations) expect(location).toMatch(/^https:\/\/mock\.test\/.+\/[0-9a-f-]{36}\?version=v1$/);
});
