import { resolve } from 'node:path';
import { z } from 'zod';
import { defaultPlanDays, MAX_PLAN_DAYS } from './domain/status/plan-days.ts';
import {
  defaultSourcePrecedence,
  formatSourcePrecedence,
  parseSourcePrecedence,
} from './domain/status/source-precedence.ts';
import { parseDate } from './domain/time/dates.ts';
import { DEFAULT_HUB_STREAM } from './delivery/hub/hub-names.ts';
import { FAILED_KEYS_PER_MINUTE } from './http/auth/failed-key-limiter.ts';
import { SUBSCRIPTION_STREAMS } from './http/server/connection-limits.ts';
import { defaultRequestLimits } from './http/rate-limit/rate-limiter.ts';
import {
  describeVariables,
  document,
  hideValue,
  integer,
  list,
  matching,
  parsed,
  percentEncoded,
  readVariables,
  splitList,
  type Documentation,
  type Environment,
} from './lib/environment-variable.ts';
import { parseFollowedSources } from './jobs/sources/live-registry.ts';
import { DEFAULT_FAN_OUT_LIMIT, defaultObjectLimits } from './store/access/object-limits.ts';
import { parseSecretsKey } from './lib/secret-box.ts';
import { maskPassword } from './lib/mask-password.ts';
import { parseTracing } from './telemetry/tracing-options.ts';

/** Each worker has its own database connections; no known machine serves more requests with more workers. */
export const MAX_WORKERS = 256;

/** It is in every link. The error does not contain the value, which may hold a password. */
const publicUrl = matching(
  /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/,
  'an http or https address without a user and a query',
  hideValue,
).describe('URL');

