/* Pages of other origins: no answer invites them, whatever they ask, and a browser keeps what is answered from them. */
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../generated/catalog.ts';
import { readDocuments } from '../../../src/cli/shared/published-files.ts';
import { createAccessLog } from '../../../src/http/observability/access-log.ts';
import { createPublishedPages } from '../../../src/http/static/published-pages.ts';
import { openHttpServer, type HttpServer } from '../../../src/http/server/server.ts';
import { createMock } from '../../../src/mock/mock.ts';
import { withParameter } from '../../contract/responses/envelope.ts';
import { servedOperations } from '../../contract/services/served-documents.ts';
import { findBrowser } from '../../products/flight-info/v2/map/browser.ts';
import { reportFault } from '../support/report-fault.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

const program = findBrowser();
if (program === undefined)
  console.warn('no chromium, chromium-browser or google-chrome on the PATH: no browser asks from another origin');

let world: TinyService;
const servers: HttpServer[] = [];
const listen = async (fetch: Fetch): Promise<string> => {
  const server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1' });
  servers.push(server);
  return `http://127.0.0.1:${(await server.listening).port}`;
};
beforeAll(async () => {
  world = await serveTinyWorld();
});
afterAll(async () => {
  for (const server of servers) await server.close(0);
  await world.drop();
});

const log = createAccessLog({ write: () => {} });
const pages = createPublishedPages({ catalog, files: readDocuments(), changes: {} });

/** What a browser asks first, for each method, and what it asks then. */
const listBrowserRequests = (path: string): readonly Request[] => {
  const url = `http://service.test${path}`;
  const origin = 'https://page.example';
  const asking = ['GET', 'POST', 'PATCH', 'DELETE'].map((method) => ({
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'subscription-key,content-type,accountid',
    'access-control-request-private-network': 'true',
  }));
  const asked: readonly Record<string, string>[] = [
    { origin },
    { origin, 'subscription-key': TEST_KEY },
    { origin: 'null' },
    { origin: 'http://service.test' },
  ];
  return [
    ...asking.map((headers) => new Request(url, { method: 'OPTIONS', headers })),
    ...asked.map((headers) => new Request(url, { headers })),
    new Request(url, { method: 'HEAD', headers: { origin } }),
  ];
};

test('no answer of the service, its pages or its mock has a header that lets another origin read it', async () => {
  const mock = createMock({ clock: () => new Date('2026-06-01T12:00:00Z'), log, pages });
  await mock.load();
  const paths = servedOperations.map(([, { version }, { path }]) =>
    withParameter(path.replaceAll(/\{.+?\}/g, 'x'), 'version', version),
  );
  const others = [
    '/',
    '/docs/',
    '/docs/errors',
    '/.well-known/api-catalog',
    '/flight-map/x',
    '/no-such-path',
    ...readDocuments().map(({ path }) => path),
  ];
  const inviting: string[] = [];
  let asked = 0;
  for (const [name, fetch] of [
    ['service', world.app],
    ['mock', mock.fetch],
  ] as const satisfies readonly (readonly [string, Fetch])[])
    for (const path of [...paths, ...others])
      for (const question of listBrowserRequests(path)) {
        const response = await fetch(question);
        await response.body?.cancel();
        asked += 1;
        const found = [...response.headers.keys()].filter((header) => header.startsWith('access-control-'));
        if (found.length > 0) inviting.push(`${name} ${question.method} ${path}: ${found.join(', ')}`);
        // A preflight that succeeds without them is refused by browsers all the same; but there is nothing to be answered with success.
        if (question.method === 'OPTIONS' && response.ok) inviting.push(`${name} OPTIONS ${path}: ${response.status}`);
      }
  reportFault({
    fault: 39,
    figure: { asked, inviting: inviting.length, browser: program ?? 'absent' },
    bound: 'inviting 0',
  });
  expect(inviting).toEqual([]);
}, 300_000);

test.skipIf(program === undefined)('a page of another origin gets nothing in a browser', async () => {
  const service = await listen(world.app);
  const page = new Response('<!doctype html><title>a page</title>', { headers: { 'content-type': 'text/html' } });
  const elsewhere = await listen(() => page.clone());
  const browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const tab = await browser.newPage();
    await tab.goto(elsewhere);
    const asks = [
      [`${service}/flights/health`, {}],
      [`${service}/flight-instances?DepartureDateTime=2026-06-01`, { headers: { 'subscription-key': TEST_KEY } }],
      [
        `${service}/flight-info-alerts/profile`,
        { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      ],
      [`${service}/docs/errors`, { credentials: 'include' }],
    ] as const;
    const seen: string[] = [];
    for (const [url, init] of asks)
      seen.push(
        await tab.evaluate(
          ([to, how]) =>
            fetch(to, how).then(
              (response) => `${response.status}`,
              () => 'failed',
            ),
          [url, init] as const,
        ),
      );
    expect(seen).toEqual(asks.map(() => 'failed'));
  } finally {
    await browser.close();
  }
});
