/*
 * The live page in a real browser. LIVE_CHANGES=200 measures how long a changed status takes to the page.
 */
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readLivePage } from '#cli/shared/live-page.ts';
import { delayAtLeast } from '#lib/delay-at-least.ts';
import { openHttpServer } from '#http/server/server.ts';
import { findBrowser } from '#test/products/flight-info/v2/map/browser.ts';
import { serveStatuses, xx101, xx301, xx502 } from '#test/products/flight-info/v2/status-service.ts';
import { listViolations } from '#test/support/accessibility.ts';
import { computeQuantile } from '#test/support/quantile.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';

const program = findBrowser();
if (program === undefined)
  console.warn('no chromium, chromium-browser or google-chrome on the PATH: the live page is not tested in a browser');
const isMeasured = process.env['LIVE_CHANGES'] !== undefined;
const CHANGES = Number(process.env['LIVE_CHANGES'] ?? 2);

const world = await serveStatuses({ published: readLivePage() });
const expected = (out: string) => ({ departure: { gate: 'A1', estimated: { out } } });
// It is 13:00 in London, an hour ahead of UTC. All three departures are late.
await world.report(xx101(), ['2026-06-01T11:50:00Z', expected('2026-06-01T13:00:00Z')]);
await world.report(xx502(), ['2026-06-01T11:40:00Z', { cancelled: true, ...expected('2026-06-01T12:10:00Z') }]);
await world.report(xx301(1), [
  '2026-06-01T11:55:00Z',
  {
    source: 'avinor:OSL',
    departure: { actual: { off: '2026-06-01T11:50:00Z' } },
    arrival: { estimated: { on: '2026-06-01T17:35:00Z' }, baggage: '7' },
  },
]);

/** The time of the service: the page uses it in place of the clock of the reader. */
const noon = '2026-06-01T12:00:00Z';
let date = noon;
beforeEach(() => {
  date = noon;
});
const service = openHttpServer({
  fetch: async (request: Request): Promise<Response> => {
    const response = await world.app.fetch(request);
    const headers = new Headers(response.headers);
    headers.set('date', new Date(date).toUTCString());
    return new Response(response.body, { status: response.status, headers });
  },
  port: 0,
  hostname: '127.0.0.1',
});
const { port } = await service.listening;
const base = `http://127.0.0.1:${port}/live/`;
afterAll(async () => {
  await service.close(0);
  await world.drop();
});

