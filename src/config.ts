import { resolve } from 'node:path';
import { parseDate, type LocalDate } from './domain/dates.ts';

/** Everything the environment decides. */
export type Config = {
  /** Any PostgreSQL from 15 on; undefined means the embedded engine in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Scheme, host and path prefix under which callers reach the service, where a proxy stands before it. */
  readonly publicUrl: string | undefined;
  /** How many days from yesterday on are kept laid out as flight instances. */
  readonly horizonDays: number;
  /** The date on which the clock starts, for a rehearsal; undefined means the real one. */
  readonly today: LocalDate | undefined;
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

const url = (env: Environment, name: string): string | undefined => {
  const text = given(env, name);
  if (text === undefined) return undefined;
  if (!/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(text))
    throw new RangeError(`${name} must be an http or https address without a query, not '${text}'`);
  return text;
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
    publicUrl: url(env, 'PUBLIC_URL'),
    horizonDays: wholeNumber(env, 'HORIZON_DAYS', { or: 62, min: 1, max: 400 }),
    today: date(env, 'FLIGHTDATA_TODAY'),
  });
