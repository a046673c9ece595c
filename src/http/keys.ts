import { hash } from 'node:crypto';
import { dateOfInstant, localDate } from '../domain/dates.ts';
import { Problem } from './problem.ts';

const TTL_MS = 5_000;
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
  /** The last UTC date on which the key is good, `YYYY-MM-DD`. */
  readonly expiresOn?: string | undefined;
  readonly revoked: boolean;
};

/** Finds a key by its SHA-256. */
export type FindKey = (hash: Buffer) => Promise<KeyRecord | undefined>;

/** Admits a key (the header's text, null when there is none) to a product, or throws Problem `key-missing`, `key-invalid`, `key-expired`. */
export type CheckKey = (key: string | null, product: string) => Promise<KeyRecord>;

export type KeysOptions = {
  readonly find: FindKey;
  readonly clock: () => Date;
  /** How long an answer of the store is believed, milliseconds: so soon a revocation takes effect. */
  readonly ttlMs?: number;
};

type Entry = { readonly record: KeyRecord | undefined; readonly until: number };

/** Forgets the oldest entry of a full map. */
const makeRoom = (entries: Map<string, Entry>): void => {
  const [oldest] = entries.size >= MAX_ENTRIES ? entries.keys() : [];
  if (oldest !== undefined) entries.delete(oldest);
};

/** Remembers answers for a while, and asks once however many requests wait for the same one. A flood of made-up keys cannot push out real ones. */
const remembered = ({
  find,
  clock,
  ttlMs = TTL_MS,
}: KeysOptions): ((name: string) => Promise<KeyRecord | undefined>) => {
  const known = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();
  const pending = new Map<string, Promise<KeyRecord | undefined>>();
  const ask = async (name: string): Promise<KeyRecord | undefined> => {
    const record = await find(Buffer.from(name, 'hex'));
    const entry = { record, until: clock().getTime() + ttlMs };
    const entries = record ? known : unknown;
    makeRoom(entries);
    entries.set(name, entry);
    return record;
  };
  return async (name) => {
    const entry = known.get(name) ?? unknown.get(name);
    const now = clock().getTime();
    // A clock set back must not stretch an entry's life.
    if (entry && now < entry.until && now >= entry.until - ttlMs) return entry.record;
    known.delete(name);
    unknown.delete(name);
    const waiting = pending.get(name);
    if (waiting) return waiting;
    const asked = ask(name);
    const forget = (): boolean => pending.delete(name);
    pending.set(name, asked);
    asked.then(forget, forget);
    return asked;
  };
};

/** Checks subscription keys against the store. The texts of keys are hashed at once and kept nowhere. */
export const createKeys = (options: KeysOptions): CheckKey => {
  const recordOf = remembered(options);
  const refusal = (): Problem =>
    new Problem(
      'key-invalid',
      'The key is unknown, has been revoked, or belongs to a subscription without this product.',
    );
  return async (key, product) => {
    if (key === null || key === '')
      throw new Problem('key-missing', 'Send your subscription key in the header Subscription-Key.');
    if (key.length > MAX_KEY_CHARACTERS) throw refusal();
    const record = await recordOf(hash('sha256', key, 'hex'));
    if (!record || record.revoked || !record.products.includes(product)) throw refusal();
    const { expiresOn } = record;
    if (expiresOn !== undefined && dateOfInstant(options.clock()) > localDate(expiresOn))
      throw new Problem(
        'key-expired',
        `The key was valid until ${expiresOn}. Ask the operator of the service for a new one.`,
      );
    return record;
  };
};
