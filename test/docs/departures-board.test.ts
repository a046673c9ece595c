import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHttpServer } from '#http/server/server.ts';
import { createEnvironment, waitForOutput } from '../cli/run-command.ts';
import { findBrowser } from '../products/flight-info/v2/map/browser.ts';
import { serveStatuses, xx101, xx301, xx502 } from '../products/flight-info/v2/status-service.ts';
import { listViolations } from '../support/accessibility.ts';
import { TEST_KEY } from '../support/tiny-world.ts';

const program = findBrowser();
if (program === undefined)
  console.warn('no chromium, chromium-browser or google-chrome on the PATH: the board is not looked at in a browser');

const world = await serveStatuses();
await world.report(xx101(), [
  '2026-06-01T09:00:00Z',
  { departure: { gate: 'B32', estimated: { out: '2026-06-01T10:20:00Z' } } },
]);
await world.report(xx502(), ['2026-06-01T09:00:00Z', { cancelled: true }]);
// Scheduled for 08:00.
await world.report(xx301(1), [
  '2026-06-01T09:00:00Z',
  { departure: { gate: 'A1', estimated: { out: '2026-06-01T10:05:00Z' } } },
]);
const keys: (string | null)[] = [];
const fetchService = async (request: Request): Promise<Response> => {
  keys.push(request.headers.get('subscription-key'));
  return world.app.fetch(request);
};
const service = openHttpServer({ fetch: fetchService, port: 0, hostname: '127.0.0.1' });
const { port } = await service.listening;

/** Sets the clock of the proxy to 10:07 in London. */
const clock = `data:text/javascript,Date.now=()=>${Date.parse('2026-06-01T09:07:00Z')}`;
const script = fileURLToPath(new URL('../../docs/examples/departures-board/proxy.js', import.meta.url));
const proxy = spawn(process.execPath, ['--import', clock, script], {
  env: createEnvironment({ SERVICE_URL: `http://127.0.0.1:${port}`, SUBSCRIPTION_KEY: TEST_KEY, PORT: '0' }),
  stdio: ['ignore', 'pipe', 'pipe'],
});
const [, base = ''] = await waitForOutput(proxy, /(http:\/\/127\.0\.0\.1:\d+)\//);
afterAll(async () => {
  const closed = once(proxy, 'close');
  proxy.kill('SIGTERM');
  await closed;
  await service.close(0);
  await world.drop();
});

test('the proxy adds the key, returns 304 while no flight changes, and serves nothing else', async () => {
  keys.length = 0;
  const first = await fetch(`${base}/departures`);
  const etag = first.headers.get('etag') ?? '';
  const again = () => fetch(`${base}/departures`, { headers: { 'If-None-Match': etag } });
  const unchanged = await again();
  await world.report(xx101(), ['2026-06-01T09:01:00Z', { departure: { gate: 'B33' } }]);
  const changed = await again();
  expect([first.status, unchanged.status, await unchanged.text(), changed.status]).toEqual([200, 304, '', 200]);
  expect([keys, JSON.stringify([...changed.headers]).includes(TEST_KEY)]).toEqual([Array(3).fill(TEST_KEY), false]);
  const others = ['/flight-instances', '/departures?DepartureAirport=JFK', '/proxy.js'];
  expect(await Promise.all(others.map(async (path) => (await fetch(base + path)).status))).toEqual([404, 404, 404]);
});

describe.skipIf(program === undefined)('the board in a browser', () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Containers may forbid the namespaces of the sandbox; the browser opens the test page only.
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(() => browser?.close());

  test('shows times, codeshares, gates and states, and meets WCAG 2.2 AA', async () => {
    const page = await browser?.newPage();
    if (!page) throw new Error('no browser');
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(base);
    await page.getByRole('status').filter({ hasText: 'flights' }).waitFor();
    const rows = await page.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['11:00', 'CDG', 'XX 502A', '', '', 'Cancelled'],
      ['08:00', 'JFK', 'XX 301', '', 'A1', 'Expected 11:05'],
      ['11:00', 'JFK', 'XX 101 YY 5101', '5', 'B33', 'Expected 11:20'],
    ]);
    expect([problems, await listViolations(page)]).toEqual([[], []]);
    await page.close();
  });
});
