import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFlightMapHandler } from '../../../../../src/products/flight-info/v2/map/flight-map-handler.ts';
import { openMapRenderer } from '../../../../../src/products/flight-info/v2/map/map-renderer.ts';
import { sealMapToken } from '../../../../../src/products/flight-info/v2/map/map-token.ts';
import { findBrowser, openTab, loadPage, type Tab } from './browser.ts';
import { atlantic, atMs, channel, diverted, pacific } from './sample-flights.ts';

const secret = Buffer.alloc(32, 5);
const flights = [
  { name: 'LHR-JFK', source: atlantic, when: '2027-03-01T13:30Z', airports: ['JFK', 'LHR'] },
  { name: 'AKL-LAX across 180°', source: pacific, when: '2027-03-02T11:00Z', airports: ['AKL', 'LAX'] },
  { name: 'LHR-CDG', source: channel, when: '2027-03-01T08:55Z', airports: ['CDG', 'LHR'] },
  { name: 'JFK-LAX diverted to DEN', source: diverted, when: '2027-03-01T16:40Z', airports: ['DEN', 'JFK', 'LAX'] },
] as const;
const looks = [
  { width: 390, height: 844, scheme: 'light' },
  { width: 1280, height: 800, scheme: 'dark' },
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
  let tab: Tab;
  let server: Server;
  const drawer = openMapRenderer();
  const pages = flights.map(({ source, when }) => {
    const page = createFlightMapHandler({
      secret,
      findSource: () => Promise.resolve(source),
      renderPage: drawer.render,
    });
    const now = new Date(atMs(when));
    const token = sealMapToken(secret, { departsOn: source.departsOn, statusOrder: 1n, expiresAt: now.getTime() + 1 });
    return { path: `/flight-map/${token}`, respond: (request: Request) => page(request, now) };
  });

  beforeAll(async () => {
    tab = await openTab(program ?? '');
    server = createServer((request, response) => {
      const page = pages.find(({ path }) => path === request.url);
      void (async () => {
        const reply = await page?.respond(new Request(`http://localhost${request.url ?? ''}`));
        response.writeHead(reply?.status ?? 404, reply?.headers);
        response.end(reply?.getBytes());
      })();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(async () => {
    await tab?.close();
    await drawer.stop();
    server?.closeAllConnections();
    server?.close();
  });

  test.each(flights.flatMap(({ name, airports }, index) => looks.map((look) => ({ name, airports, index, ...look }))))(
    'is complete and logs no errors: $name at $width x $height',
    async ({ index, airports, ...look }) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pages[index]?.path ?? ''}`;
      const { warnings, requests, evaluate } = await loadPage(tab, url, look);
      expect({ warnings, requests, ...Object(await evaluate(measure)) }).toEqual({
        warnings: [],
        requests: [url],
        shown: 1,
        airports,
        areInside: true,
        areApart: true,
        scrollsSideways: false,
        isStyled: '24px',
      });
    },
  );
});
