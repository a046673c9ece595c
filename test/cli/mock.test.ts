import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, waitForOutput, startCommand } from './run-command.ts';

const parseCurl = (line: string): readonly [url: string, headers: Record<string, string>] => {
  const headers = [...line.matchAll(/-H '(.+?): (.+?)'/g)].map(([, name = '', value = '']) => [name, value]);
  return [/'(http.+)'$/.exec(line)?.[1] ?? '', Object.fromEntries(headers)];
};

test('prints example requests and responds to them without a store', { timeout: 240_000 }, async () => {
  const noStore = { DATA_DIR: '/nonexistent', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const child = startCommand(['mock', '--port', '0'], noStore);
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

test('reports how to install Prism and exits when Prism is missing', { timeout: 240_000 }, async () => {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (name, context, next) => {
        if (name === '@stoplight/prism-http') throw new Error('Cannot find the package');
        return next(name, context);
      },
    });`;
  const without = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` };
  const { code, out, err } = await runCommand(['mock', '--port', '0'], without);
  const message =
    'the mock requires the package @stoplight/prism-http; install it with: npm install --ignore-scripts @stoplight/prism-http';
  expect([code, out, err]).toEqual([1, '', `flightdata: ${message}: Cannot find the package\n`]);
});
