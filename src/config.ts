import { resolve } from 'node:path';
import { parseDate, type LocalDate } from './domain/dates.ts';

/** Everything the environment decides. */
export type Config = {
  /** Any PostgreSQL from 15 on; undefined means the embedded engine in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Where the mock listens; the same variable, with another default. */
  readonly mockPort: number;
  /** Scheme, host and path prefix under which callers reach the service, where a proxy stands before it. */
  readonly publicUrl: string | undefined;
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

const date = (env: Environment, name: string): LocalDate | undefined => {
  const text = given(env, name);
  if (text === undefined) return undefined;
  const value = parseDate(text);
  if (value === undefined) throw new RangeError(`${name} must be a date of the form YYYY-MM-DD, not '${text}'`);
  return value;
};

/** Reads the environment; throws a RangeError that names the variable and the value that is wrong. */
export const readConfig = (env: Environment = process.env): Config =>
  Object.freeze({
    databaseUrl: given(env, 'DATABASE_URL'),
    dataDir: resolve(given(env, 'DATA_DIR') ?? '.flightdata'),
    host: given(env, 'HOST') ?? '127.0.0.1',
    port: wholeNumber(env, 'PORT', { or: 8080, min: 0, max: 65_535 }),
    mockPort: wholeNumber(env, 'PORT', { or: 4010, min: 0, max: 65_535 }),
    publicUrl: url(env, 'PUBLIC_URL'),
    horizonDays: wholeNumber(env, 'HORIZON_DAYS', { or: 62, min: 1, max: 400 }),
    today: date(env, 'FLIGHTDATA_TODAY'),
    webhooks: {
      allow: list(env, 'WEBHOOK_ALLOW'),
      ports: ports(env, 'WEBHOOK_PORTS'),
      authorities: given(env, 'WEBHOOK_AUTHORITIES'),
    },
    hub: hub(env),
  });
