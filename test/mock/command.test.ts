import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { runMock, startMock, waitForOutput } from '#test/cli/run-command.ts';
import { serviceVersion } from '#service-version.ts';

const parseCurl = (line: string): readonly [url: string, headers: Record<string, string>] => {
  const headers = [...line.matchAll(/-H '(.+?): (.+?)'/g)].map(([, name = '', value = '']) => [name, value]);
  return [/'(http.+)'$/.exec(line)?.[1] ?? '', Object.fromEntries(headers)];
};

test('prints example requests and responds to them without a store', { timeout: 240_000 }, async () => {
  const noStore = { DATA_DIR: '/nonexistent', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const child = startMock(['--port', '0'], noStore);
  // Also ends the process when the output is not as expected.
  onTestFinished(() => void child.kill('SIGKILL'));
  const allRead = waitForOutput(child, /all versions loaded after [\d.]+ s\n/);
  const [output] = await waitForOutput(child, /^[^]*listening on http:\/\/127\.0\.0\.1:\d+ after [\d.]+ s\n/);
  const lines = output.split('\n').filter((line) => line.startsWith('curl '));
  const responses = [];
  const bodies: unknown[] = [];
  for (const line of lines) {
    const [url, requestHeaders] = parseCurl(line);
    const response = await fetch(url, { headers: requestHeaders });
    const { status, headers } = response;
    responses.push([status, headers.get('api-version'), headers.get('retry-after'), headers.get('sunset')]);
    bodies.push(await response.json());
  }
  expect(bodies[0]).toMatchObject({ data: [{}, {}], paging: { next: expect.stringMatching(/^http:\/\/127/) } });
  expect(output).toContain('Flight Info v2\n');
  expect(responses).toEqual([
    [200, 'v2', null, null],
    [503, 'v2', '5', null],
    [200, 'v1', null, 'Mon, 14 Apr 2025 00:00:00 GMT'],
  ]);
  const [url] = parseCurl(lines[0] ?? '');
  const document = await fetch(new URL('/openapi/flight-info/v2.yaml', url));
  expect([document.status, document.headers.get('content-type')]).toEqual([200, 'application/yaml']);
  await allRead;
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

const address =
  '192.0.2.1: this machine has no such address; choose 127.0.0.1, or 0.0.0.0 for all addresses (EADDRNOTAVAIL)';

test.each([
  [['--host', '192.0.2.1'], {}, `--host=${address}`],
  [[], { HOST: '192.0.2.1', PORT: '0' }, `HOST=${address}`],
  [['--port', 'x'], {}, `PORT must be a whole number from 0 to 65535, not 'x'`],
  [['--today', '2024'], {}, `FLIGHTDATA_TODAY must be a date of the form YYYY-MM-DD, not '2024'`],
  [['--strict'], {}, `Unknown option '--strict'`],
])('flightdata-mock %j with %j names setting, value and remedy', async (args, env, message) => {
  const { code, out, err } = await runMock(args, env);
  expect([code, out, err]).toEqual([1, '', `flightdata-mock: ${message}\n`]);
});

test('--help lists options and variables, and --version prints the version', async () => {
  const { code, out } = await runMock(['--help']);
  expect([code, out.match(/^ +(?:-., )?--\w+|^ +[A-Z]\w+/gm)?.map((name) => name.trim())]).toEqual([
    0,
    ['--port', '--host', '--today', '-V, --version', '-h, --help', 'PORT', 'HOST', 'FLIGHTDATA_TODAY'],
  ]);
  expect((await runMock(['--version'])).out).toBe(`${serviceVersion}\n`);
});
