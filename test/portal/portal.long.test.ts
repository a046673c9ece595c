import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { readDocuments, readPortal } from '#cli/shared/published-files.ts';
import { buildPortal } from '#portal/build-portal.ts';
import { problemKinds } from '#http/response/problem.ts';
import { openHttpServer } from '#http/server/server.ts';
import { createPublishedPages } from '#http/static/published-pages.ts';
import { serve } from '../http/tiny-service.ts';
import { findBrowser } from '../products/flight-info/v2/map/browser.ts';
import { listViolations } from '../support/accessibility.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const program = findBrowser();
if (program === undefined)
  console.warn('no chromium, chromium-browser or google-chrome on the PATH: the portal is not looked at in a browser');

const { folder } = createTemporaryFolder();
await buildPortal(folder);
const portal = readPortal(undefined, folder);
const files = [...readDocuments(), ...portal];
const { app } = serve({
  pages: [createPublishedPages({ catalog, files: readDocuments(), portal: () => portal, changes: {} })],
});
const server = openHttpServer({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
const base = `http://127.0.0.1:${(await server.listening).port}`;
afterAll(() => server.close(0));

const pagePaths = (): readonly string[] =>
  files
    .filter(({ mediaType, path }) => mediaType.startsWith('text/html') && path !== '/docs/404')
    .map(({ path }) => path);
const texts = new Map(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
const textOf = (path: string): string => texts.get(path) ?? '';

describe('the portal', () => {
  test('has a page for each version, the changes of each product, and the migration from a version with a successor', () => {
    const expected = catalog.flatMap(({ product, versions }) => [
      `/docs/${product}/changes`,
      ...versions.flatMap(({ version, successor }) => [
        `/docs/${product}/${version}`,
        ...(successor === undefined ? [] : [`/docs/${product}/${version}/migration`]),
      ]),
    ]);
    expect(pagePaths()).toEqual(expect.arrayContaining(['/docs/', ...expected]));
  });

  test('shows the dates of every version without a script', () => {
    const index = textOf('/docs/');
    const versions = catalog.flatMap((product) => product.versions);
    const dates = versions.flatMap(({ releasedOn, deprecatedOn, sunsetOn }) => [releasedOn, deprecatedOn, sunsetOn]);
    expect(dates.filter((date) => date && !index.includes(`<time datetime="${date}">`))).toEqual([]);
  });

  test('has an anchor for every error kind of the service', () => {
    const errors = textOf('/docs/errors');
    expect(Object.keys(problemKinds).filter((kind) => !errors.includes(`id="${kind}"`))).toEqual([]);
  });

  test('lists the parameters and properties that a successor lacks, and does not guess renames', () => {
    const page = textOf('/docs/flight-info/v1/migration');
    const [needed = ''] = /<code>GET \/flight-instances<\/code>.*?<h4>New/s.exec(page) ?? [];
    for (const removed of ['DepartureDate', 'ArrivalDate', 'IataCarrierCode', 'IcaoCarrierCode'])
      expect(needed).toContain(`The query parameter <code>${removed}</code> was removed.`);
    for (const unchanged of ['Content', 'ArrivalAirport', 'FlightNumber'])
      expect(needed).not.toContain(`The query parameter <code>${unchanged}</code> was removed.`);
    expect(page).toContain('The query parameter <code>DepartureDateTime</code> is new.');
    expect(page).not.toContain('renamed to');
  });

  test('shows a code sample for every operation', () => {
    for (const { product, versions } of catalog)
      for (const { version, operations } of versions) {
        const script = textOf(`/docs/${product}/${version}.reference.js`);
        expect(script.match(/"x-codeSamples":/g)).toHaveLength(operations.length);
      }
  });

  test('calls the server that serves it', () => {
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

  test('contains no picture that Redoc would fetch from its vendor, in the full and the folded menu', () => {
    const fetching = files.filter(({ bytes }) => Buffer.from(bytes).includes('cdn.redoc.ly/'));
    expect(textOf('/docs/assets/redoc.standalone.js')).not.toBe('');
    expect(fetching.map(({ path }) => path)).toEqual([]);
  });

  test('has no broken link on any page, including fragments', () => {
    const documents = readDocuments().map(({ path }) => path.replace('.json', '.yaml'));
    const known = new Set([...files.map(({ path }) => path), ...documents, '/.well-known/api-catalog']);
    const broken: string[] = [];
    let links = 0;
    for (const path of pagePaths()) {
      const html = textOf(path).replace(/<div id="main">[\s\S]*<\/body>/, '');
      for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(?:https:|data:)/.test(href)) continue;
        links += 1;
        const url = new URL(href, `${base}${path}`);
        const fragment = decodeURIComponent(url.hash.slice(1));
        const exists = known.has(url.pathname);
        const hasAnchor = fragment === '' || textOf(url.pathname).includes(`id="${fragment}"`);
        if (!exists || !hasAnchor) broken.push(`${path}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(20 * pagePaths().length);
  });
});

describe('the portal for programs', () => {
  test('has a Markdown twin of every page, and lists them in llms.txt and the sitemap', () => {
    const documented = pagePaths();
    const toTwin = (path: string): string => (path === '/docs/' ? '/docs/index.md' : `${path}.md`);
    expect(documented.filter((path) => !textOf(toTwin(path)).startsWith('# '))).toEqual([]);
    const listed = [...textOf('/docs/sitemap.xml').matchAll(/<loc>http:\/\/localhost:8080(.*?)<\/loc>/g)];
    expect(listed.map(([, path = '']) => path).toSorted()).toEqual(documented.toSorted());
    const links = [...textOf('/docs/llms.txt').matchAll(/\]\(http:\/\/localhost:8080(.*?)\)/g)].map(([, path]) => path);
    expect(links.filter((path) => path === undefined || textOf(path) === '')).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
  });

  test.each(['/docs/guides', '/docs/how-to/webhook', '/docs/a/b/c/'])(
    'helps at the unknown address %s',
    async (path) => {
      const response = await fetch(`${base}${path}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      const links = [...(await response.text()).matchAll(/(?:href|src)="([^":#]+)"/g)].map(([, href = '']) => href);
      const targets = links.map((href) => new URL(href, `${base}${path}`).pathname);
      expect(targets.filter((target) => !files.some((file) => file.path === target))).toEqual([]);
      expect(targets.length).toBeGreaterThan(20);
    },
  );

  test('contains the demo key in every code sample where a demo world is served', () => {
    const served = readPortal('http://localhost:8080', folder, 'demo-key');
    const script = Buffer.from(
      served.find(({ path }) => path === '/docs/flight-info/v2.reference.js')?.bytes ?? [],
    ).toString();
    const sources = [...script.matchAll(/"source":"((?:[^"\\]|\\.)*)"/g)].map(([, source = '']) => source);
    expect(sources).toHaveLength(12);
    expect(sources.filter((source) => source.includes('SUBSCRIPTION_KEY'))).toEqual([]);
    expect(sources.filter((source) => source.includes('demo-key'))).toHaveLength(9);
  });
});

describe('a file of the portal', () => {
  test('has a content security policy and cannot be framed', async () => {
    const names = ['x-content-type-options', 'referrer-policy', 'access-control-allow-origin'];
    for (const path of pagePaths()) {
      const { headers } = await fetch(`${base}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'.*frame-ancestors 'none'/);
      expect(policy).not.toMatch(/script-src[^;]*'unsafe|https?:|\*/);
      expect(names.map((name) => headers.get(name))).toEqual(['nosniff', 'no-referrer', null]);
    }
  });

  test('is not sent again when the ETag of its encoding matches', async () => {
    const request = (more: Readonly<Record<string, string>>) =>
      fetch(`${base}/docs/assets/redoc.standalone.js`, { headers: { 'accept-encoding': 'gzip', ...more } });
    const [packed, plain] = [await request({}), await request({ 'accept-encoding': 'identity' })];
    const tag = packed.headers.get('etag') ?? '';
    const again = await request({ 'if-none-match': tag });
    expect([again.status, await again.text(), plain.headers.get('etag') === tag]).toEqual([304, '', false]);
    expect(await packed.text()).toBe(await plain.text());
  });

  const traversals = '/docs/../package.json /docs/%2e%2e/%2e%2e/package.json /docs/..%2f..%2fpackage.json';
  const others = '/docs//etc/passwd /docs/index.html /openapi/flight-info/v9.yaml /asyncapi/flight-info/v2.yaml';
  test.each(`${traversals} ${others}`.split(' '))('is served only if it existed at the start: %s', async (path) => {
    expect((await fetch(`${base}${path}`)).status).toBe(404);
  });
});

/** Loads a page in a tab and waits until its scripts run. */
const load = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${base}${path}`);
  // The prerendered reference shows "Loading" until its script has started.
  await page.waitForFunction(
    () => !/Loading/.test(document.querySelector('[data-testid=search-trigger]')?.textContent ?? ''),
  );
};

/** Loads a page in a tab of its own; `errors` are those of the console, failed and foreign requests. */
const visit = async (context: BrowserContext, path: string) => {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().startsWith(`${base}/`)) errors.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
  });
  await load(page, path);
  return { page, errors };
};

/** The first search result of standard terms. */
const firstResults: Readonly<Record<string, string>> = {
  authentication: './tutorials/first-call#authentication',
  'API key': './tutorials/first-call#authentication',
  pagination: './how-to/pagination',
  cancelled: './reference/change-events#status-events',
  canceled: './reference/change-events#status-events',
  'rate limit': './reference/rate-limits',
  throttling: './reference/rate-limits',
  'webhook signature': './how-to/receive-webhooks#verify-signatures',
  HMAC: './how-to/receive-webhooks#verify-signatures',
  idempotency: './how-to/conditional-requests#idempotency-idempotency-key',
  caching: './how-to/conditional-requests',
  ETag: './how-to/conditional-requests',
  'time zone': './explanation/flight-keys-and-times#local-time-and-utc',
  versioning: './explanation/versions-and-deprecation',
  SDK: './how-to/typescript-client',
  sandbox: './how-to/mock-server',
  'server-sent events': './how-to/read-events',
  'dead letter': './how-to/receive-webhooks#delivery-log-and-redelivery',
  'error codes': './errors',
  'minimum connecting time': './how-to/search-connections',
  NATS: './how-to/consume-the-hub',
  'long polling': './how-to/read-events',
};

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe.skipIf(program === undefined)('the portal in a browser', () => {
  let browser: Browser;
  const open: BrowserContext[] = [];
  const look = async (width: number, colorScheme: 'light' | 'dark'): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    // A reference takes long to start on a loaded machine.
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

  // A third of a second to two seconds a page: every tenth, or all with LONG_TESTS=1.
  const step = process.env['LONG_TESTS'] === '1' ? 1 : 10;
  test('loads every page without errors and foreign requests, and fits a phone', { timeout: 300_000 }, async () => {
    const context = await look(360, 'dark');
    for (const path of pagePaths().filter((_, index) => index % step === 0)) {
      const { page, errors } = await visit(context, path);
      const title = await page.locator('h1').first().textContent();
      expect([path, errors, title !== '', await overflows(page)]).toEqual([path, [], true, false]);
      await page.close();
    }
  });

  test.each([
    ['2024-04-14', ['unreleased', 'current']],
    ['2024-04-15', ['current', 'deprecated']],
    ['2025-04-13', ['current', 'deprecated']],
    ['2025-04-14', ['current', 'removed']],
  ])('shows the stages of v2 and v1 of Flight Info on %s', async (day, expected) => {
    const context = await look(1280, 'light');
    await context.clock.setFixedTime(`${day}T12:00:00Z`);
    const { page } = await visit(context, '/docs/');
    expect(await page.locator('article:has-text("Moving to v2") .stage').allTextContents()).toEqual(expected);
  });

  test.each([
    ['listFlightInstances', 'GET /flight-instances', 'Search for flight instances'],
    ['version-removed', 'version-removed', 'version-removed'],
  ])('finds %s by searching with the keyboard', async (term, match, heading) => {
    const { page, errors } = await visit(await look(1280, 'light'), '/docs/flight-info/changes');
    await page.keyboard.press('/');
    await page.keyboard.type(term);
    const first = page.locator('.found a[aria-selected=true] strong');
    await first.waitFor();
    expect(await first.textContent()).toBe(match);
    await page.keyboard.press('Enter');
    await page.locator(`:is(h1, h2, h3):has-text("${heading}")`).first().waitFor();
    expect(errors).toEqual([]);
  });

  test('finds standard terms', async () => {
    const { page } = await visit(await look(1280, 'light'), '/docs/');
    const found: Record<string, string> = {};
    for (const term of Object.keys(firstResults)) {
      await page.locator('.search input').fill(term);
      await page.locator('.found:not([hidden])').waitFor();
      found[term] = (await page.locator('.found > *').first().getAttribute('href')) ?? 'nothing';
    }
    expect(found).toEqual(firstResults);
  });

  test('has one search box on every page, which Ctrl+K opens', async () => {
    const { page } = await visit(await look(1280, 'light'), '/docs/flight-info/v2');
    expect(await page.locator('[data-testid=search-trigger]').first().isVisible()).toBe(false);
    await page.keyboard.press('Control+k');
    expect(await page.evaluate(() => document.activeElement?.closest('.search') !== null)).toBe(true);
  });

  test('switches from a reference to another product', async () => {
    const { page } = await visit(await look(1280, 'light'), '/docs/flight-info/v2');
    await page.locator('.switcher summary').click();
    await page.locator('.switcher a:has-text("Schedules v1")').click();
    await page.waitForURL('**/docs/schedules/v1');
    expect(await page.locator('.switcher [aria-current]').textContent()).toBe('Schedules v1');
  });

  const samples = ['/docs/', '/docs/tutorials/first-call'].flatMap((path) =>
    [1440, 360].map((width) => ({ path, width })),
  );
  test.each(samples)('wraps the code beside its button: $path, $width px wide', async ({ path, width }) => {
    const { page } = await visit(await look(width, 'light'), path);
    await page.locator('.code button').first().waitFor();
    const frames = await page.locator('.code').evaluateAll((found) =>
      found.map((frame) => {
        const [code, button] = frame.children;
        if (!code || !button) return undefined;
        return {
          isCut: code.scrollWidth > code.clientWidth,
          isCovered: button.getBoundingClientRect().left < code.getBoundingClientRect().right,
        };
      }),
    );
    expect(new Set(frames.map((frame) => JSON.stringify(frame)))).toEqual(
      new Set([JSON.stringify({ isCut: false, isCovered: false })]),
    );
  });

  test('copies the code of a guide', async () => {
    const context = await look(1280, 'light');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = await visit(context, '/docs/');
    await page.locator('.code button').first().click();
    await page.locator('.code button:has-text("Copied")').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -sG .*Limit=3"$/s);
  });

  const audited = ['/docs/', '/docs/flight-info/v2', '/docs/how-to/receive-webhooks', '/docs/errors', '/docs/unknown'];
  test.each(audited)('meets WCAG 2.2 AA: %s', async (path) => {
    const found: string[] = [];
    // One tab: with a new context for each look, an audit takes twice the processor time.
    const page = await (await look(390, 'light')).newPage();
    for (const width of [390, 768, 1440])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await load(page, path);
        if (path === '/docs/') {
          await page.locator('.search input').fill('webhook');
          await page.locator('.found a').first().waitFor();
        }
        for (const violation of await listViolations(page)) found.push(`${width} ${colorScheme}: ${violation}`);
      }
    expect(found).toEqual([]);
  });

  test.each(['/docs/', '/docs/flight-info/changes', '/docs/flight-info/v2'])(
    'uses the dark scheme when the browser prefers it: %s',
    async (path) => {
      const page = await (await look(1280, 'light')).newPage();
      for (const [colorScheme, colour] of [
        ['light', 'rgb(252, 251, 248)'],
        ['dark', 'rgb(17, 22, 29)'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await load(page, path);
        const bar = page.locator('.bar').first();
        expect(await bar.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(colour);
      }
    },
  );

  test('is readable without a script: the text comes first, and no reference shows only a loading message', async () => {
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

  test('opens the reference at the operation of the link', async () => {
    const { page } = await visit(await look(1280, 'light'), '/docs/flight-info/v2#/flight-instances/getflightinstance');
    const heading = page.locator('h2:has-text("Get one flight instance")').first();
    await heading.waitFor();
    const isVisible = (): Promise<boolean> =>
      heading.evaluate((one) => Math.abs(one.getBoundingClientRect().top) < window.innerHeight);
    await expect.poll(isVisible, { timeout: 60_000 }).toBe(true);
  });
});
