import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import type { EventPage } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { createRouteTable } from '#http/router/select-operation.ts';
import { ingest, message } from '#test/jobs/status/messages.ts';
import { reportFault } from '../support/report-fault.ts';
import { startReplicatedPostgres } from './private-postgres.ts';
import { headers, healthPath, sampleRequests, serveWorld, type ServedWorld } from './served-world.ts';

let cluster: Awaited<ReturnType<typeof startReplicatedPostgres>>;
let world: ServedWorld;
beforeAll(async () => {
  cluster = await startReplicatedPostgres();
  world = await serveWorld(cluster.primary.url, {
    DATABASE_URL: `${cluster.primary.url},${cluster.replica.url}`,
    METRICS_PORT: '0',
    LIMIT_PER_MINUTE: '60000',
    LIMIT_PER_MONTH: '1000000',
  });
});
afterAll(async () => {
  await world?.close();
  await cluster?.remove();
});

type Sent = { readonly path: string; readonly more?: Readonly<Record<string, string>>; readonly body?: object };

const send = ({ path, more, body }: Sent): Promise<Response> =>
  fetch(`${world.server.base}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...headers, ...more },
  });

/** Describes a response by its status, and whether it says as of when it is. */
const describeResponse = ({ status, headers: sent }: Response): string => {
  const age = Number(sent.get('age') ?? Number.NaN);
  const isStale = sent.get('cache-control') === 'no-store' && age >= 0 && age < 60 && sent.has('data-as-of');
  const isCurrent = !sent.has('age') && !sent.has('data-as-of');
  return `${status} ${isStale ? 'stale' : isCurrent ? 'current' : JSON.stringify([...sent])}`;
};

const alertPaths = ['alerts', 'endpoints', 'events'] as const;

const listReads = (): readonly Sent[] => [
  ...Object.values(sampleRequests).map((path) => ({ path })),
  // Not requested before: no cache contains it.
  { path: '/flight-instances?version=v2&DepartureDateTime=2026-06-02&Content=Status' },
  ...alertPaths.map((name) => ({
    path: `/flight-info-alerts/${name}?version=v1`,
    more: { accountId: world.accountId },
  })),
];

const readAll = async (): Promise<readonly string[]> => {
  const responses: string[] = [];
  for (const sent of listReads()) responses.push(`${sent.path} ${describeResponse(await send(sent))}`);
  return responses;
};

test('the reads of this test are of every product that reads', () => {
  const findRoute = createRouteTable(catalog);
  const requested = new Set(
    [...Object.values(sampleRequests), ...alertPaths.map((name) => `/flight-info-alerts/${name}`)].map(
      (path) => findRoute(path.split('?', 1)[0] ?? '')?.entry.product.product,
    ),
  );
  expect(requested).toEqual(
    new Set(catalog.map(({ product }) => product).filter((product) => product !== 'status-feed')),
  );
});

const expectAll = (outcome: string): readonly string[] => listReads().map(({ path }) => `${path} ${outcome}`);

const fetchReadiness = async (): Promise<string> => {
  const [, metricsUrl = ''] = /metrics on (http:\S+)\/metrics/.exec(world.server.output()) ?? [];
  const response = await fetch(`${metricsUrl}/readyz`);
  return `${response.status} ${(await response.text()).trim()}`;
};

const pullEvents = async (after: number): Promise<EventPage> => {
  const path = `/flight-info-alerts/events?version=v1&After=${after}`;
  const page: EventPage = await (await send({ path, more: { accountId: world.accountId } })).json();
  return page;
};

test('reads outlive the primary, and say as of when they are', { timeout: 120_000 }, async () => {
  const [message1] = [message({ id: 'm1', at: '2026-06-01T12:00:00Z', facts: { departureGate: 'A1' } })];
  await ingest(world.db, [message1]);
  await expect.poll(async () => (await pullEvents(0)).data.length).toBeGreaterThan(0);
  expect(await readAll()).toEqual(expectAll('200 current'));
  expect(await fetchReadiness()).toBe('200 ready');
  const [single = ''] = listReads().map(({ path }) => path);
  const etag = (await send({ path: single })).headers.get('etag') ?? '';
  const { position } = await pullEvents(0);

  await cluster.primary.stop('kill');
  let reads = 0;
  const failed: string[] = [];
  // From the first moment on, also before any check has noticed.
  for (let round = 0; round < 5; round += 1)
    for (const outcome of await readAll()) {
      reads += 1;
      if (!/ 200 (stale|current)$/.test(outcome)) failed.push(outcome);
    }
  expect(failed).toEqual([]);
  await expect.poll(readAll).toEqual(expectAll('200 stale'));
  expect(describeResponse(await send({ path: single, more: { 'If-None-Match': etag } }))).toBe('304 stale');
  const unknown = `/flight-instances/2026-06-01/${'0'.repeat(64)}?version=v2`;
  expect(describeResponse(await send({ path: unknown }))).toBe('404 stale');
  expect(describeResponse(await send({ path: healthPath }))).toBe('200 stale');
  expect(describeResponse(await send({ path: '/status-feed/health' }))).toBe('503 current');
  await expect.poll(fetchReadiness).toBe('200 ready for reads: the primary database does not respond');
  // Positions after the last one known could be given again by the next primary.
  expect(await pullEvents(0)).toMatchObject({ data: [], position: 0, latest: position });

  const rejected = await send({
    path: '/flight-info-alerts/alerts?version=v1',
    body: { accountId: world.accountId, name: 'Los Angeles', alertType: 'Port', departureAirport: 'LAX' },
  });
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([503, true]);

  await cluster.primary.start();
  await expect.poll(readAll, { timeout: 20_000 }).toEqual(expectAll('200 current'));
  const lines = world.server.output().split('\n');
  const errors = lines.filter((line) => line.includes('"level":"error"')).length;
  reportFault(50, { reads, failed: failed.length, 'error lines': errors }, 'reads');
});
