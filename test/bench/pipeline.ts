/**
 * Measures the HTTP pipeline in this process, without sockets and database: the processor time of a cached page in the whole application, and
 * what each middleware costs of it. The request and the response are those of the HTTP adapter.
 */
import { createApp, type AppOptions } from '#app.ts';
import { createKeyChecker } from '#http/auth/api-keys.ts';
import { PageCache } from '#http/cache/page-cache.ts';
import { sendRendered } from '#http/context/body.ts';
import { createApi } from '#http/handler/create-api.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { createFairQueues } from '#http/rate-limit/fair-admission.ts';
import { LoadShedder } from '#http/rate-limit/load-shedder.ts';
import { createRateLimiter } from '#http/rate-limit/rate-limiter.ts';
import { catalog } from '#generated/catalog.ts';
import { listFlightInstancesRoute } from '#generated/flight-info/v2/routes.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';

const bytes = Buffer.from(JSON.stringify({ data: 'x'.repeat(12_600) }));
const contents = {
  days: { from: localDate('2026-04-01'), to: localDate('2026-04-02') },
  carriers: undefined,
  departures: [1],
  arrivals: undefined,
  dependsOnStatuses: false,
  flights: new Set<string>(),
  flightDays: undefined,
};

const createTestApp = () => {
  const clock = () => new Date();
  const api = createApi({ reads: 'replica', cached: [listFlightInstancesRoute] });
  api.get('/flight-instances', (c) => {
    const hint = c.get('cacheHint');
    if (hint) hint.contents = contents;
    return sendRendered(c, bytes);
  });
  const options: AppOptions = {
    catalog,
    versions: { 'flight-info/v2': api },
    checkKey: createKeyChecker({
      findKey: async () => ({ subscriptionId: 1, products: ['flight-info'], revoked: false }),
      clock,
    }),
    admitRequest: createRateLimiter({
      reserveRequests: async ({ windows }) =>
        windows.map(({ kind }) => ({ kind, reserved: 1_000_000, reservedByAll: 1_000_000 })),
      clock,
      defaults: { perMinute: 100_000_000, perMonth: 1_000_000_000_000, atOnce: 200 },
    }),
    clock,
    log: createAccessLog({ write: () => true }),
    isUnavailable: () => false,
    loadShedder: new LoadShedder(),
    fairQueues: createFairQueues(),
    masterDataLease: { isCaughtUp: () => true, catchUp: async () => {}, staleAsOf: () => undefined },
    flightPageCache: new PageCache({
      changes: {
        isCaughtUp: () => true,
        catchUp: async () => {},
        position: () => 1,
        isUnchanged: () => true,
        checkedAt: () => undefined,
        wasUnchanged: () => true,
      },
      getDependency: () => undefined,
      maxBytes: 1e8,
    }),
    staleness: { maxStalenessMs: 60_000 },
  };
  return createApp(options);
};

const path = '/flight-instances?version=v2&DepartureDateTime=2026-11-28&DepartureAirport=LHR&CarrierCode=BA&Limit=10';

type Fetch = (request: Request) => Response | Promise<Response>;

/** Creates a function that handles a request through the adapter, up to the bytes that it would write. */
const createCaller = (fetch: Fetch) => {
  const listener = getRequestListener(fetch, { hostname: 'localhost' });
  const rawHeaders = ['Host', '127.0.0.1:8080', 'Subscription-Key', 'good-key', 'Connection', 'keep-alive'];
  return async (): Promise<number> => {
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    Object.assign(request, { method: 'GET', url: path, httpVersion: '1.1' });
    Reflect.apply(Reflect.get(request, '_addHeaderLines'), request, [rawHeaders, rawHeaders.length]);
    request.complete = true;
    const response = new ServerResponse(request);
    await listener(request, response);
    return response.statusCode;
  };
};

/** Returns the least processor time of a call in several rounds, microseconds. */
const measure = async (call: () => Promise<number>, rounds = 15, calls = 4000): Promise<number> => {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < calls; index += 1) if ((await call()) !== 200) throw new Error('not a 200');
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / calls);
  }
  return least;
};

const base = await measure(
  createCaller(() => new Response(bytes, { headers: { 'content-type': 'application/json' } })),
);
console.log('adapter alone', base.toFixed(1));
const app = createTestApp();
const call = createCaller((request) => app.fetch(request));
for (let index = 0; index < 3; index += 1) console.log('status', await call());
console.log('application', (await measure(call)).toFixed(1));
