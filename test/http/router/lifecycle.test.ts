import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyChecker } from '#http/auth/api-keys.ts';
import { createApp } from '#app.ts';
import { createApi } from '#http/handler/create-api.ts';
import type { CatalogProduct } from '#http/router/version-lifecycle.ts';

const list = {
  operationId: 'listThings',
  method: 'get',
  path: '/things',
  isPublic: false,
  parameters: ['version'],
} as const;
const single = {
  operationId: 'getThing',
  method: 'get',
  path: '/things/{date}/{key}',
  isPublic: false,
  parameters: ['version'],
} as const;
const create = {
  operationId: 'createThing',
  method: 'post',
  path: '/things',
  isPublic: false,
  parameters: ['version'],
} as const;
const health = {
  operationId: 'getHealth',
  method: 'get',
  path: '/things/health',
  isPublic: true,
  parameters: ['version'],
} as const;

/** Three versions. The second is released nine days after the first is deprecated; the third has no list and no successor. */
const threeVersions = [
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
] as const satisfies readonly CatalogProduct[];

/** Creates the application of a catalog on one day; every admitted operation returns 200. */
const serveOn = (catalog: readonly CatalogProduct[], today: string) => {
  const products = catalog.map(({ product }) => product);
  const digest = hash('sha256', 'good', 'hex');
  const findKey = async (key: Buffer) =>
    key.toString('hex') === digest ? { subscriptionId: 1, revoked: false, products } : undefined;
  const clock = (): Date => new Date(`${today}T12:00:00Z`);
  const api = createApi({ reads: 'primary' });
  api.all('*', (c) => c.json({}, 200));
  const names = catalog.flatMap(({ product, versions }) => versions.map(({ version }) => `${product}/${version}`));
  return createApp({
    catalog,
    versions: Object.fromEntries(names.map((name) => [name, api])),
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
  app: Front,
  path: string,
  { key = 'good', method = 'GET' }: { key?: string | null; method?: string } = {},
) => app.request(`http://api.test${path}`, { method, headers: key === null ? {} : { 'Subscription-Key': key } });

type Version = 'v1' | 'v2' | 'v3';

const spellings = {
  v1: ['v1', 'V1', '1.0', 'Preview', 'PREVIEW', 'preview'],
  v2: ['v2', 'V2', '2.0'],
  v3: ['v3', 'V3'],
};
/** The operations of each version that its successor has too. */
const inherited = { v1: [list, health], v2: [single, health], v3: [] } as const;
const sunsets = { v1: 'Tue, 02 Jan 2024 00:00:00 GMT', v2: 'Mon, 02 Jun 2025 00:00:00 GMT', v3: '-' };

/** Returns the line that `summarizeVersion` must return for an operation of a version that is in a stage. */
const expectedSummary = (version: Version, stage: string, { path, url }: { path: string; url: string }): string => {
  const next = inherited[version].some((one) => one.path === path)
    ? `<${url}?version=${version === 'v1' ? 'v2' : 'v3'}>; rel="successor-version", `
    : '';
  const link = `${next}</docs/things/${version}>; rel="deprecation"; type="text/html"`;
  if (stage === 'current') return `200 | ok | ${version} | - | - | -`;
  if (stage === 'deprecated') return `200 | ok | ${version} | true | ${sunsets[version]} | ${link}`;
  return stage === 'removed'
    ? `404 | version-removed | ${version} | - | - | ${link}`
    : `404 | ${stage} | - | - | - | -`;
};

// The versions of the published catalog are tested in test/contract/version-lifecycle.test.ts.
test.each<readonly [version: Version, day: string, stage: string]>([
  ['v1', '2021-12-31', 'unknown-path'],
  ['v1', '2022-01-01', 'current'],
  ['v1', '2022-12-31', 'current'],
  ['v1', '2023-01-01', 'deprecated'],
  ['v1', '2024-01-01', 'deprecated'],
  ['v1', '2024-01-02', 'removed'],
  ['v1', '2099-01-01', 'removed'],
  ['v2', '2023-01-09', 'unknown-version'],
  ['v2', '2023-01-10', 'current'],
  ['v2', '2024-05-31', 'current'],
  ['v2', '2024-06-01', 'deprecated'],
  ['v2', '2025-06-01', 'deprecated'],
  ['v2', '2025-06-02', 'removed'],
  ['v3', '2024-05-31', 'unknown-version'],
  ['v3', '2024-06-01', 'current'],
  ['v3', '2025-12-31', 'current'],
  ['v3', '2026-01-01', 'deprecated'],
  ['v3', '2099-01-01', 'deprecated'],
])('every operation of %s, under each of its names, on %s: %s', async (version, today, stage) => {
  const app = serveOn(threeVersions, today);
  const operations = threeVersions[0].versions.find((one) => one.version === version)?.operations ?? [];
  for (const { path, method, isPublic } of operations) {
    const url = path.replaceAll(/\{.+?\}/g, '2024-01-01');
    const expected = expectedSummary(version, stage, { path, url });
    for (const name of spellings[version])
      for (const key of isPublic ? ['good', null] : ['good']) {
        const response = await send(app, `${url}?version=${name}`, { key, method: method.toUpperCase() });
        expect(await summarizeVersion(response), `${method} ${url} ${name} ${key}`).toBe(expected);
      }
  }
});

test('a removed version is named when no version is left', async () => {
  const [product] = threeVersions;
  const ended = [{ ...product, versions: product.versions.slice(0, 2) }];
  const response = await send(serveOn(ended, '2025-06-02'), '/things/health', { key: null });
  expect([response.status, response.headers.get('api-version')]).toEqual([404, 'v2']);
  const unknown = await send(serveOn(ended, '2025-06-02'), '/things/health?version=v9');
  expect(await unknown.json()).toMatchObject({ detail: "Things has no version 'v9'." });
});
