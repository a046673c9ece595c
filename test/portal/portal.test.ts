import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../generated/catalog.ts';
import { readDocuments, readPortal } from '../../src/cli/shared/published-files.ts';
import { buildPortal } from '../../src/portal/build-portal.ts';
import { toFetchResponse } from '../../src/http/response/http-response.ts';
import { problemKinds } from '../../src/http/response/problem.ts';
import { openHttpServer, type HttpServer } from '../../src/http/server/server.ts';
import { createStaticFilePages, type StaticFile } from '../../src/http/static/static-files.ts';
import { findBrowser } from '../products/flight-info/v2/map/browser.ts';

const program = findBrowser();
if (program === undefined)
  console.warn('no chromium, chromium-browser or google-chrome on the PATH: the portal is not looked at in a browser');

let folder: string;
let files: readonly StaticFile[];
let server: HttpServer;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-test-'));
  await buildPortal(folder);
  files = [...readDocuments(), ...readPortal(undefined, folder)];
  const pages = ['/docs/', '/openapi/', '/asyncapi/'].map((prefix) => createStaticFilePages(prefix, files));
  const fetch = async (request: Request): Promise<Response> => {
    for (const page of pages) {
      const response = await page.respond(request, new Date(0));
      if (response) return toFetchResponse(response, { isHead: request.method === 'HEAD' });
    }
    return new Response('nothing', { status: request.url.endsWith('/.well-known/api-catalog') ? 200 : 404 });
  };
  server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1' });
  base = `http://127.0.0.1:${(await server.listening).port}`;
}, 300_000);

afterAll(async () => {
  await server?.close(0);
  await rm(folder, { recursive: true, force: true });
});

const pagePaths = (): readonly string[] =>
  files.filter(({ mediaType }) => mediaType.startsWith('text/html')).map(({ path }) => path);
const textOf = (path: string): string => Buffer.from(files.find((file) => file.path === path)?.bytes ?? []).toString();

