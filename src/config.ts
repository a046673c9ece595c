import { resolve } from 'node:path';
import { parseDate, type LocalDate } from './domain/time/dates.ts';
import { DEFAULT_HUB_STREAM } from './delivery/hub/hub-names.ts';
import { FAILED_KEYS_PER_MINUTE } from './http/auth/failed-key-limiter.ts';
import { SUBSCRIPTION_STREAMS } from './http/server/connection-limits.ts';
import { defaultRequestLimits, type RequestLimits } from './http/rate-limit/rate-limiter.ts';
import {
  assertPercentEncoded,
  defineInteger,
  defineList,
  defineText,
  defineVariable,
  parseInteger,
  splitList,
  type Environment,
  type VariableDescription,
} from './lib/environment-variable.ts';
import { DEFAULT_FAN_OUT_LIMIT, defaultObjectLimits, type ObjectLimits } from './store/access/object-limits.ts';
import { maskPassword } from './lib/mask-password.ts';
import { parseTracing, type TracingOptions } from './telemetry/tracing-options.ts';

/** The configuration of a process. */
export type Config = {
  /** PostgreSQL 15 or later; undefined means the embedded engine in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Streaming replicas of that database, for queries that only read. */
  readonly replicaUrls: readonly string[];
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** The port of the mock: the same variable as `port`, with another default. */
  readonly mockPort: number;
  /** Processes that serve requests; `auto` is one for each processor. */
  readonly workers: number | 'auto';
  /** How long a server keeps serving after SIGTERM, so that load balancers notice, seconds. */
  readonly drainSeconds: number;
  /** Query timeout of requests, milliseconds. */
  readonly queryTimeoutMs: number;
  /** Scheme, host and path prefix of the service behind a reverse proxy. */
  readonly publicUrl: string | undefined;
  /** Default limits of a subscription; 0 means no limit. */
  readonly limits: RequestLimits &
    ObjectLimits & {
      /** Invalid keys that one client may send to a server process in a minute. */
      readonly wrongKeysPerMinute: number;
      /** Event streams and waiting requests of a subscription in a server process. */
      readonly streams: number;
      /** The same of all subscriptions; undefined means half of the connections of the process. */
      readonly processStreams: number | undefined;
      /** The most account events of a subscription in one fan-out transaction. */
      readonly fanOut: number;
    };
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Size of the page cache of a process that serves requests, MB; 0 turns it off. */
  readonly cacheMegabytes: number;
  /** How long a cached page is served after a check for changes, and how long commits wait to be reported, ms; 0 checks for each request. */
  readonly cacheLeaseMs: number;
  /** Days from yesterday on that are expanded into flight instances. */
  readonly horizonDays: number;
  /** The date on which the clock starts; undefined means the system clock. */
  readonly today: LocalDate | undefined;
  readonly webhooks: {
    /** Endpoints in private networks that are allowed, `scheme://host:port`. */
    readonly allow: readonly string[];
    /** Allowed ports of public endpoints. */
    readonly ports: readonly number[];
    /** A PEM file of certificate authorities to trust in addition to those of the system. */
    readonly authorities: string | undefined;
  };
  /** The broker to which events are published. */
  readonly hub:
    | {
        /** `nats://` or `tls://`; may contain a user and a password. */
        readonly url: string;
        /** The URL for consumers, when it differs. */
        readonly publicUrl: string | undefined;
      }
    | undefined;
  /** Name of the stream of the broker. */
  readonly hubStream: string;
  /** The port of metrics and health checks, separate from the API. Port 0 lets the operating system choose one. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined;
  /** Where `sources fetch` sends its requests. */
  readonly sources: {
    /** Address of a mirror that replaces the publishers, without a slash at its end. */
    readonly mirror: string | undefined;
    /** Proxies and exceptions, as the runtime reads them. */
    readonly proxies: Readonly<Record<'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY', string | undefined>>;
  };
  /** The collector of traces; undefined turns tracing off. */
  readonly tracing: TracingOptions | undefined;
};

/** Each worker has its own database connections; no known machine serves more requests with more workers. */
export const MAX_WORKERS = 256;

/** All commands of `flightdata`, in the order of its help. */
export const commandNames = [
  'serve',
  'mock',
  'import',
  'schedule',
  'expand',
  'build',
  'keys',
  'accounts',
  'endpoints',
  'hub',
  'doctor',
  'prune',
  'export',
  'privacy',
  'sources',
] as const;

const storeCommands = commandNames.filter((name) => name !== 'mock');

