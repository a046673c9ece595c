/**
 * Measures the HTTP pipeline in this process, without sockets and database: the processor time of a cached page of ten flights in the whole
 * application, and what each middleware adds to it. Requests and responses are those of the HTTP adapter.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { type AppOptions, createApp } from '#app.ts';
import { localDate } from '#domain/time/dates.ts';
import { catalog } from '#generated/catalog.ts';
import { listFlightInstancesRoute } from '#generated/flight-info/v2/routes.gen.ts';
import { createKeyChecker } from '#http/auth/api-keys.ts';
import { PageCache } from '#http/cache/page-cache.ts';
import { sendRendered } from '#http/context/body.ts';
import type { Env } from '#http/context/env.ts';
import { createApi } from '#http/handler/create-api.ts';
import { accessLog } from '#http/middleware/access-log.ts';
import { inOrder } from '#http/middleware/in-order.ts';
import { loadShedding } from '#http/middleware/load-shedding.ts';
import { masterDataLease } from '#http/middleware/master-data-lease.ts';
import { mediaType } from '#http/middleware/media-type.ts';
import { rateLimit } from '#http/middleware/rate-limit.ts';
import { representation } from '#http/middleware/representation.ts';
import { requestId } from '#http/middleware/request-id.ts';
import { responseHeaders } from '#http/middleware/response-headers.ts';
import { selection } from '#http/middleware/selection.ts';
import { subscriptionKey } from '#http/middleware/subscription-key.ts';
import { unknownParameters } from '#http/middleware/unknown-parameters.ts';
import { versioning } from '#http/middleware/versioning.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { createFairQueues } from '#http/rate-limit/fair-admission.ts';
import { LoadShedder } from '#http/rate-limit/load-shedder.ts';
import { createRateLimiter } from '#http/rate-limit/rate-limiter.ts';
import { ParameterNames } from '#http/request/unknown-parameters.ts';
import { OperationSelector } from '#http/router/select-operation.ts';
import { figure, type Figure, printFigure } from './figures.ts';

const target = '/flight-instances?version=v2&DepartureDateTime=2026-11-28&DepartureAirport=LHR&CarrierCode=BA&Limit=10';
const bytes = Buffer.from(JSON.stringify({ data: 'x'.repeat(12_600) }));
const day = localDate('2026-11-28');
const contents = {
  days: { from: day, to: day },
  carriers: undefined,
  departures: [1],
  arrivals: undefined,
  dependsOnStatuses: false,
  flights: new Set<string>(),
  flightDays: undefined,
};

const createFlightInfo = () => {
  const api = createApi({ reads: 'replica', cached: [listFlightInstancesRoute] });
  api.get('/flight-instances', (c) => {
    const hint = c.get('cacheHint');
    if (hint) hint.contents = contents;
    return sendRendered(c, bytes);
  });
  return api;
};

const clock = (): Date => new Date();

/** What production passes to the application, without a database: every key is valid, and every lease current. */
const createOptions = () =>
  ({
    catalog,
    versions: { 'flight-info/v2': createFlightInfo() },
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
  }) satisfies AppOptions;

/** The middleware of a cached page in the order of app.ts, without the cache; steps each by itself. */
const listMiddleware = (selector: OperationSelector): Readonly<Record<string, MiddlewareHandler<Env>>> => {
  const { log, checkKey, staleness, loadShedder, admitRequest, masterDataLease: lease } = createOptions();
  return {
    selection: inOrder(selection(selector), requestId(), responseHeaders()),
    accessLog: accessLog(log, clock, checkKey.isKnown),
    representation: representation(),
    versioning: inOrder(versioning({ publicUrl: undefined, staleness })),
    loadShedding: inOrder(loadShedding(loadShedder)),
    subscriptionKey: inOrder(subscriptionKey(checkKey)),
    rateLimit: rateLimit(admitRequest),
    mediaType: inOrder(mediaType()),
    unknownParameters: inOrder(unknownParameters(new ParameterNames(catalog))),
    masterDataLease: inOrder(masterDataLease(lease)),
  };
};

type Fetch = (request: Request) => Response | Promise<Response>;

/** Returns a function that passes a request through the adapter, up to the bytes that it would write; it returns the status. */
const createCall = (fetch: Fetch): (() => Promise<number>) => {
  const listener = getRequestListener(fetch, { hostname: 'localhost' });
  const rawHeaders = ['Host', '127.0.0.1:8080', 'Subscription-Key', 'good-key', 'Connection', 'keep-alive'];
  return async () => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url: target, httpVersion: '1.1' });
    Reflect.apply(Reflect.get(request, '_addHeaderLines'), request, [rawHeaders, rawHeaders.length]);
    request.complete = true;
    const response = new ServerResponse(request);
    await listener(request, response);
    return response.statusCode;
  };
};

const CALLS = 4000;
const ROUNDS = 15;

/** Returns the least processor time of a call in alternated rounds, microseconds: other work of the machine only adds to it. */
const measure = async (
  calls: Readonly<Record<string, () => Promise<number>>>,
): Promise<ReadonlyMap<string, number>> => {
  const least = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, call] of Object.entries(calls)) {
      const before = process.cpuUsage();
      for (let index = 0; index < CALLS; index += 1)
        if ((await call()) !== 200) throw new Error(`${name} does not return 200`);
      const { user, system } = process.cpuUsage(before);
      least.set(name, Math.min(least.get(name) ?? Infinity, (user + system) / CALLS));
    }
  return least;
};

/** Creates applications with the first middleware only, by the name of the last. */
const createPartialApps = (): Readonly<Record<string, Fetch>> => {
  const apps: Record<string, Fetch> = {};
  const selector = new OperationSelector(catalog, clock);
  const middleware = Object.entries(listMiddleware(selector));
  for (let count = 3; count <= middleware.length; count += 1) {
    const app = new OpenAPIHono<Env>({ getPath: selector.getPath });
    for (const [, one] of middleware.slice(0, count)) app.use(one);
    app.get('*', (c) => sendRendered(c, bytes));
    apps[middleware[count - 1]?.[0] ?? ''] = (request) => app.fetch(request);
  }
  return apps;
};

const ADAPTER = 'the adapter alone';
const WHOLE = 'the whole application';
const app = createApp(createOptions());
const times = await measure({
  [ADAPTER]: createCall(() => new Response(bytes, { headers: { 'content-type': 'application/json' } })),
  ...Object.fromEntries(Object.entries(createPartialApps()).map(([name, fetch]) => [name, createCall(fetch)])),
  [WHOLE]: createCall((request) => app.fetch(request)),
});
const figures: Figure[] = [];
for (const [name, time] of times)
  figures.push(
    figure(
      name === ADAPTER || name === WHOLE ? `cached page, ${name}` : `an uncached page, up to ${name}`,
      time,
      'µs of processor',
    ),
  );
printFigure('pipeline', figures);