test('the page has a strict policy, loads from its server only, and needs no key itself', async () => {
  const response = await fetch(base);
  const page = await response.text();
  expect([response.status, response.headers.get('content-security-policy')]).toEqual([
    200,
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ]);
  const files = [...page.matchAll(/(?:src|href)="([^"#:]+)"/g)].map(([, file = '']) => file);
  const statuses = await Promise.all(files.map(async (file) => [file, (await fetch(new URL(file, base))).status]));
  expect(statuses.filter(([file]) => file !== '../docs/')).toEqual(
    ['live.css', 'd3-array.js', 'd3-geo.js', 'topojson-client.js', 'live.js'].map((file) => [file, 200]),
  );
  const other = await fetch(new URL('/live', base), { redirect: 'manual' });
  expect([other.status, other.headers.get('location')]).toEqual([302, 'live/']);
});

test('a public key is part of the page, another one is not', () => {
  const [page] = readLivePage('demo-key');
  expect(Buffer.from(page?.bytes ?? []).toString()).toContain('name="public-key" content="demo-key"');
});

test('a service without the page has no such address', async () => {
  const without = await serveStatuses();
  expect((await without.app.request('http://service.test/live/')).status).toBe(404);
  await without.drop();
});

type ViewOptions = { readonly key?: string; readonly width?: number; readonly scheme?: 'light' | 'dark' };

describe.skipIf(program === undefined)('the page in a browser', () => {
  let browser: Browser | undefined;
  const problems: string[] = [];
  beforeAll(async () => {
    // Containers may forbid the namespaces of the sandbox; the browser opens the test page only.
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(() => browser?.close());

  /** Opens a view; with a key unless one has to be entered. */
  const openView = async (
    hash: string,
    { key = TEST_KEY, width = 1280, scheme = 'light' }: ViewOptions = {},
  ): Promise<Page> => {
    const page = await browser?.newPage({ viewport: { width, height: 800 }, colorScheme: scheme });
    if (!page) throw new Error('no browser');
    page.on('pageerror', (error) => problems.push(error.message));
    if (key) await page.addInitScript(`sessionStorage.setItem('flightdata.key', '${key}')`);
    await page.goto(base + hash);
    return page;
  };
  const listRows = async (page: Page): Promise<readonly (readonly string[])[]> => {
    const rows = await page.locator('tbody tr').all();
    return Promise.all(rows.map((row) => row.locator('td, th').allInnerTexts()));
  };
  const rowOf = (page: Page, name: string) => page.locator('tbody tr', { hasText: name });

  test('shows late departures at their latest time, and changes of them', async () => {
    const page = await openView('#/departures/LHR');
    await rowOf(page, 'XX 101').waitFor();
    expect(await page.locator('h1').innerText()).toBe('Departures LHR airport (LHR)');
    expect(await page.locator('main .note').first().innerText()).toBe('3 flights. It is 13:00 there.');
    expect(await listRows(page)).toEqual([
      ['08:00', '12:50', 'XX 301', 'JFK airport JFK', '', 'Departed', ''],
      ['11:00', '13:10', 'XX 502A', 'CDG airport CDG', '', 'Cancelled', 'A1'],
      ['11:00', '14:00', 'XX 101 YY 5101', 'JFK airport JFK', '5', 'Expected 14:00', 'A1'],
    ]);
    const times: number[] = [];
    for (let change = 0; change < CHANGES; change += 1) {
      // Measured at all moments between two refreshes.
      if (isMeasured) await delayAtLeast((change * 1237) % 5000);
      const at = new Date(Date.parse('2026-06-01T11:51:00Z') + change * 1000).toISOString();
      const start = performance.now();
      await world.report(xx101(), [at, { departure: { gate: `B${change}` } }]);
      await rowOf(page, 'XX 101').getByText(`B${change}`, { exact: true }).waitFor();
      times.push(performance.now() - start);
    }
    if (isMeasured)
      console.log(
        `from a status to the page: p50 ${computeQuantile(times, 0.5)} ms, p99 ${computeQuantile(times, 0.99)} ms`,
      );
    expect([problems, page.url()]).toEqual([[], `${base}#/departures/LHR`]);
    await page.close();
  }, 3_600_000);

  test('shows arrivals with their belts and the attribution of public feeds', async () => {
    const page = await openView('#/arrivals/JFK');
    await rowOf(page, 'XX 301').waitFor();
    expect((await listRows(page)).map(([scheduled, latest, flight]) => [scheduled, latest, flight])).toEqual([
      ['11:00', '13:35', 'XX 301'],
      ['14:00', '', 'XX 101 YY 5101'],
    ]);
    expect(await rowOf(page, 'XX 301').locator('td').last().innerText()).toBe('7');
    const sources = page.locator('#sources');
    expect(await sources.innerText()).toBe('Flight data from Avinor (Free of charge with attribution).');
    expect(await sources.getByRole('link', { name: 'Flight data from Avinor' }).getAttribute('href')).toBe(
      'https://avinor.no/',
    );
    await page.close();
  });

  test('requests a key once for a tab, and never shows it in the address', async () => {
    const page = await openView('#/departures/LHR', { key: '' });
    const enter = async (key: string): Promise<void> => {
      await page.getByLabel('Key', { exact: true }).fill(key);
      await page.getByRole('button', { name: 'Use the key' }).click();
    };
    await page.getByRole('dialog').waitFor();
    await enter('wrong');
    await page.getByRole('dialog').waitFor();
    await enter(TEST_KEY);
    await rowOf(page, 'XX 101').waitFor();
    await page.reload();
    await rowOf(page, 'XX 101').waitFor();
    expect([page.url(), await page.evaluate('localStorage.length')]).toEqual([`${base}#/departures/LHR`, 0]);
    await page.close();
  });

  test('finds a flight by its number with the keyboard, and shows its reports, its map and its position', async () => {
    const page = await openView('#/departures/LHR');
    await rowOf(page, 'XX 301').waitFor();
    await page.getByLabel('Flight', { exact: true }).focus();
    await page.keyboard.type('xx301');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Flight xx301' }).waitFor();
    await rowOf(page, '06-01').getByRole('link', { name: 'XX 301' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'XX 301, LHR airport to JFK airport' }).waitFor();
    expect(await listRows(page)).toEqual([
      ['Departure LHR', '08:00', '12:50 actual', ''],
      ['Arrival JFK', '11:00', '13:35 estimated', ''],
    ]);
    expect(await page.locator('ol li').allInnerTexts()).toEqual([
      '2026-06-01 11:55 UTC state: inAir · departure actual off ground: 12:50 · arrival estimated on ground: 13:35 · arrival baggage: 7',
    ]);
    expect(await page.getByText('Estimated position').innerText()).toBe(
      'Estimated position: 51.9° N, 2.7° W, 3 % flown.',
    );
    expect(await page.locator('svg .aircraft').count()).toBe(1);
    await page.close();
  });

  test('opens a flight that is in no schedule', async () => {
    const scheduledDeparture = '2026-06-01T15:00:00Z';
    const flight = { ...xx101(), flightNumber: 9400, departureAirport: 'LAX', scheduledDeparture };
    const plan = {
      flightType: 'Scheduled',
      departs: { airport: 'LAX', at: scheduledDeparture },
      arrives: { airport: 'JFK' },
    };
    await world.report({ ...flight, arrivalAirport: 'JFK' }, ['2026-06-01T11:00:00Z', { plan }]);
    const page = await openView('#/departures/LAX');
    await rowOf(page, 'XX 9400').getByRole('link').click();
    await page.getByRole('heading', { name: 'XX 9400, LAX airport to JFK airport' }).waitFor();
    const ends = (await listRows(page)).map(([end = '', scheduled = '']) => [
      end,
      scheduled.replace(/\d\d:\d\d.*/, ''),
    ]);
    expect(ends).toEqual([
      ['Departure LAX', ''],
      ['Arrival JFK', 'about '],
    ]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('shows the flights in the air on a map and in a table', async () => {
    const page = await openView('#/map');
    await rowOf(page, 'XX 301').waitFor();
    expect(await listRows(page)).toEqual([
      ['XX 301', '06-01', '12:50 LHR airport LHR', '13:35 JFK airport JFK', '3 % flown'],
    ]);
    expect(await page.locator('svg .aircraft').count()).toBe(1);
    // Public feeds report no take-off: this flight left its gate two hours ago, that one has just done so.
    for (const [flightNumber, out] of [
      [9501, '2026-06-01T10:00:00Z'],
      [9502, '2026-06-01T11:55:00Z'],
    ] as const) {
      const flight = { ...xx101(), flightNumber, scheduledDeparture: out };
      const plan = { flightType: 'Scheduled', departs: { airport: 'LHR', at: out }, arrives: { airport: 'JFK' } };
      await world.report(flight, [out, { source: 'avinor', plan, departure: { actual: { out } } }]);
    }
    await page.reload();
    await rowOf(page, 'XX 9501').waitFor();
    expect(new Set((await listRows(page)).map(([name]) => name))).toEqual(new Set(['XX 301', 'XX 9501']));
    await page.close();
  });

  test('says when it cannot be refreshed, and when its reports are old', async () => {
    const page = await openView('#/departures/LHR');
    await rowOf(page, 'XX 101').waitFor();
    const rows = await listRows(page);
    const addresses = '**/flight-instances?*';
    await page.route(addresses, (route) => route.fulfill({ status: 503, body: '{"detail":"The database is down."}' }));
    await page
      .getByRole('status')
      .filter({ hasText: 'The database is down. The page is as of 2026-06-01 12:00 UTC.' })
      .waitFor();
    expect(await listRows(page)).toEqual(rows);
    await page.unroute(addresses);
    date = '2026-06-01T14:10:00Z';
    await page.getByRole('status').filter({ hasText: 'The newest report on these flights is from' }).waitFor();
    await page.close();
  });

  test.each(['#/departures/LHR', '#/arrivals/JFK', '#/map', '#/search/XX301', 'flight'])(
    '%s meets WCAG 2.2 AA in light and dark and fits a phone',
    async (view) => {
      const [flight] = (await world.getPage('DepartureDateTime=2026-06-01&FlightNumber=301&ArrivalAirport=JFK')).data;
      const hash = view === 'flight' ? `#/flight/2026-06-01/${flight?.scheduleInstanceKey}` : view;
      for (const scheme of ['light', 'dark'] as const) {
        const page = await openView(hash, { width: scheme === 'light' ? 1280 : 390, scheme });
        await page.locator('tbody tr').first().waitFor();
        expect([scheme, await listViolations(page)]).toEqual([scheme, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        await page.close();
      }
    },
  );
});
