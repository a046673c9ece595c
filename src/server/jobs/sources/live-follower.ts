import { randomUUID } from 'node:crypto';
import { findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { FeedError } from '#feeds/feed-error.ts';
import type { LiveAnswer } from '#feeds/live/live-row.ts';
import { listRowChanges, type LastRow } from '#feeds/live/row-changes.ts';
import { explainError } from '#lib/explain-error.ts';
import type { Database } from '#store/pool/database.ts';
import {
  claimLiveLease,
  claimLiveRequest,
  listLiveRequests,
  recordLiveFailure,
  recordLiveSuccess,
  releaseLiveLease,
  updateFollowedRequests,
  type LiveRequestState,
  type LiveSuccess,
} from '#store/live/live-requests.ts';
import {
  addLiveCounts,
  deleteLiveCounts,
  deleteLiveRows,
  listLiveRows,
  storeLiveRows,
  type LiveCount,
} from '#store/live/live-rows.ts';
import type { BackgroundDriver, RunOutcome } from '../driver.ts';
import { createStatusReader, type FeedItem } from '../status/ingest/feed-readers.ts';
import type { StatusIngester } from '../status/ingest/status-ingester.ts';
import type { DownloadRoute } from './download-file.ts';
import {
  AnswerError,
  assertAcceptable,
  assertStatus,
  findNewestActual,
  isComplete,
  isFinal,
  type ReceivedAnswer,
} from './accept-answer.ts';
import { fetchAnswer } from './fetch-answer.ts';
import {
  buildLiveRequest,
  getNextDay,
  getRequestPeriod,
  planRequests,
  type FollowedSource,
  type LiveSource,
  type PlannedRequest,
} from './live-registry.ts';
import { getLiveReader } from './live-readers.ts';

export type LiveFollowerOptions = {
  readonly followed: readonly FollowedSource[];
  readonly ingester: Pick<StatusIngester, 'ingest'>;
  readonly getMasterDataIndex: () => MasterDataIndex;
  readonly clock: () => Date;
  readonly route: DownloadRoute;
  readonly userAgent: string;
  /** Keys of sources by the name of their environment variable. */
  readonly keys?: Readonly<Record<string, string | undefined>>;
  /** Makes requests rarer than the registry allows, seconds. */
  readonly leastSeconds?: number;
  readonly leaseMs?: number;
  /** Called when a request fails. */
  readonly onFailure?: (source: string, error: Error) => void;
};

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Longer than a request and its messages take. */
const LEASE_MS = 2 * MINUTE_MS;
const LONGEST_BACKOFF_MS = HOUR_MS;
/** The most time between two requests to a host; less with many requests, so that each is sent in its interval. */
const LONGEST_GAP_MS = 4 * SECOND_MS;
/** Requested again from before the last answer: the parameter has no fraction of seconds. */
const CURSOR_OVERLAP_MS = 10 * SECOND_MS;
/** After this many intervals without an answer, all rows are requested. */
const GAP_INTERVALS = 5;
const KEEP_ROWS_MS = 4 * DAY_MS;
const KEEP_COUNTS_MS = 30 * DAY_MS;
const BATCH = 500;

/** What is known of a source in memory. */
type SourceMemory = {
  readonly requests: readonly PlannedRequest[];
  /** Last rows by airport and key. */
  readonly rows: Map<string, Map<string, LastRow>>;
  readonly gapMs: number;
  lastRequestAt: number;
};

const countRemarks = (kind: string, remarks: readonly { readonly reason: string; readonly value: string }[]) =>
  [...Map.groupBy(remarks, ({ reason, value }) => `${reason} ${value}`).values()].flatMap((same) =>
    same[0] ? [{ kind, ...same[0], count: same.length }] : [],
  );

/** Follows live feeds while this process holds the lease. */
export class LiveFollower {
  readonly #worker = randomUUID();
  readonly #db: Database;
  readonly #options: LiveFollowerOptions;
  #sources: readonly SourceMemory[] | undefined;
  #prunedAt = -Infinity;

  constructor(db: Database, options: LiveFollowerOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Sends up to one request to each host. */
  async run(signal?: AbortSignal): Promise<RunOutcome> {
    const { leaseMs = LEASE_MS, clock } = this.#options;
    const claim = await claimLiveLease(this.#db, { worker: this.#worker, leaseMs });
    if (!claim) {
      this.#sources = undefined;
      return 'standby';
    }
    const sources = this.#sources && claim.wasMine ? this.#sources : await this.#load();
    this.#sources = sources;
    if (Math.abs(clock().getTime() - this.#prunedAt) >= HOUR_MS) await this.#prune();
    const states = await listLiveRequests(this.#db);
    const waits = await Promise.all(sources.map((source) => this.#runSource(source, states, signal)));
    return { nextInMs: Math.max(0, Math.min(MINUTE_MS, ...waits)) };
  }

  /** Releases the lease. */
  async close(): Promise<void> {
    await releaseLiveLease(this.#db, this.#worker);
  }

  async #load(): Promise<readonly SourceMemory[]> {
    const { followed, clock, leastSeconds } = this.#options;
    const sources: SourceMemory[] = [];
    for (const one of followed) {
      const requests = planRequests(one, leastSeconds);
      const rows = new Map<string, Map<string, LastRow>>();
      for (const { airport, key, row } of await listLiveRows(this.#db, one.source.name)) {
        const parsed: LastRow = JSON.parse(row);
        rows.set(airport, (rows.get(airport) ?? new Map<string, LastRow>()).set(key, parsed));
      }
      const most = Math.min(...requests.map(({ intervalMs }) => intervalMs));
      sources.push({
        requests,
        rows,
        gapMs: Math.min(LONGEST_GAP_MS, most / requests.length),
        lastRequestAt: -Infinity,
      });
    }
    const ids = sources.flatMap(({ requests }) =>
      requests.map(({ source, place, request }) => ({ source: source.name, place, request })),
    );
    await updateFollowedRequests(this.#db, ids, clock());
    return sources;
  }

  async #prune(): Promise<void> {
    const now = this.#options.clock().getTime();
    this.#prunedAt = now;
    await deleteLiveRows(this.#db, new Date(now - KEEP_ROWS_MS));
    await deleteLiveCounts(this.#db, new Date(now - KEEP_COUNTS_MS));
    for (const { rows } of this.#sources ?? [])
      for (const ofAirport of rows.values())
        for (const [key, { scheduled }] of ofAirport)
          if (Date.parse(scheduled) < now - KEEP_ROWS_MS) ofAirport.delete(key);
  }

  /** Sends the request of a source that is due longest; returns the milliseconds until the next one is due. */
  async #runSource(
    memory: SourceMemory,
    states: readonly LiveRequestState[],
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const now = this.#options.clock();
    const stateOf = new Map(states.map((state) => [`${state.source} ${state.place} ${state.request}`, state]));
    const pending = memory.requests.flatMap((request) => {
      const state = stateOf.get(`${request.source.name} ${request.place} ${request.request}`);
      return state ? [{ request, state }] : [];
    });
    // After the clock was set back, the last request is in the future.
    const gap = memory.lastRequestAt > now.getTime() ? 0 : memory.lastRequestAt + memory.gapMs - now.getTime();
    const due = pending
      .filter(({ state }) => state.nextAt <= now || state.nextAt.getTime() > now.getTime() + DAY_MS + HOUR_MS)
      .toSorted((a, b) => a.state.nextAt.getTime() - b.state.nextAt.getTime())[0];
    if (!due) return Math.min(...pending.map(({ state }) => state.nextAt.getTime() - now.getTime()));
    if (gap > 0) return gap;
    const { source, place, request, intervalMs } = due.request;
    const id = { source: source.name, place, request };
    if (!(await claimLiveRequest(this.#db, id, { now, nextAt: new Date(now.getTime() + intervalMs) }))) {
      const pause = stateOf.get(`${source.name}  `);
      return pause && pause.nextAt > now ? pause.nextAt.getTime() - now.getTime() : SECOND_MS;
    }
    memory.lastRequestAt = now.getTime();
    try {
      await this.#follow(memory, due, signal);
    } catch (error) {
      if (signal?.aborted) return 0;
      await this.#recordFailure(due, stateOf.get(`${source.name}  `), error);
    }
    return memory.gapMs;
  }

  async #recordFailure(
    {
      request: { source, place, request, intervalMs },
      state,
    }: { readonly request: PlannedRequest; readonly state: LiveRequestState },
    pause: LiveRequestState | undefined,
    error: unknown,
  ): Promise<void> {
    const now = this.#options.clock();
    // The connection failed, unless the answer has an error of its own.
    const isHost =
      error instanceof AnswerError ? error.isHost : !(error instanceof FeedError || error instanceof RangeError);
    const failures = (isHost ? (pause?.failures ?? 0) : state.failures) + 1;
    const backoffMs = Math.min(LONGEST_BACKOFF_MS, intervalMs * 2 ** failures);
    const retryAfterMs = error instanceof AnswerError ? (error.retryAfterMs ?? 0) : 0;
    const text = `${place}${request === '0' ? '' : ` ${request}`}: ${explainError(error)}`;
    const reason = error instanceof FeedError ? (error.reason ?? 'malformed') : isHost ? 'no-answer' : 'bad-answer';
    const nextAt = new Date(now.getTime() + Math.max(backoffMs, retryAfterMs));
    await recordLiveFailure(
      this.#db,
      { source: source.name, place, request },
      { now, nextAt, error: text.slice(0, 500), isHost },
    );
    await addLiveCounts(this.#db, source.name, { now, counts: [{ kind: 'answer', reason, value: '', count: 1 }] });
    this.#options.onFailure?.(source.name, new Error(`${source.name} ${text}`));
  }

  /** Sends a request and takes its answer. */
  async #follow(
    memory: SourceMemory,
    { request, state }: { readonly request: PlannedRequest; readonly state: LiveRequestState },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { clock, route, userAgent, keys = {} } = this.#options;
    const { source } = request;
    const now = clock();
    const period = getRequestPeriod(request, now);
    const isFull = this.#isFullDue(request, state, { now, period });
    const { address, parameters } = buildLiveRequest(request, { period, cursor: isFull ? undefined : state.cursor });
    const key = source.keyVariable === undefined ? undefined : keys[source.keyVariable];
    if (source.keyVariable !== undefined && key === undefined)
      throw new AnswerError(`the variable ${source.keyVariable} with the key is not set`, { isHost: true });
    const fetched = await fetchAnswer(address, {
      route,
      headers: {
        'user-agent': userAgent,
        ...(key !== undefined && { [source.keyHeader ?? 'authorization']: key }),
        ...(state.etag !== undefined && isFull && state.period === period && { 'if-none-match': state.etag }),
      },
      maxBytes: source.maxMegabytes * 1e6,
      timeoutMs: source.timeoutSeconds * SECOND_MS,
      signal,
    });
    const receivedAt = clock();
    assertStatus(fetched, receivedAt);
    const { headers } = fetched;
    const ageMs = Number(/^\d{1,7}$/.test(headers.age ?? '') ? headers.age : 0) * SECOND_MS;
    const knownAt = new Date(receivedAt.getTime() - ageMs);
    const base = { ...state, period, now: receivedAt };
    const id = { source: source.name, place: request.place, request: request.request };
    if (fetched.status === 304) {
      await recordLiveSuccess(this.#db, id, { ...base, nextAt: undefined, observedAt: knownAt });
      return;
    }
    const { place } = request;
    const answer = await getLiveReader(source)(fetched.body, {
      place,
      zone: source.zone,
      receivedAt: knownAt,
      hoursBack: source.hoursBack,
      parameters,
    });
    const newestActual = findNewestActual(answer.rows);
    assertAcceptable({ answer, newestActual, period, isFull }, state, receivedAt);
    const counts = await this.#take(memory, source, { answer, period, isFull, newestActual });
    const success: LiveSuccess = {
      period,
      cursor: this.#toCursor(source, answer),
      etag: headers.etag,
      observedAt: new Date(answer.observedAt),
      newestActual: state.period === period && !newestActual ? state.newestActual : newestActual,
      fullAt: isFull ? receivedAt : state.fullAt,
      fullRows: isFull ? answer.rows.length + answer.rejected.length : state.fullRows,
    };
    const isEnded = request.day < 0 && answer.rows.length > 0 && answer.rows.every(isFinal);
    await this.#db.begin(async (sql) => {
      await addLiveCounts(sql, source.name, { now: receivedAt, counts });
      await recordLiveSuccess(sql, id, {
        ...success,
        now: receivedAt,
        ...(isEnded && { nextAt: getNextDay(source, receivedAt) }),
      });
      return { result: undefined };
    });
  }

  #isFullDue(
    { source, intervalMs }: PlannedRequest,
    state: LiveRequestState,
    { now, period }: { readonly now: Date; readonly period: string },
  ): boolean {
    const { cursor, fullAt, succeededAt, failures } = state;
    if (source.changes === undefined || cursor === undefined || !fullAt || !succeededAt || state.period !== period)
      return true;
    // A time in the future is one of a clock that was wrong.
    const elapsedMs = (since: Date): number => Math.abs(now.getTime() - since.getTime());
    const isGap = failures > 0 || elapsedMs(succeededAt) > GAP_INTERVALS * intervalMs;
    return isGap || elapsedMs(fullAt) >= source.fullMinutes * MINUTE_MS;
  }

  #toCursor({ changes, reader }: LiveSource, { cursor, observedAt }: LiveAnswer): string | undefined {
    if (changes === undefined || reader !== 'avinor') return cursor;
    return `${new Date(Date.parse(observedAt) - CURSOR_OVERLAP_MS).toISOString().slice(0, 19)}Z`;
  }

  /** Stores the messages of changed rows, then the rows: after a failure in between, the messages are sent again. */
  async #take(
    memory: SourceMemory,
    source: LiveSource,
    { answer, period, isFull }: ReceivedAnswer,
  ): Promise<readonly Omit<LiveCount, 'source' | 'lastAt'>[]> {
    const byAirport = Map.groupBy(answer.rows, ({ airport }) => airport);
    const counts: Omit<LiveCount, 'source' | 'lastAt'>[] = [
      ...countRemarks('rejected', answer.rejected),
      ...countRemarks('remark', answer.remarks),
    ];
    for (const [airport, rows] of byAirport) {
      const last = memory.rows.get(airport) ?? new Map<string, LastRow>();
      memory.rows.set(airport, last);
      const index = this.#options.getMasterDataIndex();
      const changes = listRowChanges(
        { ...answer, rows, rejected: [] },
        {
          source: source.name,
          zone: source.zone,
          last,
          isComplete: (date) => isComplete(source, date, { period, isFull }),
          findStation: (code) => findStation(index, code),
        },
      );
      const quarantined = await this.#ingest(changes.messages.map(({ message }) => message));
      counts.push(
        { kind: 'taken', reason: '', value: '', count: changes.taken - quarantined.length },
        { kind: 'unchanged', reason: '', value: '', count: changes.unchanged },
        ...countRemarks('rejected', changes.rejected),
        ...countRemarks('quarantined', quarantined),
      );
      await storeLiveRows(this.#db, source.name, {
        rows: [...changes.updates].map(([key, row]) => ({
          airport,
          key,
          scheduled: new Date(row.scheduled),
          row: JSON.stringify(row),
        })),
        replaced: changes.replaced,
      });
      for (const key of changes.replaced) last.delete(key);
      for (const [key, row] of changes.updates) last.set(key, row);
    }
    return counts;
  }

  /** Returns the messages that were not stored with a flight, with the reason. */
  async #ingest(
    messages: readonly Readonly<Record<string, unknown>>[],
  ): Promise<readonly { readonly reason: string; readonly value: string }[]> {
    const { ingester, clock } = this.#options;
    const read = createStatusReader(clock);
    const failed: { readonly reason: string; readonly value: string }[] = [];
    for (let from = 0; from < messages.length; from += BATCH) {
      const lines = messages.slice(from, from + BATCH).map((message) => Buffer.from(`${JSON.stringify(message)}\n`));
      const items: FeedItem[] = [];
      for await (const item of read(toAsync(lines))) items.push(item);
      for (const { message, entries } of items)
        if (!message) failed.push({ reason: entries[0]?.reason ?? '', value: entries[0]?.value ?? '' });
      const outcomes = await ingester.ingest(items.flatMap(({ message }) => message ?? []));
      for (const outcome of outcomes)
        if (outcome.kind === 'quarantined') failed.push({ reason: outcome.reason, value: outcome.value });
        else if (outcome.kind === 'conflict') failed.push({ reason: 'conflict', value: outcome.id });
    }
    return failed;
  }
}

async function* toAsync(lines: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* lines;
}

/** How long the other servers leave the feeds to the one that follows them, milliseconds. */
const STANDBY_MS = 5 * SECOND_MS;

/** Starts to follow live feeds: one process at a time does. Returns a function that stops it. */
export const startLiveFollower = async (
  db: Database,
  {
    driver,
    onError,
    ...options
  }: LiveFollowerOptions & { readonly driver: BackgroundDriver; readonly onError: (error: unknown) => void },
): Promise<() => Promise<void>> => {
  const follower = new LiveFollower(db, { onFailure: (_source, error) => onError(error), ...options });
  const { stop } = await driver.start('follow-live-feeds', {
    run: (signal) => follower.run(signal),
    onError,
    retryMs: STANDBY_MS,
    standbyMs: STANDBY_MS,
  });
  return async () => {
    await stop();
    await follower.close();
  };
};
