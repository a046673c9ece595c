import { hash } from 'node:crypto';
import { toUtcDate, localDate } from '#domain/time/dates.ts';
import type { RequestLimits } from '../rate-limit/rate-limiter.ts';
import { Problem } from '../response/problem.ts';
import { isKeyForm } from '#lib/mask-keys.ts';
import { withTimeout } from '#lib/with-timeout.ts';
import type { FailedKeyLimiter } from './failed-key-limiter.ts';

/** How long a result of the database is used; a revoked key stops working after this time at the latest. */
const TTL_MS = 5_000;
/** How long a cached key stays valid while the database is unreachable: no key can be revoked in it then. */
const STALE_MS = 300_000;
/** How long a request waits for the database when it has a cached key; a later result still updates the cache. */
const QUERY_TIMEOUT_MS = 400;
const MAX_ENTRIES = 10_000;
const MAX_KEY_CHARACTERS = 256;

/** A subscription key in the database. */
export type KeyRecord = {
  readonly subscriptionId: number;
  /** Identifies a key of a subscription in the log; too short to be used as the key. */
  readonly hint?: string | undefined;
  readonly products: readonly string[];
  /** Features of the subscription besides its products, e.g. `map`. */
  readonly features?: readonly string[];
  /** Limits that differ from the default. */
  readonly limits?: Partial<RequestLimits> | undefined;
  /** The last UTC date on which the key is valid, `YYYY-MM-DD`. */
  readonly expiresOn?: string | undefined;
  readonly revoked: boolean;
  /** Whether every unknown name in a query is an error; by default it is ignored unless it is meant as a parameter. */
  readonly isStrict?: boolean | undefined;
};

/** Finds a key by its SHA-256. */
export type FindKey = (hash: Buffer) => Promise<KeyRecord | undefined>;

/**
 * Checks a key (the header value, null when absent) for a product; undefined is any product for reading. Throws Problem `key-missing`,
 * `key-invalid`, `key-not-permitted`, `key-expired`, or `too-many-wrong-keys` when the client has sent many invalid keys. Returns a promise only
 * where the database must be queried.
 */
export type CheckKey = {
  (
    key: string | null,
    product: string | undefined,
    getClientId?: () => string | undefined,
  ): KeyRecord | Promise<KeyRecord>;
  /** Whether a text is a key without the generated form that this process has found in the database; costs no query. */
  readonly isKnown?: (text: string) => boolean;
};

export type KeyCheckerOptions = {
  readonly findKey: FindKey;
  readonly clock: () => Date;
  /** How long a result of the database is used, milliseconds. */
  readonly ttlMs?: number;
  /** Whether an error of `findKey` means that the database is temporarily unavailable; by default none does. */
  readonly isUnavailable?: (error: unknown) => boolean;
  /** The products that receive data, with their titles: keys are either for these or for reading. By default there are none. */
  readonly ingestProducts?: ReadonlyMap<string, string> | undefined;
  /** Counts invalid keys by client; by default they are not counted. */
  readonly failedKeys?: FailedKeyLimiter | undefined;
};

/** `confirmedAt` is when the database last returned the record, `expiresAt` when it is queried again; milliseconds since 1970. */
type CacheEntry = { readonly record: KeyRecord | undefined; readonly expiresAt: number; readonly confirmedAt: number };

const dropOldestIfFull = (entries: Map<string, CacheEntry>): void => {
  const [oldest] = entries.size >= MAX_ENTRIES ? entries.keys() : [];
  if (oldest !== undefined) entries.delete(oldest);
};

/**
 * Caches keys by their hash in hex. Concurrent requests for one key share one query. Unknown keys have a map of their own, so that a flood
 * of invented keys cannot evict real ones. While the database is unreachable, a known key stays valid for `STALE_MS`.
 */
class KeyCache {
  readonly #findKey: FindKey;
  readonly #clock: () => Date;
  readonly #ttlMs: number;
  readonly #isUnavailable: (error: unknown) => boolean;
  readonly #known = new Map<string, CacheEntry>();
  readonly #unknown = new Map<string, CacheEntry>();
  readonly #pending = new Map<string, Promise<KeyRecord | undefined>>();

  constructor({ findKey, clock, ttlMs = TTL_MS, isUnavailable = () => false }: KeyCheckerOptions) {
    this.#findKey = findKey;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#isUnavailable = isUnavailable;
  }

  /** Whether the hash was that of a key when the database was last queried for it. */
  has(hexHash: string): boolean {
    return this.#known.has(hexHash);
  }

  find(hexHash: string): KeyRecord | undefined | Promise<KeyRecord | undefined> {
    const entry = this.#known.get(hexHash) ?? this.#unknown.get(hexHash);
    const now = this.#clock().getTime();
    // A clock that is set back must not extend the life of an entry.
    if (entry && now < entry.expiresAt && now >= entry.expiresAt - this.#ttlMs) return entry.record;
    return this.#findAgain(hexHash);
  }

  async #findAgain(hexHash: string): Promise<KeyRecord | undefined> {
    this.#unknown.delete(hexHash);
    const query = this.#queryOnce(hexHash);
    const stale = this.#known.get(hexHash);
    if (!stale || !this.#isUsable(stale)) return query;
    const result = await withTimeout(
      QUERY_TIMEOUT_MS,
      query.then((record) => ({ record })),
    );
    return (result ?? stale).record;
  }

  #isUsable({ confirmedAt }: CacheEntry): boolean {
    const ageMs = this.#clock().getTime() - confirmedAt;
    return ageMs >= 0 && ageMs < STALE_MS;
  }

