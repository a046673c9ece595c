import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, waitForOutput, startCommand } from './run-command.ts';

/** What a line of curl asks. */
const asked = (line: string): readonly [url: string, headers: Record<string, string>] => {
  const headers = [...line.matchAll(/-H '(.+?): (.+?)'/g)].map(([, name = '', value = '']) => [name, value]);
  return [/'(http.+)'$/.exec(line)?.[1] ?? '', Object.fromEntries(headers)];
};

test('the mock needs no store, tells what to ask it, and answers that', { timeout: 240_000 }, async () => {
  const nowhere = { DATA_DIR: '/nonexistent', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const child = startCommand(['mock', '--port', '0'], nowhere);
  // Also where something else is said than is expected.
  onTestFinished(() => void child.kill('SIGKILL'));
  const allRead = waitForOutput(child, /every version is read after [\d.]+ s\n/);
  const [said] = await waitForOutput(child, /^[^]*listening on http:\/\/127\.0\.0\.1:\d+ after [\d.]+ s\n/);
  const lines = said.split('\n').filter((line) => line.startsWith('curl '));
  const answers = [];
  const bodies: unknown[] = [];
  for (const line of lines) {
    const [url, headersAsked] = asked(line);
    const response = await fetch(url, { headers: headersAsked });
    const { status, headers } = response;
    answers.push([status, headers.get('api-version'), headers.get('retry-after'), headers.get('sunset')]);
    bodies.push(await response.json());
  }
  expect(bodies[0]).toMatchObject({ data: [{}, {}], paging: { next: expect.stringMatching(/^http:\/\/127/) } });
  expect(said).toContain('Flight Info v2\n');
  expect(answers).toEqual([
    [200, 'v2', null, null],
    [503, 'v2', '5', null],
    [200, 'v1', null, 'Mon, 14 Apr 2025 00:00:00 GMT'],
  ]);
  const [url] = asked(lines[0] ?? '');
  const document = await fetch(new URL('/openapi/flight-info/v2.yaml', url));
  expect([document.status, document.headers.get('content-type')]).toEqual([200, 'application/yaml']);
  await allRead;
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test(
  'where Prism was not installed the mock says how to get it, and does not begin',
  { timeout: 240_000 },
  async () => {
    const hooks = `import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (name, context, next) => {
        if (name === '@stoplight/prism-http') throw new Error('Cannot find the package');
        return next(name, context);
      },
    });`;
    const without = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` };
    const { code, out, err } = await runCommand(['mock', '--port', '0'], without);
    const told =
      'the mock needs the package @stoplight/prism-http, which a server does without; npm install @stoplight/prism-http adds it';
    expect([code, out, err]).toEqual([1, '', `flightdata: ${told}: Cannot find the package\n`]);
  },
);