describe('the portal', () => {
  test('has a page for each version, the changes of each product, and how to leave a version that has a successor', () => {
    const expected = catalog.flatMap(({ product, versions }) => [
      `/docs/${product}/changes`,
      ...versions.flatMap(({ version, successor }) => [
        `/docs/${product}/${version}`,
        ...(successor === undefined ? [] : [`/docs/${product}/${version}/migration`]),
      ]),
    ]);
    expect(pagePaths()).toEqual(expect.arrayContaining(['/docs/', ...expected]));
  });

  test('tells the dates of every version without a script', () => {
    const index = textOf('/docs/');
    const dates = catalog
      .flatMap(({ versions }) => versions)
      .flatMap(({ releasedOn, deprecatedOn, sunsetOn }) => [releasedOn, deprecatedOn ?? [], sunsetOn ?? []].flat());
    expect(dates.filter((date) => !index.includes(`<time datetime="${date}">`))).toEqual([]);
  });

  test('has a place for every kind of error that the service answers', () => {
    const errors = textOf('/docs/errors');
    expect(Object.keys(problemKinds).filter((kind) => !errors.includes(`id="${kind}"`))).toEqual([]);
  });

  test('says which parameters and properties a successor has no longer, and does not guess what became of them', () => {
    const page = textOf('/docs/flight-info/v1/migration');
    const [needed = ''] = /<code>GET \/flight-instances<\/code>.*?<h4>New/s.exec(page) ?? [];
    for (const gone of ['DepartureDate', 'ArrivalDate', 'IataCarrierCode', 'IcaoCarrierCode'])
      expect(needed).toContain(`The query parameter <code>${gone}</code> was removed.`);
    for (const kept of ['Content', 'ArrivalAirport', 'FlightNumber'])
      expect(needed).not.toContain(`The query parameter <code>${kept}</code> was removed.`);
    expect(page).toContain('The query parameter <code>DepartureDateTime</code> is new.');
    expect(page).not.toContain('renamed to');
  });

  test('shows a call to try with every operation', () => {
    for (const { product, versions } of catalog)
      for (const { version, operations } of versions) {
        const script = textOf(`/docs/${product}/${version}.reference.js`);
        expect(script.match(/"x-codeSamples":/g)).toHaveLength(operations.length);
      }
  });

  test('calls the server that shows it', () => {
    const callOn = (server: string): unknown => {
      const script = readPortal(server, folder).find(({ path }) => path === '/docs/flight-info/v2.reference.js');
      const text = Buffer.from(script?.bytes ?? []).toString();
      return /curl -sG \\"([^"]*\/flight-instances)\\"/.exec(text)?.[1];
    };
    expect(callOn('https://flights.example/api/')).toBe('https://flights.example/api/flight-instances');
    expect(callOn('https://flights.example/$&/"')).toBe('https://flights.example/$&/%22/flight-instances');
    expect(callOn('http://0.0.0.0:8081')).toBe('http://localhost:8081/flight-instances');
    expect(callOn('http://[::]')).toBe('http://localhost/flight-instances');
  });

  test('has neither of the pictures that Redoc would fetch from its maker, in the whole menu and in the folded one', () => {
    const pages = files.filter(({ path }) => path.startsWith('/docs/'));
    const fetching = pages.filter(({ bytes }) => Buffer.from(bytes).includes('cdn.redoc.ly/'));
    expect(pages.map(({ path }) => path)).toContain('/docs/assets/redoc.standalone.js');
    expect(fetching.map(({ path }) => path)).toEqual([]);
  });

  test('leads nowhere that is not there: every link of every page, with its fragment', () => {
    const known = new Set([...files.map(({ path }) => path), '/.well-known/api-catalog']);
    const broken: string[] = [];
    let links = 0;
    for (const path of pagePaths()) {
      const html = textOf(path).replace(/<div id="main">[\s\S]*<\/body>/, '');
      for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(?:https:|data:)/.test(href)) continue;
        links += 1;
        const url = new URL(href, `${base}${path}`);
        const fragment = decodeURIComponent(url.hash.slice(1));
        const isThere = known.has(url.pathname);
        const hasPlace = fragment === '' || textOf(url.pathname).includes(`id="${fragment}"`);
        if (!isThere || !hasPlace) broken.push(`${path}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(20 * pagePaths().length);
  });
});

describe('a file of the portal', () => {
  test('comes with what it may do, and cannot be framed', async () => {
    for (const path of pagePaths()) {
      const { headers } = await fetch(`${base}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src[^;]*'unsafe|https?:|\*/);
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
        'nosniff',
        'no-referrer',
      ]);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('comes packed to whoever takes that, and not at all to whoever has it', async () => {
    const url = `${base}/docs/assets/redoc.standalone.js`;
    const packed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    const tag = packed.headers.get('etag') ?? '';
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 3);
    expect(await packed.text()).toBe(await plain.text());
    const again = await fetch(url, { headers: { 'accept-encoding': 'gzip', 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(plain.headers.get('etag')).not.toBe(tag);
  });

  test.each([
    '/docs/../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    String.raw`/docs/..\..\package.json`,
    '/docs//etc/passwd',
    '/docs/index.html',
    '/openapi/flight-info/v9.yaml',
    '/openapi/../generated/catalog.ts',
    '/asyncapi/flight-info/v2.yaml',
  ])('is only one that was there at the start: %s is not', async (path) => {
    const ask = createStaticFilePages('/docs/', files);
    expect(await ask.respond(new Request(`${base}${path}`), new Date(0))).toBeUndefined();
    const { status } = await fetch(`${base}${path}`);
    expect(status).toBe(404);
  });
});

type Look = { readonly width: number; readonly scheme: 'light' | 'dark' };
type Visit = { readonly page: Page; readonly complaints: readonly string[] };

/** Loads a page and waits until it is alive; `complaints` has all that the browser says against it, and what it asks of others. */
const visit = async (context: BrowserContext, path: string): Promise<Visit> => {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().startsWith(`${base}/`)) complaints.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${base}${path}`);
  // What Redoc has drawn ahead says that it is loading until its script has taken over.
  await page.waitForFunction(
    () => !/Loading/.test(document.querySelector('[data-testid=search-trigger]')?.textContent ?? ''),
  );
  return { page, complaints };
};

const sticksOut = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe.skipIf(program === undefined)('the portal, in a browser', () => {
  let browser: Browser;
  const open: BrowserContext[] = [];
  const look = async ({ width, scheme }: Look): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    // A machine that does other things besides takes a while to bring a reference to life.
    context.setDefaultTimeout(90_000);
    open.push(context);
    return context;
  };
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterEach(async () => {
    for (const context of open.splice(0)) await context.close();
  });
  afterAll(() => browser?.close());

  test(
    'loads every page without a complaint or a request to another server, and fits a phone',
    { timeout: 300_000 },
    async () => {
      const seen: unknown[] = [];
      const context = await look({ width: 360, scheme: 'dark' });
      for (const path of pagePaths()) {
        const { page, complaints } = await visit(context, path);
        const shown = await page.locator('h1').first().textContent();
        seen.push({ path, complaints, isTitled: shown !== '', sticksOut: await sticksOut(page) });
        await page.close();
      }
      expect(seen).toEqual(pagePaths().map((path) => ({ path, complaints: [], isTitled: true, sticksOut: false })));
    },
  );

  test.each([
    ['2024-04-14', ['unreleased', 'current']],
    ['2024-04-15', ['current', 'deprecated']],
    ['2025-04-13', ['current', 'deprecated']],
    ['2025-04-14', ['current', 'removed']],
  ])('says in which stages v2 and v1 of Flight Info are on %s', async (day, expected) => {
    const context = await look({ width: 1280, scheme: 'light' });
    await context.clock.setFixedTime(`${day}T12:00:00Z`);
    const { page } = await visit(context, '/docs/');
    expect(await page.locator('article:has-text("Moving to v2") .stage').allTextContents()).toEqual(expected);
  });

  test.each([
    ['listFlightInstances', 'GET /flight-instances', 'Search flight instances'],
    ['version-removed', 'version-removed', 'version-removed'],
  ])('finds %s by the search, from the keyboard', async (wanted, found, place) => {
    const { page, complaints } = await visit(await look({ width: 1280, scheme: 'light' }), '/docs/flight-info/changes');
    await page.keyboard.press('/');
    await page.keyboard.type(wanted);
    const first = page.locator('.found a[aria-selected=true] strong');
    await first.waitFor();
    expect(await first.textContent()).toBe(found);
    await page.keyboard.press('Enter');
    await page.locator(`:is(h1, h2, h3):has-text("${place}")`).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test.each(['/docs/', '/docs/flight-info/changes', '/docs/flight-info/v2'])(
    'is dark where that is wanted: %s',
    async (path) => {
      const colours: string[] = [];
      for (const scheme of ['light', 'dark'] as const) {
        const { page } = await visit(await look({ width: 1280, scheme }), path);
        colours.push(
          await page.evaluate(() => getComputedStyle(document.querySelector('.bar') ?? document.body).backgroundColor),
        );
      }
      expect(colours).toEqual(['rgb(252, 251, 248)', 'rgb(17, 22, 29)']);
    },
  );

  test('can be read without a script: the text first, and no reference that only says that it loads', async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 900 }, javaScriptEnabled: false });
    open.push(context);
    const page = await context.newPage();
    await page.goto(`${base}/docs/errors`);
    const top = (selector: string): Promise<number> =>
      page.locator(selector).evaluate((one) => one.getBoundingClientRect().top);
    expect(await top('main h1')).toBeLessThan(await top('aside .menu'));
    await page.goto(`${base}/docs/flight-info/v2`);
    expect(await page.locator('noscript').innerText()).toContain('they are in the OpenAPI document');
  });

  test('opens the reference at the operation that a link names', async () => {
    const { page } = await visit(
      await look({ width: 1280, scheme: 'light' }),
      '/docs/flight-info/v2#/flight-instances/getflightinstance',
    );
    const heading = page.locator('h2:has-text("Get one flight instance")').first();
    await heading.waitFor();
    const isShown = (): Promise<boolean> =>
      heading.evaluate((one) => Math.abs(one.getBoundingClientRect().top) < window.innerHeight);
    await expect.poll(isShown, { timeout: 60_000 }).toBe(true);
  });
});
