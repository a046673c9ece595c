import { createRoute, z } from '@hono/zod-openapi';
import { createApp, type AppOptions } from '#app.ts';
import type { Env, PageContext } from '#http/context/env.ts';
import { type ApiOptions, createApi, type ProductApi } from '#http/handler/create-api.ts';
import type { PublicPages } from '#http/static/published-pages.ts';
import type { CatalogProduct } from '#http/router/version-lifecycle.ts';
import { createAccessLog, type AccessLog } from '#http/observability/access-log.ts';
import type { AdmitRequest } from '#http/rate-limit/rate-limiter.ts';
import { createKeyChecker, type CheckKey, type KeyRecord } from '#http/auth/api-keys.ts';
import { buildOwnUrl } from '#http/handler/own-url.ts';
import { createQuerySchema } from '#http/handler/query.ts';

const listParameters = ['CarrierCode', 'CodeType', 'Limit', 'version'];
const operations = [
  { operationId: 'listFlights', method: 'get', path: '/flight-instances', isPublic: false, parameters: listParameters },
  { operationId: 'getHealth', method: 'get', path: '/flights/health', isPublic: true, parameters: ['version'] },
] as const;
const path = '/flight-instances/{date}/{key}';
const single = { operationId: 'getFlight', method: 'get', path, isPublic: false, parameters: ['version'] } as const;
const create = {
  operationId: 'createFlight',
  method: 'post',
  path: '/flight-instances',
  isPublic: false,
  hasBody: true,
  parameters: ['version'],
} as const;
const locations = {
  operationId: 'listLocations',
  method: 'get',
  path: '/locations',
  isPublic: false,
  parameters: ['version'],
} as const;

/** Two products. On 2026-04-01 Flight Info has a removed, a deprecated, a current and an unreleased version. */
export const catalog: readonly CatalogProduct[] = [
  {
    product: 'flight-info',
    title: 'Flight Info',
    versions: [
      {
        version: 'v1',
        aliases: ['1.0', 'Preview'],
        releasedOn: '2023-01-10',
        deprecatedOn: '2024-04-15',
        sunsetOn: '2025-04-14',
        successor: 'v2',
        operations,
      },
      {
        version: 'v2',
        aliases: [],
        releasedOn: '2024-04-15',
        deprecatedOn: '2026-03-01',
        sunsetOn: '2027-03-02',
        successor: 'v3',
        operations: [...operations, single],
      },
      { version: 'v3', aliases: ['3'], releasedOn: '2026-03-01', operations: [...operations, single, create] },
      { version: 'v4', aliases: ['4.0'], releasedOn: '2028-01-01', operations },
    ],
  },
  {
    product: 'master-data',
    title: 'Master Data',
    versions: [{ version: 'v1', aliases: [], releasedOn: '2025-01-01', operations: [locations] }],
  },
];

/** Key records by the text of the key. */
const keyring: Readonly<Record<string, KeyRecord>> = {
  good: { subscriptionId: 7, hint: 'goo', products: ['flight-info'], revoked: false },
  strict: { subscriptionId: 7, hint: 'str', products: ['flight-info'], revoked: false, isStrict: true },
  'other-product': { subscriptionId: 8, products: ['master-data'], revoked: false },
  revoked: { subscriptionId: 9, products: ['flight-info'], revoked: true },
  expired: { subscriptionId: 10, products: ['flight-info'], expiresOn: '2024-01-01', revoked: false },
};

