import { withTimeout } from '#lib/with-timeout.ts';
import type { Sql } from '#store/pool/database.ts';
import type { Context } from 'hono';
import type { Env } from '../context/env.ts';
import { markStale } from '../middleware/data-as-of.ts';
import type { PrimaryState } from '../middleware/replica-reads.ts';

/** How long after the start of a successful check a product counts as healthy, milliseconds: as long as health can lag behind the database. */
const FRESH_MS = 1000;
/** Interval of the checks while there are requests for health, so that few of them wait for one, milliseconds. */
const PERIOD_MS = 500;
/** How long after a request the checks go on, milliseconds: longer than the interval of common load balancers. */
const IDLE_MS = 60_000;
const QUERY_TIMEOUT_MS = 2000;
const RETRY_AFTER_SECONDS = 5;

/** Sends a 503, and after how long to try again. */
export const sendUnhealthy = <Body extends Readonly<Record<string, 'unhealthy'>>>(c: Context<Env>, body: Body) =>
  c.json(body, 503, { 'Retry-After': String(RETRY_AFTER_SECONDS) });

/** Sends the health of a product, `healthy` or a 503 with `unhealthy`, under its name in the document. */
export const sendHealth = (c: Context<Env>, product: string, isHealthy: boolean) =>
  isHealthy ? c.json({ [product]: 'healthy' as const }, 200) : sendUnhealthy(c, { [product]: 'unhealthy' as const });

/** The result of a query that succeeded. */
type Success<Value> = { readonly value: Value };

/** Returns the result of a query that succeeds within two seconds. Any error of the database is what a health check reports. */
const readInTime = <Value>(query: Promise<Value>): Promise<Success<Value> | undefined> =>
  withTimeout(
    QUERY_TIMEOUT_MS,
    query.then(
      (value) => ({ value }),
      () => undefined,
    ),
  );

/** One query, repeated while there are requests for its result. */
class HealthCheck<Value> {
  readonly #query: () => Promise<Value>;
  readonly #freshMs: number;
  #pending: Promise<Success<Value> | undefined> | undefined;
  /** The result of the last check that succeeded, and when it began. */
  #last: Success<Value> | undefined;
  #healthyAt = -Infinity;
  #requestedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(query: () => Promise<Value>, freshMs: number) {
    this.#query = query;
    this.#freshMs = freshMs;
  }

  /** Returns a recent success at once; otherwise waits for the check that runs, or for a new one. Undefined is a failure. */
  async read(): Promise<Success<Value> | undefined> {
    if (this.#freshMs === 0) return readInTime(this.#query());
    this.#requestedAt = performance.now();
    this.#timer ??= setInterval(() => this.#onTimer(), PERIOD_MS).unref();
    return this.#requestedAt - this.#healthyAt < this.#freshMs ? this.#last : this.#runOnce();
  }

  #onTimer(): void {
    void this.#runOnce();
    if (performance.now() - this.#requestedAt < IDLE_MS) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #runOnce(): Promise<Success<Value> | undefined> {
    return (this.#pending ??= this.#run().finally(() => {
      this.#pending = undefined;
    }));
  }

  async #run(): Promise<Success<Value> | undefined> {
    const startedAt = performance.now();
    const success = await readInTime(this.#query());
    if (success) [this.#last, this.#healthyAt] = [success, startedAt];
    return success;
  }
}

export type HealthProberOptions = {
  /** How long a success is reused, milliseconds; 0 runs the query for each request. */
  readonly freshMs?: number | undefined;
  /** Whether the database is known to be unreachable for requests; by default it never is. */
  readonly isAway?: (() => boolean) | undefined;
  /** Finds replicas that take the place of the primary for reads; by default there are none. */
  readonly primary?: Pick<PrimaryState, 'findReplica'> | undefined;
};

/** Checks the database for the health of products, on connections of its own: health does not wait behind requests. */
export class HealthProber {
  readonly #sql: Sql;
  readonly #freshMs: number;
  readonly #isAway: () => boolean;
  readonly #primary: HealthProberOptions['primary'];

  constructor(sql: Sql, { freshMs = FRESH_MS, isAway = () => false, primary }: HealthProberOptions = {}) {
    this.#sql = sql;
    this.#freshMs = freshMs;
    this.#isAway = isAway;
    this.#primary = primary;
  }

  /**
   * Creates a check that returns the result of a query; undefined if it does not succeed within two seconds. A product that only reads is also
   * healthy while a replica takes the place of the primary; the headers of the response say so.
   */
  createCheck<Value>(query: (sql: Sql) => Promise<Value>, { needsPrimary = false } = {}) {
    const check = new HealthCheck(() => query(this.#sql), this.#freshMs);
    const readReplica = async (c: Context<Env>): Promise<Success<Value> | undefined> => {
      const replica = await this.#primary?.findReplica();
      const success = replica && (await readInTime(query(replica.sql)));
      if (success) markStale(c, replica.asOf);
      return success;
    };
    return async (c: Context<Env>): Promise<Success<Value> | undefined> => {
      const success = this.#isAway() ? undefined : await check.read();
      return success ?? (needsPrimary ? undefined : readReplica(c));
    };
  }

  /** Creates the handler of a health operation: `healthy` if the query succeeds, else a 503 with `unhealthy`; see `createCheck`. */
  createHandler(product: string, query: (sql: Sql) => Promise<unknown>, options: { needsPrimary?: boolean } = {}) {
    const check = this.createCheck(query, options);
    return async (c: Context<Env>) => sendHealth(c, product, (await check(c)) !== undefined);
  }
}
