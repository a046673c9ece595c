import { expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { createPublishedPages } from '#http/static/published-pages.ts';
import { isJsonObject, toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { serve } from '../tiny-service.ts';

const base = 'https://flights.test/api';

const recipe = {
  info: { title: 'A webhook' },
  sourceDescriptions: [{ url: 'http://localhost:8080/openapi/flight-info-alerts/v1.json' }],
};
const files = Object.entries({ '/asyncapi/flight-info-alerts/v1.json': {}, '/recipes/webhook.json': recipe }).map(
  ([path, content]) => ({ path, bytes: Buffer.from(JSON.stringify(content)), mediaType: 'application/json' }),
);

/** Creates the service on a day, with the API catalog as its page. */
const createFetchOn = (day: string, publicUrl?: string) => {
  const { app } = serve({ today: day, pages: [createPublishedPages({ catalog, files, changes: {}, publicUrl })] });
  return async (init?: RequestInit): Promise<Response> => app.request('http://api.test/.well-known/api-catalog', init);
};

const linksetOf = async (response: Response): Promise<readonly JsonObject[]> => {
  const body: unknown = JSON.parse(await response.text());
  return toList(toJsonObject(body)['linkset']).filter(isJsonObject);
};

test('the API catalog is a linkset with the documents, the recipes and the health check of each version', async () => {
  const response = await createFetchOn('2026-06-01', base)();
  expect(response.headers.get('content-type')).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  const linkset = await linksetOf(response);
  const title = 'Flight Info Alerts v1';
  expect(linkset.find(({ anchor }) => anchor === `${base}/flight-info-alerts/status?version=v1`)).toEqual({
    anchor: `${base}/flight-info-alerts/status?version=v1`,
    'service-desc': [
      { href: `${base}/openapi/flight-info-alerts/v1.yaml`, type: 'application/yaml', title },
      { href: `${base}/openapi/flight-info-alerts/v1.json`, type: 'application/json', title },
      { href: `${base}/asyncapi/flight-info-alerts/v1.yaml`, type: 'application/yaml' },
      { href: `${base}/asyncapi/flight-info-alerts/v1.json`, type: 'application/json' },
    ],
    'service-meta': [
      { href: `${base}/recipes/webhook.yaml`, type: 'application/yaml', title: 'A webhook' },
      { href: `${base}/recipes/webhook.json`, type: 'application/json', title: 'A webhook' },
    ],
    'service-doc': [{ href: `${base}/docs/flight-info-alerts/v1`, type: 'text/html' }],
    status: [{ href: `${base}/flight-info-alerts/health?version=v1`, type: 'application/json' }],
  });
  const [first, ...rest] = linkset;
  expect(first).toEqual({
    anchor: `${base}/.well-known/api-catalog`,
    item: rest.map(({ anchor }) => ({ href: anchor })),
  });
  expect(rest).toHaveLength(catalog.length);
  expect(rest.filter((context) => 'service-meta' in context)).toHaveLength(1);
});

test('the API catalog lists a version from its release to its removal, with its successor', async () => {
  const anchorsOn = async (day: string): Promise<readonly unknown[]> => {
    const linkset = await linksetOf(await createFetchOn(day)());
    return linkset
      .filter(({ anchor }) => String(anchor).startsWith('http://api.test/flight-instances'))
      .map(({ anchor, 'successor-version': next }) => [anchor, next]);
  };
  const [v1, v2] = ['v1', 'v2'].map((version) => `http://api.test/flight-instances?version=${version}`);
  expect(await anchorsOn('2024-04-14')).toEqual([[v1, undefined]]);
  const expected = [
    [v1, [{ href: v2 }]],
    [v2, undefined],
  ];
  expect(await anchorsOn('2024-04-15')).toEqual(expected);
  expect(await anchorsOn('2025-04-14')).toEqual([[v2, undefined]]);
});

test('the API catalog links itself in a HEAD response, and returns 304', async () => {
  const fetchCatalog = createFetchOn('2026-06-01', base);
  const head = await fetchCatalog({ method: 'HEAD' });
  const expected = [200, '', `<${base}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`];
  expect([head.status, await head.text(), head.headers.get('link')]).toEqual(expected);
  const again = await fetchCatalog({ headers: { 'if-none-match': head.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  expect((await fetchCatalog({ method: 'POST' })).status).toBe(404);
});
