import { randomUUID } from 'node:crypto';
import { FeedError } from '#feeds/feed-error.ts';
import { isFinal } from '#feeds/live/live-row.ts';
import type { LastRow } from '#feeds/live/row-changes.ts';
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
} from '#store/live/live-requests.ts';
import { addLiveCounts, deleteLiveCounts, deleteLiveRows, listLiveRows } from '#store/live/live-rows.ts';
import type { BackgroundDriver, RunOutcome } from '../driver.ts';
import { AnswerError } from './accept-answer.ts';
import { getNextDay, planRequests, type FollowedSource, type PlannedRequest } from './live-registry.ts';
import { requestAnswer, type RequestOptions } from './request-answer.ts';
import { takeAnswer, type AnswerStore, type SourceRows } from './take-answer.ts';

export type LiveFollowerOptions = RequestOptions &
  Omit<AnswerStore, 'db'> & {
    readonly followed: readonly FollowedSource[];
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
const KEEP_ROWS_MS = 4 * DAY_MS;
const KEEP_COUNTS_MS = 30 * DAY_MS;

/** What is known of a source in memory. */
type SourceMemory = {
  readonly requests: readonly PlannedRequest[];
  readonly rows: SourceRows;
  readonly gapMs: number;
  lastRequestAt: number;
};

/** A request with its state. */
type PendingRequest = { readonly request: PlannedRequest; readonly state: LiveRequestState };

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
      const rows: SourceRows = new Map();
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
    { request: { source, place, request, intervalMs }, state }: PendingRequest,
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
    { request, state }: PendingRequest,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { source, place, day } = request;
    const id = { source: source.name, place, request: request.request };
    const accepted = await requestAnswer(request, state, { ...this.#options, signal });
    const { answer, receivedAt: now, isFull, period, etag, observedAt } = accepted;
    const known = { period, observedAt, now, fullAt: isFull ? now : state.fullAt };
    if (!answer) {
      await recordLiveSuccess(this.#db, id, { ...state, ...known, nextAt: undefined });
      return;
    }
    const store = { ...this.#options, db: this.#db };
    const counts = await takeAnswer(store, memory.rows, { ...accepted, answer, source }).catch((error: unknown) => {
      // Some of the rows may be stored.
      this.#sources = undefined;
      throw error;
    });
    const success = {
      ...known,
      cursor: answer.cursor,
      etag,
      newestActual: accepted.newestActual ?? (state.period === period ? state.newestActual : undefined),
      fullRows: isFull ? answer.rows.length + answer.rejected.length : state.fullRows,
    };
    const isEnded = day < 0 && answer.rows.length > 0 && answer.rows.every(isFinal);
    await this.#db.begin(async (sql) => {
      await addLiveCounts(sql, source.name, { now, counts });
      await recordLiveSuccess(sql, id, { ...success, ...(isEnded && { nextAt: getNextDay(source, now) }) });
      return { result: undefined };
    });
  }
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
