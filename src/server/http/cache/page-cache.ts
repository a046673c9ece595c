import type { PageContents } from '#domain/cache/page-invalidation.ts';
import { createLinkedList, type ListNode } from '#lib/linked-list.ts';
import { createCounter, createGauge, type Observe } from '#telemetry/metric.ts';
import { createBody } from '../context/body.ts';
import type { ResponseBody } from '../context/env.ts';
import { compressBody, type ContentCoding } from '../response/content-negotiation.ts';

/** The changes to what pages contain, in the order in which this process learned of them. */
export type PageChangeLog<Contents> = {
  /** Whether every change is known that was committed more than a lease ago; starts a check in the background before the lease ends. */
  readonly isCaughtUp: () => boolean;
  /** Resolves when every such change is known, or without leases every change committed before the call; rejects when the database cannot be queried. */
  readonly catchUp: () => Promise<void>;
  /** Position of the last known change; undefined before the first read. Data read after this call includes all changes up to it. */
  readonly position: () => number | undefined;
  /** Whether none of the known changes after a position affects the contents. */
  readonly isUnchanged: (contents: Contents, since: number) => boolean;
  /** When the last check began that succeeded; undefined before. */
  readonly checkedAt: () => Date | undefined;
  /** Whether none of the changes up to that check affects the contents. */
  readonly wasUnchanged: (contents: Contents, since: number) => boolean;
};

/** Counts of cacheable requests, and the size of the cache. */
export type PageCacheStatistics = { hits: number; misses: number; pages: number; bytes: number };

export type PageCacheOptions = {
  readonly changes: PageChangeLog<PageContents>;
  /** Returns what pages depend on besides the database, compared by identity: master data in memory. */
  readonly getDependency: () => unknown;
  /** Limit for pages and their compressed bodies together. */
  readonly maxBytes: number;
  /** The cache updates them; for metrics. */
  readonly statistics?: PageCacheStatistics | undefined;
};

/** State of the data at which a page was rendered. */
export type PageSnapshot = { readonly position: number; readonly dependency: unknown };

type CacheEntry = {
  readonly body: ResponseBody;
  readonly contents: PageContents;
  readonly dependency: unknown;
  /** No change up to this position affects the page. */
  position: number;
  readonly compressed: Map<ContentCoding, Buffer<ArrayBuffer>>;
  bytes: number;
  node: ListNode<string>;
  /** Whether it was used since it was appended to the list. */
  wasUsed: boolean;
};

const MAX_KEY_CHARACTERS = 1024;
/** One entry may take up to this share of the memory. */
const MAX_ENTRY_SHARE = 1 / 8;
/** Memory of an entry besides its body, of a flight in it, and of an airport or carrier it is filtered by. */
const ENTRY_BYTES = 1024;
const FLIGHT_BYTES = 80;
const ID_BYTES = 8;

const sizeOf = ({ flights, carriers, departures, arrivals }: PageContents): number =>
  ENTRY_BYTES +
  flights.size * FLIGHT_BYTES +
  [carriers, departures, arrivals].reduce((sum, ids) => sum + (ids?.length ?? 0) * ID_BYTES, 0);

/** Copies bytes to memory of their own: a short buffer is part of a 64 kB pool, and storing it would keep the whole pool. */
const copyBytes = (bytes: Uint8Array): Buffer<ArrayBuffer> => {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
};

/** Returns whether a key was requested before, and remembers it; holds between 8,192 and 16,384 keys. */
const createRecentKeys = (maxKeys = 8192): ((key: string) => boolean) => {
  let [young, old] = [new Set<string>(), new Set<string>()];
  return (key) => {
    const isKnown = young.has(key) || old.has(key);
    if (young.size >= maxKeys) [young, old] = [new Set<string>(), young];
    young.add(key);
    return isKnown;
  };
};

const createPageCacheStatistics = (): PageCacheStatistics => ({ hits: 0, misses: 0, pages: 0, bytes: 0 });

/**
 * A cache of pages. Before each hit every change is known that was committed a lease before the request, so a cached page is at most a lease
 * older than an uncached one; without leases, never. A page is stored on its second request. Beyond
 * `maxBytes`, those are dropped that were not used for the longest time, approximately: a second chance (CLOCK) costs a hit one bit, and a list in the
 * order of use half a microsecond.
 */
export class PageCache {
  readonly #options: PageCacheOptions;
  readonly #statistics: PageCacheStatistics;
  readonly #entries = new Map<string, CacheEntry>();
  /** The next to be dropped first. */
  readonly #keys = createLinkedList<string>();
  readonly #wasRequested = createRecentKeys();

  constructor(options: PageCacheOptions) {
    this.#options = options;
    this.#statistics = options.statistics ?? createPageCacheStatistics();
  }