const parseUrl = (text: string, name: string): string => {
  if (!/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(text))
    throw new RangeError(`${name} must be an http or https address without a query, not '${text}'`);
  return text;
};

/** The error does not contain the value, which may hold a password. */
const parseProxyUrl = (text: string, name: string): string => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new RangeError(`${name} must be of the form http://host:port`);
  return text;
};

const parseMirrorUrl = (text: string, name: string): string => {
  if (text.includes('@')) throw new RangeError(`${name} must not contain a user`);
  return parseUrl(text, name).replace(/\/+$/, '');
};

/** The error does not contain the value, which may hold a password. */
const parseBrokerUrl = (text: string, name: string): string => {
  if (!/^(nats|tls):\/\/([^/?#@]*@)?[^/?#@:\s]+(:\d{1,5})?\/?$/.test(text) || !URL.canParse(text))
    throw new RangeError(`${name} must be of the form nats://host:port or tls://host:port`);
  assertPercentEncoded(text, name);
  return text.replace(/\/$/, '');
};

/** Returns whether PostgreSQL accepts the form of a URL. Its host may be empty, for a socket, or a list with commas. */
const isDatabaseUrl = (url: string): boolean => {
  const [, head = '', hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^]*)$/.exec(url) ?? [];
  return head !== '' && hosts.split(',').every((host) => URL.canParse(`${head}${host || 'localhost'}${rest}`));
};

/** The error contains the value without its password. */
const parseDatabaseUrls = (text: string, name: string): readonly string[] => {
  // Splits before a scheme only: a URL with several hosts contains commas.
  const urls = text.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)|\s+/);
  if (!urls.every(isDatabaseUrl))
    throw new RangeError(
      `${name} must be of the form postgres://user:password@host:port/database, not '${maskPassword(text)}'`,
    );
  assertPercentEncoded(text, name);
  return urls;
};

const parseStreamName = (text: string, name: string): string => {
  // `events` would have the subjects of the default stream.
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(text) || text === 'events')
    throw new RangeError(
      `${name} must be 1 to 32 letters, digits, hyphens and underscores and not 'events', not '${text}'`,
    );
  return text;
};

const parsePorts = (text: string, name: string): readonly number[] =>
  splitList(text).map((port) => {
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      throw new RangeError(`${name} must be ports from 1 to 65535 with commas between, not '${port}'`);
    return Number(port);
  });

const parseDateVariable = (text: string, name: string): LocalDate => {
  const date = parseDate(text);
  if (date === undefined) throw new RangeError(`${name} must be a date of the form YYYY-MM-DD, not '${text}'`);
  return date;
};

const parsePort = parseInteger(0, 65_535);
const parseWorkerCount = parseInteger(1, MAX_WORKERS);

const DEFAULT_PORT = 8080;
const DEFAULT_MOCK_PORT = 4010;

/**
 * The environment variables of the service; those of traces are in telemetry/tracing-options.ts. Parser, `--help`, and the table
 * of docs/reference/configuration.md are made from these rows.
 */
