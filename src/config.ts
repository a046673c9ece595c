import { resolve } from 'node:path';
import { parseDate, type LocalDate } from './domain/time/dates.ts';
import { defaultRequestLimits, type RequestLimits } from './http/rate-limit/limits.ts';
import { FAILED_KEYS_PER_MINUTE } from './http/auth/failed-key-limiter.ts';
import { readTracing, type Tracing } from './telemetry/read-tracing.ts';

/** Everything the environment decides. */
export type Config = {
  /** Any PostgreSQL from 15 on; undefined means the embedded engine in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Streaming replicas of that one; they answer what only reads. */
  readonly replicaUrls: readonly string[];
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Where the mock listens; the same variable, with another default. */
  readonly mockPort: number;
  /** How many processes answer requests; `auto` is one for each processor. */
  readonly workers: number | 'auto';
  /** For how long a server that is asked to end goes on, so that whoever spreads requests has noticed; seconds. */
  readonly drainSeconds: number;
  /** How long a question of a request may keep the database busy, milliseconds. */
  readonly queryTimeoutMs: number;
  /** Scheme, host and path prefix under which callers reach the service, where a proxy stands before it. */
  readonly publicUrl: string | undefined;
  /** What a subscription may ask for which nothing else is set; 0 stands for any number. */
  readonly limits: RequestLimits & {
    /** Wrong keys a minute that one caller can bring to a server process. */
    readonly wrongKeysPerMinute: number;
  };
  /** Addresses and networks of proxies whose `X-Forwarded-For` says who asks. */
  readonly trustedProxies: readonly string[];
  /** Memory in which a process that answers requests keeps pages of flights, MB; 0 keeps none. */
  readonly cacheMegabytes: number;
  /** How many days from yesterday on are kept laid out as flight instances. */
  readonly horizonDays: number;
  /** The date on which the clock starts, for a rehearsal; undefined means the real one. */
  readonly today: LocalDate | undefined;
  readonly webhooks: {
    /** Addresses, networks and host names of receivers that may be internal. */
    readonly allow: readonly string[];
    /** Ports of public receivers. */
    readonly ports: readonly number[];
    /** A file of certificates (PEM) of authorities to trust beside those of the system. */
    readonly authorities: string | undefined;
  };
  /** A broker to which events are published; undefined means none. */
  readonly hub:
    | {
        /** `nats://` or `tls://`; it may hold a user and a password. */
        readonly url: string;
        /** Where consumers reach it, when that is another address. */
        readonly publicUrl: string | undefined;
      }
    | undefined;
  /** Where metrics and readiness are told, apart from the API; undefined means nowhere. Port 0 takes a free one. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined;
  /** Where traces are sent; undefined means nowhere. */
  readonly tracing: Tracing | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

const given = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

const wholeNumber = (
  env: Environment,
  name: string,
  { or, min, max }: { readonly or: number; readonly min: number; readonly max: number },
): number => {
  const text = given(env, name);
  if (text === undefined) return or;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not '${text}'`);
  return value;
};

/** More processes than this answer no sooner on any machine there is, and each has connections to the database. */
export const MAX_WORKERS = 256;

const workers = (env: Environment): number | 'auto' =>
  given(env, 'WORKERS') === 'auto' ? 'auto' : wholeNumber(env, 'WORKERS', { or: 1, min: 1, max: MAX_WORKERS });

/** The primary and its replicas. A comma within one of them, as of several hosts, is no comma between two. */
const databaseUrls = (env: Environment): readonly string[] =>
  given(env, 'DATABASE_URL')?.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)|\s+/) ?? [];

/** What stands between commas or blanks. */
const list = (env: Environment, name: string): readonly string[] =>
  (given(env, name) ?? '').split(/[\s,]+/).filter((one) => one !== '');

const ports = (env: Environment, name: string): readonly number[] => {
  const texts = list(env, name);
  for (const text of texts)
    if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535)
      throw new RangeError(`${name} must be ports from 1 to 65535 with commas between, not '${text}'`);
  return texts.length === 0 ? [443, 8443] : texts.map(Number);
};

const url = (env: Environment, name: string): string | undefined => {
  const text = given(env, name);
  if (text === undefined) return undefined;
  if (!/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(text))
    throw new RangeError(`${name} must be an http or https address without a query, not '${text}'`);
  return text;
};

/** The value is not told: it may hold a password. */
const brokerUrl = (env: Environment, name: string): string | undefined => {
  const text = given(env, name);
  if (text === undefined) return undefined;
  if (!/^(nats|tls):\/\/([^/?#@]*@)?[^/?#@:\s]+(:\d{1,5})?\/?$/.test(text) || !URL.canParse(text))
    throw new RangeError(`${name} must be of the form nats://host:port or tls://host:port`);
  return text.replace(/\/$/, '');
};

const hub = (env: Environment): Config['hub'] => {
  const natsUrl = brokerUrl(env, 'NATS_URL');
  const publicUrl = brokerUrl(env, 'HUB_PUBLIC_URL');
  if (publicUrl?.includes('@')) throw new RangeError('HUB_PUBLIC_URL is shown to consumers: it must hold no user');
  return natsUrl === undefined ? undefined : { url: natsUrl, publicUrl };
};

/** Off by default: a second port that is open without anybody having asked for it is one too many, and two servers of a machine would fight for it. */
const metrics = (env: Environment): Config['metrics'] =>
  given(env, 'METRICS_PORT') === undefined
    ? undefined
    : {
        port: wholeNumber(env, 'METRICS_PORT', { or: 0, min: 0, max: 65_535 }),
        host: given(env, 'METRICS_HOST') ?? '127.0.0.1',
      };

const date = (env: Environment, name: string): LocalDate | undefined => {
  const text = given(env, name);
  if (text === undefined) return undefined;
  const value = parseDate(text);
  if (value === undefined) throw new RangeError(`${name} must be a date of the form YYYY-MM-DD, not '${text}'`);
  return value;
};

const limits = (env: Environment): Config['limits'] => ({
  perMinute: wholeNumber(env, 'LIMIT_PER_MINUTE', { or: defaultRequestLimits.perMinute, min: 0, max: 1_000_000_000 }),
  perMonth: wholeNumber(env, 'LIMIT_PER_MONTH', { or: defaultRequestLimits.perMonth, min: 0, max: 1_000_000_000_000 }),
  atOnce: wholeNumber(env, 'LIMIT_AT_ONCE', { or: defaultRequestLimits.atOnce, min: 0, max: 1_000_000 }),
  wrongKeysPerMinute: wholeNumber(env, 'LIMIT_WRONG_KEYS', { or: FAILED_KEYS_PER_MINUTE, min: 0, max: 1_000_000_000 }),
});

/** Reads the environment; throws a RangeError that names the variable and the value that is wrong. */
export const readConfig = (env: Environment = process.env): Config => {
  const [databaseUrl, ...replicaUrls] = databaseUrls(env);
  return Object.freeze({
    databaseUrl,
    replicaUrls,
    dataDir: resolve(given(env, 'DATA_DIR') ?? '.flightdata'),
    host: given(env, 'HOST') ?? '127.0.0.1',
    port: wholeNumber(env, 'PORT', { or: 8080, min: 0, max: 65_535 }),
    workers: workers(env),
    drainSeconds: wholeNumber(env, 'DRAIN_SECONDS', { or: 0, min: 0, max: 600 }),
    mockPort: wholeNumber(env, 'PORT', { or: 4010, min: 0, max: 65_535 }),
    queryTimeoutMs: wholeNumber(env, 'QUERY_TIMEOUT_MS', { or: 10_000, min: 100, max: 600_000 }),
    publicUrl: url(env, 'PUBLIC_URL'),
    limits: limits(env),
    trustedProxies: list(env, 'TRUSTED_PROXIES'),
    cacheMegabytes: wholeNumber(env, 'CACHE_MB', { or: 256, min: 0, max: 1_000_000 }),
    horizonDays: wholeNumber(env, 'HORIZON_DAYS', { or: 62, min: 1, max: 400 }),
    today: date(env, 'FLIGHTDATA_TODAY'),
    webhooks: {
      allow: list(env, 'WEBHOOK_ALLOW'),
      ports: ports(env, 'WEBHOOK_PORTS'),
      authorities: given(env, 'WEBHOOK_AUTHORITIES'),
    },
    hub: hub(env),
    metrics: metrics(env),
    tracing: readTracing(env),
  });
};
