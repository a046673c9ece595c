/* Pages of other origins: no response has CORS headers, so that a browser withholds every response from them. */
import { afterAll, expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { readDocuments } from '#cli/shared/published-files.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { createPublishedPages } from '#http/static/published-pages.ts';
import { createMock } from '#mock/mock.ts';
import { withParameter } from '#test/contract/responses/envelope.ts';
import { servedOperations } from '#test/contract/services/served-documents.ts';
import { reportFault } from '../support/report-fault.ts';
import { serveTinyWorld, TEST_KEY } from '#test/support/tiny-world.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

const world = await serveTinyWorld();
afterAll(world.drop);

const log = createAccessLog({ write: () => {} });
const pages = [createPublishedPages({ catalog, files: readDocuments(), changes: {} })];

/** Lists the preflight requests of a browser for each method, and the requests that follow. */
const listBrowserRequests = (path: string): readonly Request[] => {
  const origin = 'https://page.example';
  const preflights = ['GET', 'POST', 'PATCH', 'DELETE'].map((method) => ({
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'subscription-key,content-type,accountid',
    'access-control-request-private-network': 'true',
  }));
  const origins = [{ origin }, { origin: 'null' }, { origin: 'http://service.test' }];
  const request = (method: string, headers: Record<string, string>) =>
    new Request(`http://service.test${path}`, { method, headers });
  return [
    ...preflights.map((headers) => request('OPTIONS', headers)),
    ...origins.map((headers) => request('GET', headers)),
    request('GET', { origin, 'subscription-key': TEST_KEY }),
    request('HEAD', { origin }),
  ];
};

test('no response of the service, its pages or its mock has a CORS header', async () => {
  const mock = createMock({ clock: () => new Date('2026-06-01T12:00:00Z'), log, pages });
  await mock.load();
  const paths = servedOperations.map(([, { version }, { path }]) =>
    withParameter(path.replaceAll(/\{.+?\}/g, 'x'), 'version', version),
  );
  const pagePaths = '/ /docs/ /docs/errors /.well-known/api-catalog /flight-map/x /no-such-path'.split(' ');
  const others = [...pagePaths, ...readDocuments().map(({ path }) => path)];
  const allowed: string[] = [];
  let requestCount = 0;
  for (const [name, fetch] of Object.entries<Fetch>({ service: world.app.fetch, mock: mock.fetch }))
    for (const path of [...paths, ...others])
      for (const request of listBrowserRequests(path)) {
        const response = await fetch(request);
        await response.body?.cancel();
        requestCount += 1;
        const corsHeaders = [...response.headers.keys()].filter((header) => header.startsWith('access-control-'));
        if (corsHeaders.length > 0) allowed.push(`${name} ${request.method} ${path}: ${corsHeaders.join(', ')}`);
        // Browsers also reject a successful preflight without CORS headers, but it should not succeed in the first place.
        if (request.method === 'OPTIONS' && response.ok) allowed.push(`${name} OPTIONS ${path}: ${response.status}`);
      }
  reportFault(39, { requests: requestCount, allowed: allowed.length });
  expect(allowed).toEqual([]);
}, 300_000);