const variables = {
  databaseUrls: defineVariable<readonly string[]>({
    name: 'DATABASE_URL',
    type: 'URL',
    description:
      'PostgreSQL 15 or later, optionally followed by its streaming replicas, with commas between, from which serve reads; without it, an embedded PostgreSQL stores its data in DATA_DIR',
    default: [],
    commands: storeCommands,
    docs: 'docs/how-to/operate/read-replicas.md',
    parse: parseDatabaseUrls,
  }),
  dataDir: defineVariable({
    name: 'DATA_DIR',
    type: 'path',
    description:
      'data directory of the embedded PostgreSQL; serve and imports create it. One serve at a time can use it, and any number of other commands',
    default: '.flightdata',
    defaultText: '.flightdata',
    commands: storeCommands,
    parse: (text) => text,
  }),
  port: defineVariable<number | undefined>({
    name: 'PORT',
    type: 'integer',
    description: 'port on which serve and mock listen; 0 selects a free one',
    default: undefined,
    defaultText: `${DEFAULT_PORT}, mock: ${DEFAULT_MOCK_PORT}`,
    commands: ['serve', 'mock'],
    parse: parsePort,
  }),
  host: defineVariable({
    name: 'HOST',
    type: 'text',
    description: 'address on which serve and mock listen',
    default: '127.0.0.1',
    defaultText: '127.0.0.1',
    commands: ['serve', 'mock'],
    parse: (text) => text,
  }),
  workers: defineVariable<number | 'auto'>({
    name: 'WORKERS',
    type: 'integer or auto',
    description: 'processes that serve requests, or auto: one for each processor',
    default: 1,
    defaultText: '1',
    commands: ['serve'],
    docs: 'docs/how-to/operate/scale-out.md',
    parse: (text, name) => (text === 'auto' ? 'auto' : parseWorkerCount(text, name)),
  }),
  drainSeconds: defineInteger({
    name: 'DRAIN_SECONDS',
    description: 'how long serve keeps serving after SIGTERM',
    unit: 's',
    default: 0,
    commands: ['serve'],
    docs: 'docs/how-to/operate/start-and-stop.md#stop-without-lost-requests',
    min: 0,
    max: 600,
  }),
  publicUrl: defineVariable<string | undefined>({
    name: 'PUBLIC_URL',
    type: 'URL',
    description:
      'address that clients use behind a reverse proxy, for links in responses; without it, links repeat the Host header of the request',
    default: undefined,
    commands: ['serve', 'export', 'doctor'],
    docs: 'docs/how-to/operate/reverse-proxy.md',
    parse: parseUrl,
  }),
  limitPerMinute: defineInteger({
    name: 'LIMIT_PER_MINUTE',
    description: 'requests of a subscription per minute, unless keys limits sets another limit; 0 means no limit',
    default: defaultRequestLimits.perMinute,
    commands: ['serve'],
    docs: 'docs/how-to/operate/set-limits.md',
    min: 0,
    max: 1_000_000_000,
  }),
  limitPerMonth: defineInteger({
    name: 'LIMIT_PER_MONTH',
    description:
      'requests of a subscription per calendar month, UTC, unless keys limits sets another limit; 0 means no limit',
    default: defaultRequestLimits.perMonth,
    commands: ['serve'],
    min: 0,
    max: 1_000_000_000_000,
  }),
  limitAtOnce: defineInteger({
    name: 'LIMIT_AT_ONCE',
    description:
      'concurrent requests of a subscription in one process, unless keys limits sets another limit; 0 means no limit',
    default: defaultRequestLimits.atOnce,
    commands: ['serve'],
    min: 0,
    max: 1_000_000,
  }),
  limitWrongKeys: defineInteger({
    name: 'LIMIT_WRONG_KEYS',
    description: 'invalid keys that one address can send to one process per minute; 0 means no limit',
    default: FAILED_KEYS_PER_MINUTE,
    commands: ['serve'],
    min: 0,
    max: 1_000_000_000,
  }),
  limitStreams: defineInteger({
    name: 'LIMIT_STREAMS',
    description:
      'event streams and waiting requests that a subscription can have open in one process; 0 means no limit',
    default: SUBSCRIPTION_STREAMS,
    commands: ['serve'],
    docs: 'docs/reference/limits.md#event-streams',
    min: 0,
    max: 1_000_000,
  }),
  limitProcessStreams: defineVariable<number | undefined>({
    name: 'LIMIT_PROCESS_STREAMS',
    type: 'integer',
    description:
      'event streams and waiting requests that all subscriptions together can have open in one process; 0 means no limit',
    default: undefined,
    defaultText: 'half of the connections',
    commands: ['serve'],
    parse: parseInteger(0, 1_000_000),
  }),
  limitAccounts: defineInteger({
    name: 'LIMIT_ACCOUNTS',
    description: 'accounts of a subscription; each gets up to one copy of an event; 0 means no limit',
    default: defaultObjectLimits.accounts,
    commands: ['serve'],
    docs: 'docs/how-to/operate/set-limits.md#limit-accounts-alerts-and-endpoints',
    min: 0,
    max: 1_000_000,
  }),
  limitAlerts: defineInteger({
    name: 'LIMIT_ALERTS',
    description: 'alerts of a subscription, in all its accounts; 0 means no limit',
    default: defaultObjectLimits.alerts,
    commands: ['serve'],
    min: 0,
    max: 10_000_000,
  }),
  limitEndpoints: defineInteger({
    name: 'LIMIT_ENDPOINTS',
    description: 'webhook endpoints of a subscription, in all its accounts (20 in one); 0 means no limit',
    default: defaultObjectLimits.endpoints,
    commands: ['serve'],
    min: 0,
    max: 1_000_000,
  }),
  limitFanOut: defineInteger({
    name: 'LIMIT_FAN_OUT',
    description:
      'copies of events for one subscription in one fan-out transaction; further copies follow later without delaying other subscriptions; 0 means no limit',
    default: DEFAULT_FAN_OUT_LIMIT,
    commands: ['serve'],
    min: 0,
    max: 1_000_000,
  }),
  trustedProxies: defineList({
    name: 'TRUSTED_PROXIES',
    description: 'addresses and networks of proxies whose X-Forwarded-For is trusted, with commas between',
    commands: ['serve', 'doctor'],
  }),
  cacheMegabytes: defineInteger({
    name: 'CACHE_MB',
    description: 'size of the page cache of each process that serves requests, in MB; 0 disables it',
    unit: 'MB',
    default: 256,
    commands: ['serve'],
    min: 0,
    max: 1_000_000,
  }),
  cacheLeaseMs: defineInteger({
    name: 'CACHE_LEASE_MS',
    description:
      'how long cached pages are served after a check for changes, and how long changes wait before they are reported, in milliseconds; 0 checks for each request; the same for all processes of a store',
    unit: 'ms',
    default: 20,
    commands: ['serve', 'import', 'expand', 'prune', 'privacy', 'build'],
    min: 0,
    max: 1000,
  }),
  queryTimeoutMs: defineInteger({
    name: 'QUERY_TIMEOUT_MS',
    description: 'query timeout of requests, in milliseconds',
    unit: 'ms',
    default: 10_000,
    commands: ['serve'],
    docs: 'docs/how-to/operate/database-outage.md#slow-queries',
    min: 100,
    max: 600_000,
  }),
  horizonDays: defineInteger({
    name: 'HORIZON_DAYS',
    description: 'number of days, starting yesterday, that are expanded to flights',
    unit: 'days',
    default: 62,
    commands: ['serve', 'import', 'expand', 'doctor'],
    min: 1,
    max: 400,
  }),
  webhookAllow: defineList({
    name: 'WEBHOOK_ALLOW',
    description:
      'allowed webhook endpoints in private networks: scheme://host:port, such as http://10.1.0.0/16:8080, with commas between',
    commands: ['serve', 'doctor'],
    docs: 'docs/how-to/receive-webhooks.md',
  }),
  webhookPorts: defineVariable<readonly number[]>({
    name: 'WEBHOOK_PORTS',
    type: 'list of ports',
    description: 'allowed ports of public webhook endpoints',
    default: [443, 8443],
    defaultText: '443,8443',
    commands: ['serve', 'doctor'],
    docs: 'docs/how-to/receive-webhooks.md',
    parse: parsePorts,
  }),
  webhookAuthorities: defineText({
    name: 'WEBHOOK_AUTHORITIES',
    description: 'PEM file of certificate authorities to trust for webhooks, in addition to those of the system',
    commands: ['serve'],
  }),
  natsUrl: defineVariable<string | undefined>({
    name: 'NATS_URL',
    type: 'URL',
    description: 'broker to which events are published: nats-server 2.9 or later, with JetStream',
    default: undefined,
    commands: ['serve', 'hub', 'doctor'],
    docs: 'docs/how-to/operate/run-a-hub.md',
    parse: parseBrokerUrl,
  }),
  hubPublicUrl: defineVariable<string | undefined>({
    name: 'HUB_PUBLIC_URL',
    type: 'URL',
    description: 'broker address for consumers',
    default: undefined,
    defaultText: 'NATS_URL',
    commands: ['serve', 'hub'],
    parse: parseBrokerUrl,
  }),
  hubStream: defineVariable({
    name: 'HUB_STREAM',
    type: 'text',
    description: 'name of the stream; deployments that share a broker account need different names',
    default: DEFAULT_HUB_STREAM,
    defaultText: DEFAULT_HUB_STREAM,
    commands: ['serve', 'hub', 'doctor'],
    docs: 'docs/how-to/operate/run-a-hub.md',
    parse: parseStreamName,
  }),
  metricsPort: defineVariable<number | undefined>({
    name: 'METRICS_PORT',
    type: 'integer',
    description: 'a second port of serve, with metrics, /healthz and /readyz; 0 selects a free one',
    // Closed by default: two servers on one machine would need the same port.
    default: undefined,
    commands: ['serve'],
    docs: 'docs/how-to/operate/monitor.md',
    parse: parsePort,
  }),
  metricsHost: defineVariable({
    name: 'METRICS_HOST',
    type: 'text',
    description: 'address on which METRICS_PORT listens',
    default: '127.0.0.1',
    defaultText: '127.0.0.1',
    commands: ['serve'],
    parse: (text) => text,
  }),
  sourcesMirror: defineVariable<string | undefined>({
    name: 'SOURCES_MIRROR',
    type: 'URL',
    description: 'address of a mirror from which sources fetch reads all files, as MIRROR/HOST/PATH',
    default: undefined,
    commands: ['sources'],
    docs: 'docs/how-to/operate/fetch-open-data.md#use-a-mirror',
    parse: parseMirrorUrl,
  }),
  httpsProxy: defineVariable<string | undefined>({
    name: 'HTTPS_PROXY',
    type: 'URL',
    description: 'proxy of sources fetch for https addresses',
    default: undefined,
    commands: ['sources'],
    parse: parseProxyUrl,
  }),
  httpProxy: defineVariable<string | undefined>({
    name: 'HTTP_PROXY',
    type: 'URL',
    description: 'proxy of sources fetch for http addresses, which only a mirror has',
    default: undefined,
    commands: ['sources'],
    parse: parseProxyUrl,
  }),
  noProxy: defineText({
    name: 'NO_PROXY',
    description: 'hosts that sources fetch reads without a proxy, with commas between',
    commands: ['sources'],
  }),
  today: defineVariable<LocalDate | undefined>({
    name: 'FLIGHTDATA_TODAY',
    type: 'date',
    description: 'UTC date on which the clock starts, to test with another date; serve --today sets it for one server',
    default: undefined,
    defaultText: 'today',
    parse: parseDateVariable,
  }),
} satisfies Readonly<Record<string, VariableDescription>>;

