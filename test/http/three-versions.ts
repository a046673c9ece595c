import { hash } from 'node:crypto';
import type { CatalogProduct } from '../../src/http/router/version-lifecycle.ts';
import { jsonResponse } from '../../src/http/response/http-response.ts';
import { createRouter } from '../../src/http/router/router.ts';
import { createKeyChecker, type KeyRecord } from '../../src/http/auth/api-keys.ts';

const list = { operationId: 'listThings', method: 'get', path: '/things', isPublic: false } as const;
const single = { operationId: 'getThing', method: 'get', path: '/things/{date}/{key}', isPublic: false } as const;
const create = { operationId: 'createThing', method: 'post', path: '/things', isPublic: false } as const;
const health = { operationId: 'getHealth', method: 'get', path: '/things/health', isPublic: true } as const;

/** Three versions. The second is released nine days after the first is deprecated; the third has no list and no successor. */
export const threeVersions: readonly CatalogProduct[] = [
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

const keyring: Readonly<Record<string, Omit<KeyRecord, 'products'>>> = {
  good: { subscriptionId: 1, revoked: false },
  expired: { subscriptionId: 2, revoked: false, expiresOn: '2000-01-01' },
};

/** Creates the router of a catalog on one day; every admitted operation returns 200. */
export const serveOn = (catalog: readonly CatalogProduct[], today: string) => {
  const products = catalog.map(({ product }) => product);
  const records = new Map(
    Object.entries(keyring).map(([key, record]) => [hash('sha256', key, 'hex'), { ...record, products }]),
  );
  const clock = (): Date => new Date(`${today}T12:00:00Z`);
  return createRouter({
    catalog,
    handlers: Object.fromEntries(
      catalog.flatMap(({ product, versions }) =>
        versions.map(({ version }) => [`${product}/${version}`, () => jsonResponse(200, {})]),
      ),
    ),
    checkKey: createKeyChecker({ findKey: async (digest) => records.get(digest.toString('hex')), clock }),
    clock,
    log: { request: () => undefined, failure: () => undefined, flush: async () => undefined },
    isUnavailable: () => false,
  });
};
