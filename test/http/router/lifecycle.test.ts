import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalog as published } from '../../../generated/catalog.ts';
import { addDays, formatDate, localDate } from '../../../src/domain/time/dates.ts';
import { createKeyChecker } from '../../../src/http/auth/api-keys.ts';
import { jsonResponse } from '../../../src/http/response/http-response.ts';
import { createRouter } from '../../../src/http/router/router.ts';
import type { CatalogOperation, CatalogProduct, CatalogVersion } from '../../../src/http/router/version-lifecycle.ts';

const list = { operationId: 'listThings', method: 'get', path: '/things', isPublic: false } as const;
const single = { operationId: 'getThing', method: 'get', path: '/things/{date}/{key}', isPublic: false } as const;
const create = { operationId: 'createThing', method: 'post', path: '/things', isPublic: false } as const;
const health = { operationId: 'getHealth', method: 'get', path: '/things/health', isPublic: true } as const;

/** Three versions. The second is released nine days after the first is deprecated; the third has no list and no successor. */
const threeVersions: readonly CatalogProduct[] = [
  {
    product: 'things',
    title: 'Things',
    versions: [
      {
        version: 'v1',
        aliases: ['1.0', 'Preview'],
        releasedOn: '2022-01-01',
        deprecatedOn: '2023-01-01',
        sunsetOn: '2024-01-02',
        successor: 'v2',
        operations: [list, health],
      },
      {
        version: 'v2',
        aliases: ['2.0'],
        releasedOn: '2023-01-10',
        deprecatedOn: '2024-06-01',
        sunsetOn: '2025-06-02',
        successor: 'v3',
        operations: [list, single, create, health],
      },
      {
        version: 'v3',
        aliases: [],
        releasedOn: '2024-06-01',
        deprecatedOn: '2026-01-01',
        operations: [single, health],
      },
    ],
  },
];

/** Creates the router of a catalog on one day; every admitted operation returns 200. */
const serveOn = (catalog: readonly CatalogProduct[], today: string) => {
  const products = catalog.map(({ product }) => product);
  const digest = hash('sha256', 'good', 'hex');
  const findKey = async (key: Buffer) =>
    key.toString('hex') === digest ? { subscriptionId: 1, revoked: false, products } : undefined;
  const clock = (): Date => new Date(`${today}T12:00:00Z`);
  const operations = catalog.flatMap(({ product, versions }) =>
    versions.map(({ version }) => [`${product}/${version}`, () => jsonResponse(200, {})] as const),
  );
  return createRouter({
    catalog,
    handlers: Object.fromEntries(operations),
    checkKey: createKeyChecker({ findKey, clock }),
    clock,
    log: { request: () => undefined, failure: () => undefined, flush: async () => undefined },
    isUnavailable: () => false,
  });
};

type Front = ReturnType<typeof serveOn>;

/** Returns the version headers of a response in one line. */
const summarizeVersion = async (response: Response): Promise<string> => {
  const { type } = Object(await response.json());
  const headers = ['api-version', 'deprecation', 'sunset', 'link'].map((name) => response.headers.get(name) ?? '-');
  return [response.status, String(type ?? 'ok').replace('/docs/errors#', ''), ...headers].join(' | ');
};

const send = (
  router: Front,
  path: string,
  { key = 'good', method = 'GET' }: { key?: string | null; method?: string } = {},
) =>
  router(new Request(`http://api.test${path}`, { method, headers: key === null ? {} : { 'Subscription-Key': key } }));

const filled = ({ path }: CatalogOperation): string => path.replaceAll(/\{.+?\}/g, '2024-01-01');

/** What a version is on a day: dates written year first are in order as texts. */
const stageOn = ({ releasedOn, deprecatedOn = '9999', sunsetOn = '9999' }: CatalogVersion, today: string) =>
  today >= sunsetOn ? 'removed' : today >= deprecatedOn ? 'deprecated' : today >= releasedOn ? 'current' : 'unreleased';

/** Both sides of each of its dates. */
const daysOf = ({ releasedOn, deprecatedOn, sunsetOn }: CatalogVersion): readonly string[] =>
  [releasedOn, deprecatedOn, sunsetOn, '2099-01-01']
    .filter((date) => date !== undefined)
    .flatMap((date) => [formatDate(addDays(localDate(date), -1)), date]);

const httpDateOf = (date: string): string => new Date(`${date}T00:00:00Z`).toUTCString();

const linkOf = ({ product, versions }: CatalogProduct, of: CatalogVersion, operation: CatalogOperation): string => {
  const next = versions.find(({ version }) => version === of.successor);
  const isThere = next?.operations.some(({ path }) => path === operation.path);
  return [
    ...(isThere ? [`<${filled(operation)}?version=${of.successor}>; rel="successor-version"`] : []),
    `</docs/${product}/${of.version}>; rel="deprecation"; type="text/html"`,
  ].join(', ');
};

/** Returns the line that `summarizeVersion` must return for an operation of a version on a day. */
const expectedSummary =
  (product: CatalogProduct, of: CatalogVersion, operation: CatalogOperation) =>
  (today: string): string => {
    const { version, sunsetOn } = of;
    const stage = stageOn(of, today);
    const isThere = product.versions.some((one) => stageOn(one, today) !== 'unreleased');
    if (stage === 'unreleased') return `404 | ${isThere ? 'unknown-version' : 'unknown-path'} | - | - | - | -`;
    if (stage === 'current') return `200 | ok | ${version} | - | - | -`;
    const link = linkOf(product, of, operation);
    if (stage === 'removed') return `404 | version-removed | ${version} | - | - | ${link}`;
    return `200 | ok | ${version} | true | ${sunsetOn === undefined ? '-' : httpDateOf(sunsetOn)} | ${link}`;
  };

const spellings = ({ version, aliases }: CatalogVersion): readonly string[] =>
  [version, ...aliases].flatMap((name) => [...new Set([name, name.toUpperCase(), name.toLowerCase()])]);

const table = [...published, ...threeVersions].flatMap((product) =>
  product.versions.flatMap((version) =>
    daysOf(version).map((today) => ({
      catalog: threeVersions.includes(product) ? threeVersions : published,
      product,
      version,
      today,
      name: `${product.product} ${version.version}`,
      stage: stageOn(version, today),
    })),
  ),
);

test.each(table)(
  'every operation of $name, under each of its names, is $stage on $today',
  async ({ catalog, product, version, today }) => {
    const router = serveOn(catalog, today);
    for (const operation of version.operations) {
      const expected = expectedSummary(product, version, operation)(today);
      const method = operation.method.toUpperCase();
      for (const name of spellings(version)) {
        const path = `${filled(operation)}?version=${encodeURIComponent(name)}`;
        expect(await summarizeVersion(await send(router, path, { method })), `${method} ${path}`).toBe(expected);
      }
      if (!operation.isPublic) continue;
      const path = `${filled(operation)}?version=${version.version}`;
      expect(await summarizeVersion(await send(router, path, { method, key: null })), `${path} without a key`).toBe(
        expected,
      );
    }
  },
);

test('a removed version is named when no version is left', async () => {
  const [product] = threeVersions;
  const ended = product ? [{ ...product, versions: product.versions.slice(0, 2) }] : [];
  const response = await send(serveOn(ended, '2025-06-02'), '/things/health', { key: null });
  expect([response.status, response.headers.get('api-version')]).toEqual([404, 'v2']);
  const unknown = await send(serveOn(ended, '2025-06-02'), '/things/health?version=v9');
  expect(await unknown.json()).toMatchObject({ detail: "Things has no version 'v9'." });
});
