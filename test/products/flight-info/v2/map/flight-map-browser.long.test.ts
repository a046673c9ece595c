import { Hono } from 'hono';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Env } from '#http/context/env.ts';
import { openHttpServer, type HttpServer } from '#http/server/server.ts';
import { createFlightMapHandler } from '#products/flight-info/v2/map/flight-map-handler.ts';
import { openMapRenderer } from '#products/flight-info/v2/map/map-renderer.ts';
import { sealMapToken } from '#products/flight-info/v2/map/map-token.ts';
import { serve } from '#test/http/tiny-service.ts';
import { listViolations } from '#test/support/accessibility.ts';
import { findBrowser } from './browser.ts';
import { atlantic, atMs, channel, diverted, pacific } from './sample-flights.ts';

const secret = Buffer.alloc(32, 5);
/** The North Atlantic, across 180°, the Channel, and a diversion. */
const flights = [
  { source: atlantic, when: '2027-03-01T13:30Z', airports: ['JFK', 'LHR'] },
  { source: pacific, when: '2027-03-02T11:00Z', airports: ['AKL', 'LAX'] },
  { source: channel, when: '2027-03-01T08:55Z', airports: ['CDG', 'LHR'] },
  { source: diverted, when: '2027-03-01T16:40Z', airports: ['DEN', 'JFK', 'LAX'] },
] as const;
const looks = [
  { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { viewport: { width: 768, height: 1024 }, colorScheme: 'dark' },
  { viewport: { width: 1440, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 1440, height: 800 }, colorScheme: 'dark' },
] as const;

const program = findBrowser();
if (program === undefined)
  console.warn('no chromium, chromium-browser or google-chrome on the PATH: the map is not looked at in a browser');

/** Measures the page in the browser: the airports of the visible map, and whether any element overflows. */
const measure = `(() => {
  const map = document.querySelector('.map').getBoundingClientRect();
  const shown = [...document.querySelectorAll('.map > svg')].filter((svg) => getComputedStyle(svg).display !== 'none');
  const inside = (box) => box.left >= map.left && box.right <= map.right && box.top >= map.top && box.bottom <= map.bottom;
  const labels = shown.flatMap((svg) => [...svg.querySelectorAll('.labels text')]);
  const boxes = labels.map((label) => label.getBoundingClientRect());
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  return {
    shown: shown.length,
    airports: labels.map((label) => label.querySelector('.code').textContent).sort(),
    areInside: [...boxes, ...shown.map((svg) => svg.querySelector('.aircraft').getBoundingClientRect())].every(inside),
    areApart: boxes.every((a, index) => boxes.slice(index + 1).every((b) => apart(a, b))),
    scrollsSideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    isStyled: getComputedStyle(document.querySelector('h1')).fontSize,
  };
})()`;

describe.skipIf(program === undefined)('the page of a map, in a browser', () => {
  let browser: Browser;
  let server: HttpServer;
  let base: string;
  const drawer = openMapRenderer();
  const pages = flights.map(({ source, when }) => {
    const handler = createFlightMapHandler({ secret, findSource: async () => source, renderPage: drawer.render });
    const now = new Date(atMs(when));
    const token = sealMapToken(secret, { departsOn: source.departsOn, statusOrder: 1n, expiresAt: now.getTime() + 1 });
    const page = new Hono<Env>().all('/flight-map/:token', handler);
    const { app } = serve({ clock: () => now, pages: [{ prefixes: [], app: page }] });
    return { path: `/flight-map/${token}`, app };
  });

  beforeAll(async () => {
    // Containers may forbid the namespaces of the sandbox; the browser opens the test page only.
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    const fetch = async (request: Request): Promise<Response> => {
      const page = pages.find(({ path }) => path === new URL(request.url).pathname);
      return page ? page.app.fetch(request) : new Response(null, { status: 404 });
    };
    server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1' });
    base = `http://127.0.0.1:${(await server.listening).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close(0);
    await drawer.stop();
  });

  test.each(looks)('is complete, logs no errors and meets WCAG 2.2 AA: %j', async (look) => {
    const context = await browser.newContext(look);
    for (const [index, { airports }] of flights.entries()) {
      const [warnings, requests]: [string[], string[]] = [[], []];
      const url = `${base}${pages[index]?.path}`;
      const page = await context.newPage();
      page.on('console', (message) => warnings.push(message.text()));
      page.on('pageerror', (error) => warnings.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(url);
      // The map reloads to show a position in real time, for which WCAG 2.2.1 has an exception.
      const violations = await listViolations(page, ['meta-refresh']);
      expect({ warnings, requests, violations, ...Object(await page.evaluate(measure)) }).toEqual({
        violations: [],
        warnings: [],
        requests: [url],
        shown: 1,
        airports,
        areInside: true,
        areApart: true,
        scrollsSideways: false,
        isStyled: '24px',
      });
      await page.close();
    }
    await context.close();
  });
});
