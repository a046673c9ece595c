import { FeedError } from '#feeds/feed-error.ts';
import { getActualTime, type LiveAnswer, type LiveRow } from '#feeds/live/live-row.ts';
import type { LiveRequestState } from '#store/live/live-requests.ts';
import type { FetchedAnswer } from './fetch-answer.ts';
import type { LiveSource } from './live-registry.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1440 * MINUTE_MS;

const LONGEST_RETRY_AFTER_MS = DAY_MS;
/** How far the clock of a source may be ahead. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;
/** Answers with fewer rows than a third of the last full one are rejected, if that had some rows and is not older than a day. */
const SHORT_SHARE = 1 / 3;
const MIN_FULL_ROWS = 10;
/** How far the newest actual time may go back: an airport corrects times, but older answers come from caches. */
const MAX_ACTUAL_BACK_MS = 30 * MINUTE_MS;

/** An answer with an error, and what it says about later requests. */
export class AnswerError extends Error {
  readonly isHost: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { isHost, retryAfterMs }: { isHost: boolean; retryAfterMs?: number | undefined }) {
    super(message);
    this.isHost = isHost;
    this.retryAfterMs = retryAfterMs;
  }
}

const parseRetryAfter = (text: string | undefined, now: Date): number | undefined => {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
};

/** Throws AnswerError for a status other than 200 and 304. */
export const assertStatus = ({ status, headers }: FetchedAnswer, now: Date): void => {
  if (status === 200 || status === 304) return;
  const isHost = status === 401 || status === 403 || status === 429 || status >= 500;
  throw new AnswerError(`the server responded with status ${status}`, {
    isHost,
    retryAfterMs: parseRetryAfter(headers['retry-after'], now),
  });
};

/** Returns the newest actual time of rows. */
export const findNewestActual = (rows: readonly LiveRow[]): Date | undefined => {
  const newest = rows.map((row) => Date.parse(getActualTime(row) ?? '')).filter((at) => !Number.isNaN(at));
  return newest.length === 0 ? undefined : new Date(newest.reduce((a, b) => Math.max(a, b)));
};

/** An answer, and the request as it was sent. */
export type ReceivedAnswer = {
  readonly answer: LiveAnswer;
  readonly newestActual: Date | undefined;
  readonly period: string;
  readonly isFull: boolean;
};

/** Throws FeedError for an answer that must not count. */
export const assertAcceptable = (received: ReceivedAnswer, state: LiveRequestState, now: Date): void => {
  const { answer, newestActual, period, isFull } = received;
  const observedAt = new Date(answer.observedAt);
  const reject = (reason: string, message: string): never => {
    throw new FeedError(message, { reason });
  };
  if (observedAt.getTime() > now.getTime() + MAX_AHEAD_MS)
    reject('time-ahead', `the time of the answer, ${answer.observedAt}, is ahead of the clock, ${now.toISOString()}`);
  if (state.observedAt && observedAt < state.observedAt)
    reject('older-answer', `the time of the answer, ${answer.observedAt}, is before ${state.observedAt.toISOString()}`);
  if (state.period !== period) return;
  if (
    newestActual &&
    state.newestActual &&
    state.newestActual.getTime() - newestActual.getTime() > MAX_ACTUAL_BACK_MS &&
    isFull
  )
    reject(
      'older-answer',
      `the newest actual time, ${newestActual.toISOString()}, is before ${state.newestActual.toISOString()}`,
    );
  const rows = answer.rows.length + answer.rejected.length;
  const { fullRows = 0, fullAt } = state;
  const isComparable = fullAt !== undefined && now.getTime() - fullAt.getTime() < DAY_MS && fullRows >= MIN_FULL_ROWS;
  if (isFull && isComparable && rows < fullRows * SHORT_SHARE)
    reject('short-answer', `the answer has ${rows} rows; the last full one had ${fullRows}`);
};

/** Whether an answer has all flights of a date: those that it lacks have another time, or are gone. */
export const isComplete = (
  { changes, onePlace }: LiveSource,
  date: string,
  { period, isFull }: Pick<ReceivedAnswer, 'period' | 'isFull'>,
): boolean => (period === '' ? isFull : onePlace && changes === undefined && date === period);