/** The error does not contain the value, which may hold a password. */
const brokerUrl = percentEncoded
  .pipe(
    parsed(
      (text) =>
        /^(nats|tls):\/\/([^/?#@]*@)?[^/?#@:\s]+(:\d{1,5})?\/?$/.test(text) && URL.canParse(text)
          ? text.replace(/\/$/, '')
          : undefined,
      'of the form nats://host:port or tls://host:port',
      hideValue,
    ),
  )
  .describe('URL');

const proxyUrl = parsed(
  (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
  'of the form http://host:port',
  hideValue,
).describe('URL');

/** The error does not contain the value, which may hold a password. */
const mirrorUrl = parsed(
  (text) => (/^https?:\/\/[^/?#@]+(\/[^?#@]*)?$/.test(text) ? text.replace(/\/+$/, '') : undefined),
  'an http or https address without a user and a query',
  hideValue,
).describe('URL');

/** The error names the part that is no source, or no airport of it. */
const followedSources = z
  .string()
  .transform((text, context) => {
    try {
      return parseFollowedSources(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue(`is invalid: ${error.message}`);
      return z.NEVER;
    }
  })
  .describe('list of sources');

const publicBrokerUrl = brokerUrl
  .refine((url) => !url.includes('@'), { error: 'is shown to consumers: it must not contain a user' })
  .describe('URL');

/** Returns whether PostgreSQL accepts the form of a URL. Its host may be empty, for a socket, or a list with commas. */
const isDatabaseUrl = (url: string): boolean => {
  const [, head = '', hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^]*)$/.exec(url) ?? [];
  return head !== '' && hosts.split(',').every((host) => URL.canParse(`${head}${host || 'localhost'}${rest}`));
};

/** The error contains the value without its password. */
const databaseUrls = percentEncoded
  .pipe(
    parsed(
      (text) => {
        // Splits before a scheme only: a URL with several hosts contains commas.
        const urls = text.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)|\s+/);
        return urls.every(isDatabaseUrl) ? urls : undefined;
      },
      'of the form postgres://user:password@host:port/database',
      (text) => `, not '${maskPassword(text)}'`,
    ),
  )
  .describe('URL');

// `events` would have the subjects of the default stream.
const streamName = matching(
  /^(?!events$)[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/,
  "1 to 32 letters, digits, hyphens and underscores and not 'events'",
);

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const ports = parsed(
  (text) => (splitList(text).every(isPort) ? splitList(text).map(Number) : undefined),
  'ports from 1 to 65535 with commas between',
).describe('list of ports');

const sourcePrecedence = parsed(
  parseSourcePrecedence,
  'names of sources, each once, with spaces between ranks and commas within one, and * for all other sources',
).describe('list of sources');

const mcpAccess = z
  .enum(['read', 'write', 'off'], {
    error: ({ input }) => `must be read, write or off, not '${String(input)}'`,
  })
  .describe('read, write or off');

const date = parsed(parseDate, 'a date of the form YYYY-MM-DD').describe('date');
const port = integer(0, 65_535);
const workers = z
  .union([z.literal('auto'), integer(1, MAX_WORKERS)], {
    error: ({ input }) => `must be auto or a whole number from 1 to ${MAX_WORKERS}, not '${String(input)}'`,
  })
  .describe('integer or auto');

/** A variable that only serve reads. */
const ofServe = <Schema extends z.ZodType>(schema: Schema, description: string, more: Partial<Documentation> = {}) =>
  document(schema, { description, commands: ['serve'], ...more });

const limit = <Schema extends z.ZodType>(schema: Schema, description: string, more: Partial<Documentation> = {}) =>
  ofServe(schema, `${description}; 0 means no limit`, more);

/**
 * The environment variables of the service; those of traces are in telemetry/tracing-options.ts. Parser, `--help`, and the table
 * of docs/reference/configuration.md are made from this schema.
 */
const variables = z.object({
  DATABASE_URL: document(databaseUrls.optional(), {
    description:
      'PostgreSQL 15 or later, optionally followed by its streaming replicas, with commas between, from which serve reads; without it, an embedded PostgreSQL stores its data in DATA_DIR',
    exceptCommands: ['mcp'],
    docs: 'docs/how-to/operate/read-replicas.md',
  }),
  DATA_DIR: document(z.string().describe('path').default('.flightdata'), {
    description:
      'data directory of the embedded PostgreSQL; serve and imports create it. One serve at a time can use it, and any number of other commands',
    exceptCommands: ['mcp'],
  }),
  PORT: document(port.default(8080), {
    description: 'port on which serve listens; 0 selects a free one',
    commands: ['serve', 'export'],
  }),
  HOST: ofServe(z.string().default('127.0.0.1'), 'address on which serve listens'),
  WORKERS: ofServe(workers.default(1), 'processes that serve requests, or auto: one for each processor', {
    docs: 'docs/how-to/operate/scale-out.md',
  }),
  DRAIN_SECONDS: ofServe(integer(0, 600).default(0), 'how long serve keeps serving after SIGTERM', {
    unit: 's',
    docs: 'docs/how-to/operate/start-and-stop.md#stop-without-lost-requests',
  }),
  PUBLIC_URL: document(publicUrl.optional(), {
    description:
      'address that clients use behind a reverse proxy, for links in responses; without it, links repeat the Host header of the request',
    commands: ['serve', 'export', 'doctor'],
    docs: 'docs/how-to/operate/reverse-proxy.md',
  }),
  LIMIT_PER_MINUTE: limit(
    integer(0, 1_000_000_000).default(defaultRequestLimits.perMinute),
    'requests of a subscription per minute, unless keys limits sets another limit',
    { docs: 'docs/how-to/operate/set-limits.md' },
  ),
  LIMIT_PER_MONTH: limit(
    integer(0, 1_000_000_000_000).default(defaultRequestLimits.perMonth),
    'requests of a subscription per calendar month, UTC, unless keys limits sets another limit',
  ),
  LIMIT_AT_ONCE: limit(
    integer(0, 1_000_000).default(defaultRequestLimits.atOnce),
    'concurrent requests of a subscription in one process, unless keys limits sets another limit',
  ),
  LIMIT_WRONG_KEYS: limit(
    integer(0, 1_000_000_000).default(FAILED_KEYS_PER_MINUTE),
    'invalid keys that one address can send to one process per minute',
  ),
  LIMIT_STREAMS: limit(
    integer(0, 1_000_000).default(SUBSCRIPTION_STREAMS),
    'event streams and waiting requests that a subscription can have open in one process',
    { docs: 'docs/reference/limits.md#event-streams' },
  ),
  LIMIT_PROCESS_STREAMS: limit(
    integer(0, 1_000_000).optional(),
    'event streams and waiting requests that all subscriptions together can have open in one process',
    { defaultText: 'half of the connections' },
  ),
  LIMIT_ACCOUNTS: limit(
    integer(0, 1_000_000).default(defaultObjectLimits.accounts),
    'accounts of a subscription; each gets up to one copy of an event',
    { docs: 'docs/how-to/operate/set-limits.md#limit-accounts-alerts-and-endpoints' },
  ),
  LIMIT_ALERTS: limit(
    integer(0, 10_000_000).default(defaultObjectLimits.alerts),
    'alerts of a subscription, in all its accounts',
  ),
  LIMIT_ENDPOINTS: limit(
    integer(0, 1_000_000).default(defaultObjectLimits.endpoints),
    'webhook endpoints of a subscription, in all its accounts (20 in one)',
  ),
  LIMIT_FAN_OUT: limit(
    integer(0, 1_000_000).default(DEFAULT_FAN_OUT_LIMIT),
    'copies of events for one subscription in one fan-out transaction; further copies follow later without delaying other subscriptions',
  ),
  TRUSTED_PROXIES: document(list.default([]), {
    description: 'addresses and networks of proxies whose X-Forwarded-For is trusted, with commas between',
    commands: ['serve', 'doctor'],
  }),
  CACHE_MB: ofServe(
    integer(0, 1_000_000).default(256),
    'size of the page cache of each process that serves requests, in MB; 0 disables it',
    { unit: 'MB' },
  ),
  CACHE_LEASE_MS: document(integer(0, 1000).default(20), {
    description:
      'how long cached pages are served after a check for changes, and how long changes wait before they are reported, in milliseconds; 0 checks for each request; the same for all processes of a store',
    unit: 'ms',
    commands: ['serve', 'import', 'expand', 'prune', 'privacy', 'build'],
  }),
  QUERY_TIMEOUT_MS: ofServe(integer(100, 600_000).default(10_000), 'query timeout of requests, in milliseconds', {
    unit: 'ms',
    docs: 'docs/how-to/operate/database-outage.md#slow-queries',
  }),
  READ_STALENESS_SECONDS: ofServe(
    integer(0, 300).default(60),
    'how far behind reads may be that replicas and caches answer while the primary database is unreachable; 0 rejects them',
    { unit: 's', docs: 'docs/how-to/operate/database-outage.md' },
  ),
  HORIZON_DAYS: document(integer(1, 400).default(62), {
    description: 'number of days, starting yesterday, that are expanded to flights',
    unit: 'days',
    commands: ['serve', 'import', 'expand', 'doctor'],
  }),
  PLAN_DAYS_BACK: document(integer(0, MAX_PLAN_DAYS).default(defaultPlanDays.back), {
    description: 'days before today on which status messages can create flights that no schedule contains',
    unit: 'days',
    commands: ['serve', 'import'],
    docs: 'docs/reference/status-messages.md#messages-that-create-flights',
  }),
  PLAN_DAYS_AHEAD: document(integer(0, MAX_PLAN_DAYS).default(defaultPlanDays.ahead), {
    description: 'the same for days after today; days with schedules are not limited',
    unit: 'days',
    commands: ['serve', 'import'],
  }),
  SOURCE_PRECEDENCE: document(sourcePrecedence.default(defaultSourcePrecedence), {
    description:
      'which sources of status messages have precedence: the first ones, with spaces between ranks and commas within one; `*` means all others',
    defaultText: formatSourcePrecedence(defaultSourcePrecedence),
    commands: ['serve', 'import'],
    docs: 'docs/reference/status-messages.md#several-sources',
  }),
  WEBHOOK_ALLOW: document(list.default([]), {
    description:
      'allowed webhook endpoints in private networks: scheme://host:port, such as http://10.1.0.0/16:8080, with commas between',
    commands: ['serve', 'doctor'],
    docs: 'docs/how-to/receive-webhooks.md',
  }),
  WEBHOOK_PORTS: document(ports.default([443, 8443]), {
    description: 'allowed ports of public webhook endpoints',
    commands: ['serve', 'doctor'],
    docs: 'docs/how-to/receive-webhooks.md',
  }),
  WEBHOOK_AUTHORITIES: ofServe(
    z.string().optional(),
    'PEM file of certificate authorities to trust for webhooks, in addition to those of the system',
  ),
  NATS_URL: document(brokerUrl.optional(), {
    description: 'broker to which events are published: nats-server 2.9 or later, with JetStream',
    commands: ['serve', 'hub', 'doctor'],
    docs: 'docs/how-to/operate/run-a-hub.md',
  }),
  HUB_PUBLIC_URL: document(publicBrokerUrl.optional(), {
    description: 'broker address for consumers',
    defaultText: 'NATS_URL',
    commands: ['serve', 'hub'],
  }),
  HUB_STREAM: document(streamName.default(DEFAULT_HUB_STREAM), {
    description: 'name of the stream; deployments that share a broker account need different names',
    commands: ['serve', 'hub', 'doctor'],
    docs: 'docs/how-to/operate/run-a-hub.md',
  }),
  MCP: ofServe(
    mcpAccess.default('read'),
    'what the tools at /mcp may do: read, write (also accounts and alerts), or off',
    { docs: 'docs/how-to/use-with-agents.md' },
  ),
  LIVE_PAGE: ofServe(
    z.enum(['on', 'off']).default('on'),
    'whether serve has the page of live flights at /live/: on or off',
    { docs: 'docs/how-to/watch-live-flights.md' },
  ),
  SUBSCRIPTION_KEY: document(z.string().min(1).optional(), {
    description: 'subscription key that mcp sends to the service',
    commands: ['mcp'],
    docs: 'docs/how-to/use-with-agents.md',
  }),
  HUB_REPLICAS: document(integer(1, 5).default(1), {
    description: 'number of brokers of a cluster that store each event; of a stream that serve creates',
    commands: ['serve', 'hub', 'doctor'],
    docs: 'docs/how-to/operate/run-a-hub.md',
  }),
  METRICS_PORT: ofServe(
    port.optional(),
    'a second port of serve, with metrics, /healthz and /readyz; 0 selects a free one',
    { docs: 'docs/how-to/operate/monitor.md' },
  ),
  METRICS_HOST: ofServe(z.string().default('127.0.0.1'), 'address on which METRICS_PORT listens'),
  SECRETS_KEY: document(
    parsed(
      (text) => (text === 'none' ? text : parseSecretsKey(text)),
      "32 bytes as Base64 or as 64 hexadecimal digits, or 'none'",
      hideValue,
    )
      .describe('key')
      .optional(),
    {
      description:
        'key that encrypts the secrets in the store; `none` stores them unencrypted. An embedded store without it has a key file beside DATA_DIR; a new store with DATABASE_URL needs it or SECRETS_KEY_FILE',
      commands: ['serve', 'hub', 'doctor', 'secrets'],
      docs: 'docs/how-to/operate/encrypt-secrets.md',
    },
  ),
  SECRETS_KEY_FILE: document(z.string().describe('path').optional(), {
    description: 'file with that key, in place of SECRETS_KEY',
    commands: ['serve', 'hub', 'doctor', 'secrets'],
  }),
  LIVE_SOURCES: ofServe(
    followedSources.optional(),
    'live feeds that one server follows: sources, each with a colon and its airports or for all of them, such as avinor:OSL,BGO hkia',
    { docs: 'docs/how-to/operate/follow-live-feeds.md' },
  ),
  LIVE_INTERVAL_SECONDS: ofServe(
    integer(0, 86_400).default(0),
    'least time between two requests of the same kind to a live feed; the registry has a floor for each source',
    { unit: 's' },
  ),
  LIVE_CONTACT: ofServe(
    matching(/^[\x21-\x7e]{1,200}$/, 'an address without blanks').optional(),
    'mail address or URL of the operator, in the User-Agent of requests to live feeds',
  ),
  SWEDAVIA_KEY: ofServe(z.string().min(1).optional(), 'key of the API of Swedavia, for the live feed swedavia'),
  SOURCES_MIRROR: document(mirrorUrl.optional(), {
    description:
      'address of a mirror from which sources fetch reads all files, and serve the live feeds, as MIRROR/HOST/PATH',
    commands: ['serve', 'sources'],
    docs: 'docs/how-to/operate/fetch-open-data.md#use-a-mirror',
  }),
  HTTPS_PROXY: document(proxyUrl.optional(), {
    description: 'proxy of sources fetch and live feeds for https addresses',
    commands: ['serve', 'sources'],
  }),
  HTTP_PROXY: document(proxyUrl.optional(), {
    description: 'the same for http addresses, which only a mirror has',
    commands: ['serve', 'sources'],
  }),
  NO_PROXY: document(z.string().optional(), {
    description: 'hosts that are read without a proxy, with commas between',
    commands: ['serve', 'sources'],
  }),
  FLIGHTDATA_TODAY: document(date.optional(), {
    description: 'UTC date on which the clock starts, to test with another date; serve --today sets it for one server',
    defaultText: 'today',
  }),
});

/** Descriptions of the variables of the service, in the order of the documentation. */
export const serviceVariables = describeVariables(variables);

/** The values of the variables by name. */
type Variables = z.output<typeof variables>;

/** Builds the configuration from the values of the variables. */
export const buildConfig = (read: Variables, env: Environment = {}) => {
  const [databaseUrl, ...replicaUrls] = read.DATABASE_URL ?? [];
  return Object.freeze({
    /** Undefined means the embedded engine in `dataDir`. */
    databaseUrl,
    replicaUrls,
    dataDir: resolve(read.DATA_DIR),
    host: read.HOST,
    port: read.PORT,
    workers: read.WORKERS,
    drainSeconds: read.DRAIN_SECONDS,
    queryTimeoutMs: read.QUERY_TIMEOUT_MS,
    publicUrl: read.PUBLIC_URL,
    limits: {
      perMinute: read.LIMIT_PER_MINUTE,
      perMonth: read.LIMIT_PER_MONTH,
      atOnce: read.LIMIT_AT_ONCE,
      wrongKeysPerMinute: read.LIMIT_WRONG_KEYS,
      streams: read.LIMIT_STREAMS,
      /** Undefined means half of the connections of the process. */
      processStreams: read.LIMIT_PROCESS_STREAMS,
      accounts: read.LIMIT_ACCOUNTS,
      alerts: read.LIMIT_ALERTS,
      endpoints: read.LIMIT_ENDPOINTS,
      fanOut: read.LIMIT_FAN_OUT,
    },
    trustedProxies: read.TRUSTED_PROXIES,
    cacheMegabytes: read.CACHE_MB,
    cacheLeaseMs: read.CACHE_LEASE_MS,
    readStalenessSeconds: read.READ_STALENESS_SECONDS,
    horizonDays: read.HORIZON_DAYS,
    planDays: { back: read.PLAN_DAYS_BACK, ahead: read.PLAN_DAYS_AHEAD },
    precedence: read.SOURCE_PRECEDENCE,
    today: read.FLIGHTDATA_TODAY,
    webhooks: { allow: read.WEBHOOK_ALLOW, ports: read.WEBHOOK_PORTS, authorities: read.WEBHOOK_AUTHORITIES },
    hub: read.NATS_URL === undefined ? undefined : { url: read.NATS_URL, publicUrl: read.HUB_PUBLIC_URL },
    hubStream: read.HUB_STREAM,
    hasLivePage: read.LIVE_PAGE === 'on',
    /** Undefined means that `/mcp` does not exist. */
    mcp: read.MCP === 'off' ? undefined : read.MCP,
    subscriptionKey: read.SUBSCRIPTION_KEY,
    hubReplicas: read.HUB_REPLICAS,
    metrics: read.METRICS_PORT === undefined ? undefined : { port: read.METRICS_PORT, host: read.METRICS_HOST },
    /** At most one of them may be set. `none` leaves the secrets unencrypted. */
    secretsKey: read.SECRETS_KEY,
    secretsKeyFile: read.SECRETS_KEY_FILE,
    live: {
      /** Undefined when no live feed is followed. */
      followed: read.LIVE_SOURCES,
      leastSeconds: read.LIVE_INTERVAL_SECONDS,
      contact: read.LIVE_CONTACT,
      keys: { SWEDAVIA_KEY: read.SWEDAVIA_KEY },
    },
    /** Where `sources fetch` and live feeds send their requests. */
    sources: {
      mirror: read.SOURCES_MIRROR,
      proxies: { HTTPS_PROXY: read.HTTPS_PROXY, HTTP_PROXY: read.HTTP_PROXY, NO_PROXY: read.NO_PROXY },
    },
    /** Undefined turns tracing off. */
    tracing: parseTracing(env),
  });
};

/** Reads the environment. Throws a RangeError that names the variable and the invalid value. */
export const readConfig = (env: Environment = process.env) => buildConfig(readVariables(variables, env), env);

/** The configuration of a process. */
export type Config = ReturnType<typeof readConfig>;
