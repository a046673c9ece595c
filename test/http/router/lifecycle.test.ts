import { describe, expect, test } from 'vitest';
import { catalog as published } from '../../../generated/catalog.ts';
import { addDays, formatDate, localDate } from '../../../src/domain/time/dates.ts';
import type { CatalogOperation, CatalogProduct, CatalogVersion } from '../../../src/http/router/version-lifecycle.ts';
import { threeVersions, serveOn } from '../three-versions.ts';

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

describe('every operation of every version, under each name, follows the dates of its version', () => {
  test.each(table)('$name is $stage on $today', async ({ catalog, product, version, today }) => {
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
  });
});

const removed = table.filter(({ stage }) => stage === 'removed');

describe('a removed version returns 404 to every request', () => {
  test.each(removed)('$name on $today', async ({ catalog, product, version, today }) => {
    const router = serveOn(catalog, today);
    const paths = new Set(product.versions.flatMap(({ operations }) => operations.map(filled)));
    for (const path of paths)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        for (const key of [null, '', 'unknown', 'expired', 'good']) {
          const response = await send(router, `${path}?version=${version.version}&Limit=x`, { method, key });
          const what = `${method} ${path} with ${key === null ? 'no key' : `key '${key}'`}`;
          expect(response.status, what).toBe(404);
          expect(response.headers.get('content-type'), what).toBe('application/problem+json');
          expect(await response.json(), what).toMatchObject({
            type: '/docs/errors#version-removed',
            detail: `Version ${version.version} of ${product.title} was removed on ${version.sunsetOn}. Its successor is ${version.successor}.`,
          });
        }
  });

  test('the catalog contains a removed version', () => {
    expect(removed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['flight-info v1', 'things v1', 'things v2']),
    );
  });
});

describe('a request without a version selects', () => {
  const unnamed = async (catalog: readonly CatalogProduct[], path: string, today: string): Promise<string> => {
    const response = await send(serveOn(catalog, today), path, { key: null });
    return `${response.status} ${response.headers.get('api-version') ?? 'none'}`;
  };

  test.each([
    ['2022-05-31', '404 none'],
    ['2022-06-01', '200 v1'],
    ['2023-06-01', '200 v1'],
    ['2024-04-14', '200 v1'],
    ['2024-04-15', '200 v2'],
    ['2025-04-13', '200 v2'],
    ['2025-04-14', '200 v2'],
    ['2026-06-01', '200 v2'],
  ])('Flight Info on %s: %s', async (today, expected) => {
    expect(await unnamed(published, '/flights/health', today)).toBe(expected);
  });

  test.each([
    ['2021-12-31', '404 none'],
    ['2022-01-01', '200 v1'],
    // deprecated before its successor is out
    ['2023-01-09', '200 v1'],
    ['2023-01-10', '200 v2'],
    ['2024-05-31', '200 v2'],
    ['2024-06-01', '200 v3'],
    // deprecated without a successor
    ['2026-01-01', '200 v3'],
  ])('the test product on %s: %s', async (today, expected) => {
    expect(await unnamed(threeVersions, '/things/health', today)).toBe(expected);
  });

  test('the last removed version when none is left', async () => {
    const [product] = threeVersions;
    const ended = product ? [{ ...product, versions: product.versions.slice(0, 2) }] : [];
    expect(await unnamed(ended, '/things/health', '2025-06-02')).toBe('404 v2');
  });
});

describe('examples', () => {
  const deprecation = (version: string): string => `</docs/${version}>; rel="deprecation"; type="text/html"`;

  test.each([
    ['2023-06-01', '1.0', '200 | ok | v1 | - | - | -'],
    ['2023-06-01', 'v2', '404 | unknown-version | - | - | - | -'],
    [
      '2024-06-01',
      'V1',
      `200 | ok | v1 | true | Mon, 14 Apr 2025 00:00:00 GMT | </flight-instances?version=v2>; rel="successor-version", ${deprecation('flight-info/v1')}`,
    ],
    ['2024-06-01', 'v2', '200 | ok | v2 | - | - | -'],
    [
      '2025-04-14',
      '1.0',
      `404 | version-removed | v1 | - | - | </flight-instances?version=v2>; rel="successor-version", ${deprecation('flight-info/v1')}`,
    ],
    ['2025-04-14', 'v2', '200 | ok | v2 | - | - | -'],
  ])('Flight Info on %s with version=%s: %s', async (today, version, line) => {
    expect(await summarizeVersion(await send(serveOn(published, today), `/flight-instances?version=${version}`))).toBe(
      line,
    );
  });

  test.each([
    [
      '2023-01-05',
      'preview',
      '/things',
      `200 | ok | v1 | true | Tue, 02 Jan 2024 00:00:00 GMT | </things?version=v2>; rel="successor-version", ${deprecation('things/v1')}`,
    ],
    [
      '2024-06-01',
      '2.0',
      '/things',
      `200 | ok | v2 | true | Mon, 02 Jun 2025 00:00:00 GMT | ${deprecation('things/v2')}`,
    ],
    ['2026-01-01', 'v3', '/things/health', `200 | ok | v3 | true | - | ${deprecation('things/v3')}`],
    [
      '2026-01-01',
      '1.0',
      '/things/health',
      `404 | version-removed | v1 | - | - | </things/health?version=v2>; rel="successor-version", ${deprecation('things/v1')}`,
    ],
    ['2026-01-01', 'v4', '/things/health', '404 | unknown-version | - | - | - | -'],
  ])('the test product on %s with version=%s at %s: %s', async (today, version, path, line) => {
    expect(await summarizeVersion(await send(serveOn(threeVersions, today), `${path}?version=${version}`))).toBe(line);
  });
});
