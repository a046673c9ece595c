/** The commands of `@stoplight/prism-cli`, as docs/how-to/mock-server.md recommends them: whatever we publish works with stock tools. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openHttpServer } from '#http/server/server.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { listExampleRequests, type ExampleRequest } from './example-world/example-requests.ts';
import { EXAMPLE_DAY, serveExampleWorld } from './example-world/serve-example-world.ts';
import { serveKnownAlerts } from './services/known-alerts.ts';
import { servedDocuments, type ServedDocument } from './services/served-documents.ts';
import { startPrismMock, startPrismProxy } from './services/stock-prism.ts';

const [world, alerts] = await Promise.all([serveExampleWorld(), serveKnownAlerts()]);
afterAll(world.drop);
afterAll(alerts.drop);

/** The document whose requests the server receives, and its last response as sent: status, media type and body. */
const state: { served?: ServedDocument; sent?: readonly unknown[]; isFaulty?: boolean } = {};

const describeResponse = async (response: Response): Promise<readonly unknown[]> => [
  response.status,
  response.headers.get('content-type'),
  await response.text(),
];

const respond = async (request: Request): Promise<Response> => {
  const { method, headers, url } = request;
  const { pathname, search } = new URL(url);
  const body = method === 'GET' ? undefined : await request.text();
  const isOfAlerts = state.served?.name.startsWith('flight-info-alerts/') === true;
  const send = isOfAlerts ? alerts.sendRestored : world.send;
  const response = await send(`${pathname}${search}`, {
    method,
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { body }),
  });
  state.sent = await describeResponse(response.clone());
  return state.isFaulty === true ? Response.json({ data: 'none' }, { status: response.status }) : response;
};

const server = openHttpServer({ fetch: respond, port: 0, hostname: '127.0.0.1' });
afterAll(() => server.close(0));
const { port } = await server.listening;

const send = (origin: string, { path, method, headers, body }: ExampleRequest): Promise<Response> =>
  fetch(`${origin}${path}`, {
    method,
    // By default Prism's proxy accepts any coding, and can decode some only.
    headers: { 'subscription-key': TEST_KEY, 'accept-encoding': 'identity', ...headers },
    ...(body !== undefined && { body }),
  });

const EVENT_STREAM = 'text/event-stream';

describe.each(servedDocuments.map((served) => [served.name, served] as const))('%s', (_, served) => {
  const requests = listExampleRequests(served);

  test('has an example request of every operation', () => {
    const paths = served.contract.operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(new Set(requests.map(({ method, operationPath }) => `${method} ${operationPath}`))).toEqual(new Set(paths));
  });

  // One test, so that both commands start side by side.
  test('is served by prism mock, and served without a violation behind prism proxy', async () => {
    Object.assign(state, { served, isFaulty: false });
    world.setToday(served.isCurrent ? EXAMPLE_DAY : served.day);
    const upstream = `http://127.0.0.1:${port}`;
    const [mock, proxy] = await Promise.all([startPrismMock(served), startPrismProxy(served, upstream)]);
    onTestFinished(async () => {
      await Promise.all([mock.stop(), proxy.stop()]);
    });
    const problems: unknown[] = [];
    for (const request of requests) {
      const response = await send(mock.origin, request);
      const found = await served.contract.problems(request.method, request.operationPath, response);
      if (!response.ok || found.length > 0) problems.push({ mock: request.path, status: response.status, found });
    }
    // The proxy forwards a response when it is complete, which a stream never is.
    const [first, ...others] = requests.filter(({ headers }) => headers['accept'] !== EVENT_STREAM);
    if (!first) throw new Error('no request');
    for (const request of [first, ...others]) {
      const response = await send(proxy.origin, request);
      const violations = response.headers.get('sl-violations');
      const received = await describeResponse(response);
      if (violations !== null || response.status >= 500 || !isDeepStrictEqual(received, state.sent))
        problems.push({ proxy: request.path, violations, received, sent: state.sent });
    }
    expect([problems, mock.listErrors(), proxy.listErrors()]).toEqual([[], [], []]);
    state.isFaulty = true;
    const faulty = await send(proxy.origin, first);
    expect([faulty.status, faulty.headers.get('sl-violations')]).toEqual([500, expect.stringContaining('response')]);
  });
});