  #queryOnce(hexHash: string): Promise<KeyRecord | undefined> {
    const pending = this.#pending.get(hexHash);
    if (pending) return pending;
    const query = this.#query(hexHash);
    const forget = (): boolean => this.#pending.delete(hexHash);
    this.#pending.set(hexHash, query);
    query.then(forget, forget);
    return query;
  }

  async #query(hexHash: string): Promise<KeyRecord | undefined> {
    const stale = this.#known.get(hexHash);
    const { record, confirmedAt } = await this.#findKey(Buffer.from(hexHash, 'hex')).then(
      (found) => ({ record: found, confirmedAt: this.#clock().getTime() }),
      (error: unknown) => {
        if (stale && this.#isUnavailable(error) && this.#isUsable(stale)) return stale;
        throw error;
      },
    );
    const entries = record ? this.#known : this.#unknown;
    this.#known.delete(hexHash);
    dropOldestIfFull(entries);
    entries.set(hexHash, { record, expiresAt: this.#clock().getTime() + this.#ttlMs, confirmedAt });
    return record;
  }
}

/**
 * Creates the check of subscription keys. Keys are hashed at once and never stored.
 *
 * Unknown keys, revoked keys and keys of other products get the same problem. A client that has sent many invalid keys is rejected without a
 * query, unless this process knows its key: other clients may share the address.
 */
export const createKeyChecker = (options: KeyCheckerOptions): CheckKey => {
  const cache = new KeyCache(options);
  /** Lengths of the known keys that an operator chose, e.g. of the demo world: only texts of these are hashed to compare them. */
  const chosenLengths = new Set<number>();
  const { failedKeys, clock } = options;
  const getBlockedSeconds = (clientId: string | undefined): number | undefined =>
    clientId === undefined ? undefined : failedKeys?.getBlockedSeconds(clientId);
  const invalidKeyProblem = (clientId: string | undefined): Problem => {
    const seconds = getBlockedSeconds(clientId);
    if (seconds !== undefined)
      return new Problem(
        'too-many-wrong-keys',
        `Your IP address sent too many invalid keys in this minute. Retry in ${seconds} seconds.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    if (clientId !== undefined) failedKeys?.count(clientId);
    return new Problem(
      'key-invalid',
      'The key is unknown or revoked, or its subscription does not include this product.',
    );
  };
  const { ingestProducts } = options;
  const isForSending = (name: string): boolean => ingestProducts?.has(name) === true;
  const isFor = ({ products }: KeyRecord, product: string | undefined): boolean =>
    product === undefined ? !products.every(isForSending) : products.includes(product);
  /** Throws when the key is for sending and the product for reading, or the other way round. */
  const rejectOtherUse = ({ products }: KeyRecord, product: string | undefined): void => {
    const title = product === undefined ? undefined : ingestProducts?.get(product);
    if (title !== undefined && !products.some(isForSending))
      throw new Problem('key-not-permitted', `The key is for reading. ${title} requires a key for sending.`);
    if (title === undefined && products.every(isForSending))
      throw new Problem('key-not-permitted', 'The key is for sending. This product requires a key for reading.');
  };
  const checkKey: CheckKey = (key, product, getClientId) => {
    if (key === null || key === '')
      throw new Problem('key-missing', 'Send your subscription key in the header Subscription-Key.');
    if (key.length > MAX_KEY_CHARACTERS) throw invalidKeyProblem(getClientId?.());
    const hexHash = hash('sha256', key, 'hex');
    if (!cache.has(hexHash) && getBlockedSeconds(getClientId?.()) !== undefined)
      throw invalidKeyProblem(getClientId?.());
    const checkRecord = (record: KeyRecord | undefined): KeyRecord => {
      if (record && !isKeyForm(key)) chosenLengths.add(key.length);
      if (!record || record.revoked) throw invalidKeyProblem(getClientId?.());
      if (!isFor(record, product)) {
        rejectOtherUse(record, product);
        throw invalidKeyProblem(getClientId?.());
      }
      const { expiresOn } = record;
      if (expiresOn !== undefined && toUtcDate(clock()) > localDate(expiresOn))
        throw new Problem('key-expired', `The key was valid until ${expiresOn}. Request a new one from the operator.`);
      return record;
    };
    const found = cache.find(hexHash);
    return found instanceof Promise ? found.then(checkRecord) : checkRecord(found);
  };
  return Object.assign(checkKey, {
    isKnown: (text: string) => chosenLengths.has(text.length) && cache.has(hash('sha256', text, 'hex')),
  });
};