  /** Returns the cached page of a key if it is still current. */
  find(key: string): ResponseBody | undefined | Promise<ResponseBody | undefined> {
    const { changes } = this.#options;
    if (!this.#entries.has(key)) return this.#miss();
    return changes.isCaughtUp() ? this.#findCurrent(key) : changes.catchUp().then(() => this.#findCurrent(key));
  }

  /** Returns the page of a key as of the last successful check for changes, for when none is possible; undefined when it had changed by then. */
  findStale(key: string): { readonly body: ResponseBody; readonly asOf: Date } | undefined {
    const { changes, getDependency } = this.#options;
    const entry = this.#entries.get(key);
    const asOf = changes.checkedAt();
    if (!entry || !asOf || entry.dependency !== getDependency()) return undefined;
    return changes.wasUnchanged(entry.contents, entry.position) ? { body: entry.body, asOf } : undefined;
  }

  /**
   * Returns the state of the data before a page is rendered, to store the page with; undefined when it is not to be stored: on its first request,
   * before the first check for changes, and while none is possible.
   */
  async startPage(key: string): Promise<PageSnapshot | undefined> {
    if (key.length > MAX_KEY_CHARACTERS || !this.#wasRequested(key)) return undefined;
    // Taken before the handler reads, so the page includes at least the changes up to this position.
    const [position, dependency] = [this.#options.changes.position(), this.#options.getDependency()];
    if (position !== undefined) return { position, dependency };
    await this.#options.changes.catchUp().catch(() => {});
    return undefined;
  }

  /** Stores a page, and returns it with a body that keeps its compressed forms; undefined when it is too large. */
  store(
    key: string,
    page: { readonly body: ResponseBody; readonly contents: PageContents },
    snapshot: PageSnapshot,
  ): ResponseBody | undefined {
    const { contents } = page;
    const { bytes: sent } = page.body;
    const bytes = sent.byteLength + sizeOf(contents) + key.length;
    if (bytes > this.#options.maxBytes * MAX_ENTRY_SHARE) return undefined;
    this.#drop(key);
    const compressed = new Map<ContentCoding, Buffer<ArrayBuffer>>();
    const entry: CacheEntry = {
      body: {
        ...createBody(copyBytes(sent)),
        compress: (bytesToSend, coding) =>
          compressed.get(coding) ?? this.#compress({ key, entry, coding }, bytesToSend),
      },
      ...snapshot,
      contents,
      compressed,
      bytes,
      node: this.#keys.append(key),
      wasUsed: false,
    };
    this.#entries.set(key, entry);
    this.#statistics.pages += 1;
    this.#grow(bytes);
    return entry.body;
  }

  #miss(): undefined {
    this.#statistics.misses += 1;
  }

  #findCurrent(key: string): ResponseBody | undefined {
    const entry = this.#entries.get(key);
    if (!entry || !this.#isCurrent(entry)) {
      this.#drop(key);
      return this.#miss();
    }
    entry.wasUsed = true;
    this.#statistics.hits += 1;
    return entry.body;
  }

  #isCurrent(entry: CacheEntry): boolean {
    const { changes, getDependency } = this.#options;
    if (entry.dependency !== getDependency() || !changes.isUnchanged(entry.contents, entry.position)) return false;
    entry.position = changes.position() ?? entry.position;
    return true;
  }

  /** Compresses a cached body and stores the result while the entry exists. */
  async #compress(
    { key, entry, coding }: { readonly key: string; readonly entry: CacheEntry; readonly coding: ContentCoding },
    bytes: Uint8Array,
  ): Promise<Buffer<ArrayBuffer>> {
    const result = copyBytes(await compressBody(bytes, coding));
    if (this.#entries.get(key) === entry && !entry.compressed.has(coding)) {
      entry.compressed.set(coding, result);
      entry.bytes += result.byteLength;
      this.#grow(result.byteLength);
    }
    return result;
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#keys.remove(entry.node);
    this.#statistics.pages -= 1;
    this.#statistics.bytes -= entry.bytes;
  }

  #grow(bytes: number): void {
    this.#statistics.bytes += bytes;
    const isTooLarge = (): boolean => this.#statistics.bytes > this.#options.maxBytes;
    for (let key = this.#keys.first(); key !== undefined && isTooLarge(); key = this.#keys.first())
      if (!this.#giveSecondChance(key)) this.#drop(key);
  }

  /** Keeps a page that was used since its last turn until its next one; returns whether it was. */
  #giveSecondChance(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry?.wasUsed) return false;
    this.#keys.remove(entry.node);
    entry.node = this.#keys.append(key);
    entry.wasUsed = false;
    return true;
  }
}

/** Creates statistics for a page cache and the metrics that show them. */
export const createPageCacheMetrics = (): { readonly statistics: PageCacheStatistics; readonly observe: Observe } => {
  const statistics = createPageCacheStatistics();
  return {
    statistics,
    observe: () => [
      createCounter('flightdata_page_cache_hits_total', 'Page cache hits', statistics.hits),
      createCounter('flightdata_page_cache_misses_total', 'Page cache misses', statistics.misses),
      createGauge('flightdata_page_cache_pages', 'Pages in the page cache', statistics.pages),
      createGauge(
        'flightdata_page_cache_bytes',
        'Memory of the page cache, including compressed forms',
        statistics.bytes,
      ),
    ],
  };
};