/** Descriptions of the variables of the service, in the order of the documentation. */
export const serviceVariables: readonly VariableDescription[] = Object.values(variables);

const readHub = (env: Environment): Config['hub'] => {
  const url = variables.natsUrl.read(env);
  const publicUrl = variables.hubPublicUrl.read(env);
  if (publicUrl?.includes('@'))
    throw new RangeError('HUB_PUBLIC_URL is shown to consumers: it must not contain a user');
  return url === undefined ? undefined : { url, publicUrl };
};

const readMetrics = (env: Environment): Config['metrics'] => {
  const port = variables.metricsPort.read(env);
  return port === undefined ? undefined : { port, host: variables.metricsHost.read(env) };
};

/** Reads the environment. Throws a RangeError that names the variable and the invalid value. */
export const readConfig = (env: Environment = process.env): Config => {
  const [databaseUrl, ...replicaUrls] = variables.databaseUrls.read(env);
  const port = variables.port.read(env);
  return Object.freeze({
    databaseUrl,
    replicaUrls,
    dataDir: resolve(variables.dataDir.read(env)),
    host: variables.host.read(env),
    port: port ?? DEFAULT_PORT,
    mockPort: port ?? DEFAULT_MOCK_PORT,
    workers: variables.workers.read(env),
    drainSeconds: variables.drainSeconds.read(env),
    queryTimeoutMs: variables.queryTimeoutMs.read(env),
    publicUrl: variables.publicUrl.read(env),
    limits: {
      perMinute: variables.limitPerMinute.read(env),
      perMonth: variables.limitPerMonth.read(env),
      atOnce: variables.limitAtOnce.read(env),
      wrongKeysPerMinute: variables.limitWrongKeys.read(env),
      streams: variables.limitStreams.read(env),
      processStreams: variables.limitProcessStreams.read(env),
      accounts: variables.limitAccounts.read(env),
      alerts: variables.limitAlerts.read(env),
      endpoints: variables.limitEndpoints.read(env),
      fanOut: variables.limitFanOut.read(env),
    },
    trustedProxies: variables.trustedProxies.read(env),
    cacheMegabytes: variables.cacheMegabytes.read(env),
    cacheLeaseMs: variables.cacheLeaseMs.read(env),
    horizonDays: variables.horizonDays.read(env),
    today: variables.today.read(env),
    webhooks: {
      allow: variables.webhookAllow.read(env),
      ports: variables.webhookPorts.read(env),
      authorities: variables.webhookAuthorities.read(env),
    },
    hub: readHub(env),
    hubStream: variables.hubStream.read(env),
    metrics: readMetrics(env),
    sources: {
      mirror: variables.sourcesMirror.read(env),
      proxies: {
        HTTPS_PROXY: variables.httpsProxy.read(env),
        HTTP_PROXY: variables.httpProxy.read(env),
        NO_PROXY: variables.noProxy.read(env),
      },
    },
    tracing: parseTracing(env),
  });
};

/**
 * Returns whether npm or make started this process. Both run commands in a shell, and the signal that ends the shell does not always reach the
 * command: only the change of its parent process shows the end.
 */
export const isStartedByRunner = (env: Environment = process.env): boolean =>
  env['npm_lifecycle_event'] !== undefined || env['MAKELEVEL'] !== undefined;
