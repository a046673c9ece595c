import type { LiveAnswer } from '#feeds/live/live-row.ts';
import type { LiveRequestState } from '#store/live/live-requests.ts';
import { AnswerError, assertAcceptable, assertStatus, findNewestActual } from './accept-answer.ts';
import type { DownloadRoute } from './download-file.ts';
import { fetchAnswer } from './fetch-answer.ts';
import { getLiveReader } from './live-readers.ts';
import { buildLiveRequest, getRequestPeriod, type PlannedRequest } from './live-registry.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** After this many intervals without an answer, all rows are requested. */
const GAP_INTERVALS = 5;

export type RequestOptions = {
  readonly clock: () => Date;
  readonly route: DownloadRoute;
  readonly userAgent: string;
  /** Keys of sources by the name of their environment variable. */
  readonly keys?: Readonly<Record<string, string | undefined>>;
};

/** An answer that is accepted. `answer` is undefined if the source has not modified it. */
export type AcceptedAnswer = {
  readonly receivedAt: Date;
  /** When the source knew it. */
  readonly observedAt: Date;
  readonly etag: string | undefined;
  readonly period: string;
  readonly isFull: boolean;
  readonly newestActual: Date | undefined;
  readonly answer: LiveAnswer | undefined;
};

const isFullDue = (
  { source, intervalMs }: PlannedRequest,
  { cursor, fullAt, succeededAt, failures, period: lastPeriod }: LiveRequestState,
  { now, period }: { readonly now: Date; readonly period: string },
): boolean => {
  if (source.changes === undefined || cursor === undefined || !fullAt || !succeededAt || lastPeriod !== period)
    return true;
  // A time in the future is one of a clock that was wrong.
  const elapsedMs = (since: Date): number => Math.abs(now.getTime() - since.getTime());
  const isGap = failures > 0 || elapsedMs(succeededAt) > GAP_INTERVALS * intervalMs;
  return isGap || elapsedMs(fullAt) >= source.fullMinutes * MINUTE_MS;
};

const getKeyHeader = (
  { source: { keyVariable, keyHeader = 'authorization' } }: PlannedRequest,
  keys: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => {
  if (keyVariable === undefined) return {};
  const key = keys[keyVariable];
  if (key === undefined) throw new AnswerError(`the variable ${keyVariable} with the key is not set`, { isHost: true });
  return { [keyHeader]: key };
};

/** Sends a request, reads its answer, and throws unless that counts: AnswerError, FeedError or an error of the connection. */
export const requestAnswer = async (
  request: PlannedRequest,
  state: LiveRequestState,
  { clock, route, userAgent, keys = {}, signal }: RequestOptions & { readonly signal: AbortSignal | undefined },
): Promise<AcceptedAnswer> => {
  const { source, place } = request;
  const period = getRequestPeriod(request, clock());
  const isFull = isFullDue(request, state, { now: clock(), period });
  const { address, parameters } = buildLiveRequest(request, { period, cursor: isFull ? undefined : state.cursor });
  const fetched = await fetchAnswer(address, {
    route,
    headers: {
      'user-agent': userAgent,
      ...getKeyHeader(request, keys),
      ...(state.etag !== undefined && isFull && state.period === period && { 'if-none-match': state.etag }),
    },
    maxBytes: source.maxMegabytes * 1e6,
    timeoutMs: source.timeoutSeconds * SECOND_MS,
    signal,
  });
  const receivedAt = clock();
  assertStatus(fetched, receivedAt);
  const { age = '', etag } = fetched.headers;
  const knownAt = new Date(receivedAt.getTime() - Number(/^\d{1,7}$/.test(age) ? age : 0) * SECOND_MS);
  const accepted = { receivedAt, etag, period, isFull };
  if (fetched.status === 304)
    return { ...accepted, observedAt: knownAt, newestActual: state.newestActual, answer: undefined };
  const { zone, hoursBack } = source;
  const answer = await getLiveReader(source)(fetched.body, { place, zone, receivedAt: knownAt, hoursBack, parameters });
  const newestActual = findNewestActual(answer.rows);
  assertAcceptable({ answer, newestActual, period, isFull }, state, receivedAt);
  return { ...accepted, observedAt: new Date(answer.observedAt), newestActual, answer };
};
