import { hash } from 'node:crypto';
import { toUtcDate, localDate } from '../../domain/time/dates.ts';
import type { RequestLimits } from '../rate-limit/request-limits.ts';
import { Problem } from '../response/problem.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { FailedKeyLimiter } from './failed-key-limiter.ts';

const TTL_MS = 5_000;
/** How long a key is believed while the store cannot be asked, milliseconds: nobody can revoke one in it then, and much is answered from memory. */
const AWAY_MS = 300_000;
/** How long it is asked about a key that is believed, milliseconds; an answer that comes later is heard all the same. */
const PATIENCE_MS = 400;
const MAX_ENTRIES = 10_000;
const MAX_KEY_CHARACTERS = 256;

/** What the store knows of a key. */
export type KeyRecord = {
  readonly subscriptionId: number;
  /** Tells the keys of a subscription apart in the log; never enough of a key to use it. */
  readonly hint?: string | undefined;
  readonly products: readonly string[];
  /** What its subscription has beyond products, e.g. `map`. */
  readonly features?: readonly string[];
  /** Those of its limits that are not the default. */
  readonly limits?: Partial<RequestLimits> | undefined;
  /** The last UTC date on which the key is good, `YYYY-MM-DD`. */
  readonly expiresOn?: string | undefined;
  readonly revoked: boolean;
};

/** Finds a key by its SHA-256. */
export type FindKey = (hash: Buffer) => Promise<KeyRecord | undefined>;

/**
 * Admits a key (the header's text, null when there is none) to a product, or throws Problem `key-missing`, `key-invalid`, `key-expired`, or
 * `too-many-wrong-keys` where the caller, if it can be told, has come with many.
 */
export type CheckKey = (key: string | null, product: string, caller?: () => string | undefined) => Promise<KeyRecord>;

export type KeyCheckerOptions = {
  readonly findKey: FindKey;
  readonly clock: () => Date;
  /** How long an answer of the store is believed, milliseconds: so soon a revocation takes effect. */
  readonly ttlMs?: number;
  /** Whether an error of `find` means that the store cannot be asked for the moment; by default none does. */
  readonly isUnavailable?: (error: unknown) => boolean;
  /** Counts wrong keys; by default nobody does. */
  readonly wrongKeys?: FailedKeyLimiter | undefined;
};

type Entry = { readonly record: KeyRecord | undefined; readonly until: number; readonly learnedAt: number };

/** Forgets the oldest entry of a full map. */
const makeRoom = (entries: Map<string, Entry>): void => {
  const [oldest] = entries.size >= MAX_ENTRIES ? entries.keys() : [];
  if (oldest !== undefined) entries.delete(oldest);
};

type Remembered = {
  readonly recordOf: (name: string) => Promise<KeyRecord | undefined>;
  /** Whether this was a key when the store was last asked, however long ago. */
  readonly wasKey: (name: string) => boolean;
};

/** Remembers answers for a while, and asks once however many requests wait for the same one. A flood of made-up keys cannot push out real ones. */
const remembered = ({
  findKey: find,
  clock,
  ttlMs = TTL_MS,
  isUnavailable = () => false,
}: KeyCheckerOptions): Remembered => {
  const known = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();
  const pending = new Map<string, Promise<KeyRecord | undefined>>();
  const isBelieved = ({ learnedAt }: Entry): boolean => {
    const ageMs = clock().getTime() - learnedAt;
    return ageMs >= 0 && ageMs < AWAY_MS;
  };
  const ask = async (name: string): Promise<KeyRecord | undefined> => {
    const before = known.get(name);
    const asked = find(Buffer.from(name, 'hex'));
    const { record, learnedAt } = await asked.then(
      (found) => ({ record: found, learnedAt: clock().getTime() }),
      (error: unknown) => {
        if (before && isUnavailable(error) && isBelieved(before)) return before;
        throw error;
      },
    );
    const entry = { record, until: clock().getTime() + ttlMs, learnedAt };
    const entries = record ? known : unknown;
    known.delete(name);
    makeRoom(entries);
    entries.set(name, entry);
    return record;
  };
  const recordOf = async (name: string): Promise<KeyRecord | undefined> => {
    const entry = known.get(name) ?? unknown.get(name);
    const now = clock().getTime();
    // A clock set back must not stretch an entry's life.
    if (entry && now < entry.until && now >= entry.until - ttlMs) return entry.record;
    unknown.delete(name);
    const asked = pending.get(name) ?? ask(name);
    if (!pending.has(name)) {
      const forget = (): boolean => pending.delete(name);
      pending.set(name, asked);
      asked.then(forget, forget);
    }
    const before = known.get(name);
    if (!before || !isBelieved(before)) return asked;
    const told = await withTimeout(
      PATIENCE_MS,
      asked.then((record) => ({ record })),
    );
    return (told ?? before).record;
  };
  return { recordOf, wasKey: (name) => known.has(name) };
};

/** How long a caller is not listened to, seconds, for it has come with many wrong keys. */
const shutFor = (wrongKeys: FailedKeyLimiter | undefined, caller: string | undefined): number | undefined =>
  caller === undefined ? undefined : wrongKeys?.getBlockedSeconds(caller);

/**
 * Checks subscription keys against the store. The texts of keys are hashed at once and kept nowhere.
 *
 * Keys that are unknown, revoked or of another product are refused alike. A caller who has come with many is refused without a question to
 * the store, whatever the key, unless it is one that this process has met: others may share the address of somebody who guesses.
 */
export const createKeyChecker = (options: KeyCheckerOptions): CheckKey => {
  const { recordOf, wasKey } = remembered(options);
  const { wrongKeys, clock } = options;
  const refusal = (caller: string | undefined): Problem => {
    const seconds = shutFor(wrongKeys, caller);
    if (seconds !== undefined)
      return new Problem(
        'too-many-wrong-keys',
        `Many wrong keys came from your address in this minute. Try again in ${seconds} seconds.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    if (caller !== undefined) wrongKeys?.count(caller);
    return new Problem(
      'key-invalid',
      'The key is unknown, has been revoked, or belongs to a subscription without this product.',
    );
  };
  return async (key, product, callerOf) => {
    if (key === null || key === '')
      throw new Problem('key-missing', 'Send your subscription key in the header Subscription-Key.');
    if (key.length > MAX_KEY_CHARACTERS) throw refusal(callerOf?.());
    const name = hash('sha256', key, 'hex');
    if (!wasKey(name) && shutFor(wrongKeys, callerOf?.()) !== undefined) throw refusal(callerOf?.());
    const record = await recordOf(name);
    if (!record || record.revoked || !record.products.includes(product)) throw refusal(callerOf?.());
    const { expiresOn } = record;
    if (expiresOn !== undefined && toUtcDate(clock()) > localDate(expiresOn))
      throw new Problem(
        'key-expired',
        `The key was valid until ${expiresOn}. Ask the operator of the service for a new one.`,
      );
    return record;
  };
};