const sha256 = async (text: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex');

const hashes = new Map(
  await Promise.all(Object.entries(keyring).map(async ([key, record]) => [await sha256(key), record] as const)),
);

const findKey = async (hash: Buffer): Promise<KeyRecord | undefined> => hashes.get(hash.toString('hex'));

const zFlights = z.object({
  CarrierCode: z.array(z.string().regex(/^[A-Z0-9]{2,3}$/)).optional(),
  CodeType: z.array(z.enum(['IATA', 'ICAO'])).default(['IATA']),
  Limit: z.int().min(1).max(1000).default(10),
  version: z.string().optional(),
});

export const zEcho = z.object({
  product: z.string(),
  version: z.string(),
  query: z.unknown(),
  params: z.unknown(),
  requestUrl: z.string(),
});
const ok = { 200: { description: 'It.', content: { 'application/json': { schema: zEcho } } } };

/** Creates the route of the list in one version, as the generator does. */
export const createListRoute = (version = 'v3') =>
  createRoute({
    method: 'get',
    path: '/flight-instances',
    operationId: 'listFlights',
    request: {
      query: createQuerySchema(zFlights, {
        CarrierCode: { type: 'string', array: 'csv' },
        CodeType: { type: 'string', array: 'csv', enum: ['IATA', 'ICAO'] },
        Limit: { type: 'integer' },
        version: { type: 'string', enum: [version] },
      }),
    },
    responses: ok,
  });
const singleRoute = createRoute({
  method: 'get',
  path: '/flight-instances/{date}/{key}',
  operationId: 'getFlight',
  request: { params: z.object({ date: z.iso.date(), key: z.string() }) },
  responses: ok,
});
const healthRoute = createRoute({ method: 'get', path: '/flights/health', operationId: 'getHealth', responses: ok });

/** Replicas can handle its operations, and the pages of its list are cached. */
const options: ApiOptions = { reads: 'replica', cached: [createListRoute()] };

/** Creates the application of a version whose operations return their input. */
const createEchoApi = (name: string): ProductApi => {
  const api = createApi(options);
  const echo = (c: PageContext, { query = null as unknown, params = null as unknown }) => {
    const { selected, version } = c.var;
    return c.json({ product: selected.product ?? '', version, query, params, requestUrl: buildOwnUrl(c.var) }, 200);
  };
  api.openapi(createListRoute(name), (c) => echo(c, { query: c.req.valid('query') }));
  api.openapi(singleRoute, (c) => echo(c, { params: c.req.valid('param') }));
  api.openapi(healthRoute, (c) => echo(c, {}));
  return api;
};

/** Creates the application of a version whose list and health have this handler. */
export const createApiOf = (handler: (c: PageContext) => Response | Promise<Response>): ProductApi => {
  const api = createApi(options);
  api.get('/flight-instances', handler);
  api.get('/flight-instances/:date/:key', handler);
  api.get('/flights/health', handler);
  return api;
};

type Admission = 'loadShedder' | 'fairQueues' | 'masterDataLease';
type Reads = 'flightPageCache' | 'replicas' | 'primary' | 'staleness';

export type TinyServiceOptions = Pick<AppOptions, Admission | Reads> & {
  readonly today?: string;
  readonly clock?: () => Date;
  readonly api?: ProductApi;
  readonly pages?: readonly PublicPages[];
  readonly publicUrl?: string;
  readonly onProxyNoticed?: (header: string) => void;
  readonly isTraced?: boolean;
  /** Wraps the log of the service. */
  readonly log?: (log: AccessLog) => AccessLog;
  readonly isUnavailable?: (error: unknown) => boolean;
  readonly admit?: AdmitRequest;
  readonly checkKey?: CheckKey;
};

/** Creates the application of the tiny catalog; `send` uses the key `good` by default, and `null` sends none. */
export const serve = ({
  today = '2026-04-01',
  clock = () => new Date(`${today}T12:00:00Z`),
  api,
  log = (one) => one,
  isUnavailable = () => false,
  admit,
  checkKey = createKeyChecker({ findKey, clock }),
  ...options
}: TinyServiceOptions = {}) => {
  const lines: string[] = [];
  const versions = ['v1', 'v2', 'v3', 'v4'].map((version) => [`flight-info/${version}`, api ?? createEchoApi(version)]);
  const app = createApp({
    ...options,
    catalog,
    versions: Object.fromEntries(versions),
    checkKey,
    clock,
    log: log(createAccessLog({ write: (line) => void lines.push(line) })),
    isUnavailable,
    admitRequest: admit,
  });
  type Init = RequestInit & { key?: string | null; headers?: Record<string, string> };
  const send = async (path: string, { key = 'good', headers: own = {}, ...init }: Init = {}, env?: Env['Bindings']) => {
    const headers = key === null ? own : { 'Subscription-Key': key, ...own };
    return app.request(`http://api.test${path}`, { ...init, headers }, env);
  };
  return { lines, send, app };
};

/** Returns the status and the kind of problem, or the version of the response, in one line. */
export const summarizeResponse = async (response: Response): Promise<string> => {
  const body: unknown = await response.json();
  const { type, version } = Object(body);
  return `${response.status} ${type === undefined ? version : String(type).replace('/docs/errors#', '')}`;
};
