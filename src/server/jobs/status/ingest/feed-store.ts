import { setImmediate } from 'node:timers/promises';
import { FeedError } from '#feeds/feed-error.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { rankMessages, type SourcePrecedence } from '#domain/status/source-precedence.ts';
import type { PlanDays } from '#domain/status/plan-days.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import type { FeedFormat, StoreFeed } from '#products/status-feed/v1/deps.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { getNewestLoadId } from '#store/schedules/schedules.ts';
import { lockStatusesShared } from '#store/status/flight-statuses.ts';
import { createFlightCache, StaleSnapshotError } from '../flights/flight-snapshots.ts';
import type { IngestContext, MessageOutcome } from '../store/store-messages.ts';
import {
  createAidxReader,
  createStatusReader,
  createTelegramReader,
  type FeedItem,
  type FeedReader,
} from './feed-readers.ts';
import { isRejected, toAcknowledgement } from './ingest-stream.ts';
import { NewDays } from '../store/new-days.ts';
import {
  completeCarriers,
  isDayReplaced,
  isLockTimeout,
  limitDayWait,
  matchBatch,
  storeBatch,
} from './status-ingester.ts';
import { splitIntoRuns } from './split-into-runs.ts';

/** Limit of messages of a request. */
const MAX_MESSAGES = 5000;
/** Bytes that are read in one turn of the event loop. */
const CHUNK_BYTES = 8192;
const MAX_ATTEMPTS = 5;

async function* splitBody(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < body.length; from += CHUNK_BYTES) {
    yield body.subarray(from, from + CHUNK_BYTES);
    await setImmediate();
  }
}

const isMessage = (item: FeedItem): boolean =>
  item.message !== undefined || item.otherType !== undefined || isRejected(item);

/** Reads all items of a body. Throws FeedError beyond the limit of messages. */
const readItems = async (reader: FeedReader, body: Uint8Array): Promise<readonly FeedItem[]> => {
  const items: FeedItem[] = [];
  let messages = 0;
  for await (const item of reader(splitBody(body))) {
    items.push(item);
    if (isMessage(item)) messages += 1;
    if (messages > MAX_MESSAGES)
      throw new FeedError(`The limit of a request is ${MAX_MESSAGES} messages.`, { reason: 'too-many-messages' });
  }
  return items;
};

const listMessages = (items: readonly FeedItem[], sender: number): readonly StatusMessage[] =>
  items.flatMap(({ message }) => (message ? [{ ...message, sender }] : []));

const toReport = (items: readonly FeedItem[], outcomes: readonly MessageOutcome[]) => {
  const lines = items.flatMap(({ line, message }) => (message ? [line] : []));
  const { line: _, remarks, ...counts } = toAcknowledgement(items, outcomes, lines);
  let position = 0;
  const results = items.filter(isMessage).map((item) => {
    const { line, message, otherType } = item;
    if (message === undefined)
      return { line, result: otherType === undefined ? ('rejected' as const) : ('leftOut' as const) };
    const outcome = outcomes[position++];
    if (!outcome) throw new Error(`message ${message.id} has no outcome`);
    return { line, messageId: outcome.storedId ?? message.id, result: outcome.kind };
  });
  return { ...counts, results, remarks: remarks.map(({ bytes: _bytes, ...remark }) => remark) };
};

/** The messages of a request, matched with their flights outside of the transaction that stores them. */
type PreparedRequest = {
  readonly runs: readonly (readonly StatusMessage[])[];
  readonly matched: Awaited<ReturnType<typeof matchBatch>>;
  readonly context: IngestContext;
};

/** Stores the messages of a request; `sql` must be a transaction. The runs after the first are matched in it. */
const storeRuns = async (sql: Sql, { runs, matched, context }: PreparedRequest): Promise<readonly MessageOutcome[]> => {
  if (matched.matched.length === 0) return [];
  // Sent one after the other over one connection: the load is read once the lock is held.
  const [, load] = await Promise.all([lockStatusesShared(sql), getNewestLoadId(sql), limitDayWait(sql)]);
  if (load !== matched.load) throw new StaleSnapshotError('a schedule was loaded');
  const access = { read: sql, write: <T>(work: (transaction: Sql) => Promise<T>) => work(sql) };
  if (runs.length === 1) return storeBatch(access, matched.matched, context);
  // What is read in the transaction may be rolled back, and must not be cached.
  const uncached = { ...context, cache: undefined };
  const outcomes: MessageOutcome[] = [];
  for (const run of runs) {
    const masterDataIndex = await completeCarriers(sql, run, context.masterDataIndex);
    const ofRun = { ...uncached, masterDataIndex };
    const batch = await matchBatch(sql, run, ofRun);
    outcomes.push(...(await storeBatch(access, batch.matched, ofRun)));
  }
  return outcomes;
};

const isRepeatable = (error: unknown): boolean =>
  error instanceof StaleSnapshotError || isDayReplaced(error) || isLockTimeout(error);

export type FeedStoreOptions = {
  readonly db: Database;
  readonly getMasterDataIndex: () => MasterDataIndex;
  readonly clock: () => Date;
  readonly planDays?: PlanDays | undefined;
  readonly precedence?: SourcePrecedence | undefined;
};

/**
 * Creates the store of feeds that arrive as requests: the messages of one are stored in one transaction, together with what the caller writes in it.
 * It is repeated if a schedule load changed the flights meanwhile.
 */
export const createFeedStore = ({
  db,
  getMasterDataIndex,
  clock,
  planDays,
  precedence,
}: FeedStoreOptions): StoreFeed => {
  const cache = createFlightCache();
  const readers: Readonly<Record<FeedFormat, FeedReader>> = {
    status: createStatusReader(clock),
    mvt: createTelegramReader(clock),
    aidx: createAidxReader(clock),
  };

  const prepare = async (messages: readonly StatusMessage[], isLocked: boolean): Promise<PreparedRequest> => {
    const masterDataIndex = await completeCarriers(db, messages, getMasterDataIndex());
    const newDays = new NewDays(toUtcDate(clock()), { planDays, ...(isLocked && { max: 0 }) });
    const context = { masterDataIndex, clock, cache, newDays };
    const matched = await matchBatch(db, messages, context);
    return { runs: splitIntoRuns(messages), matched, context };
  };

  return async ({ format, body, sender }, transact) => {
    const items = await readItems(readers[format], body);
    const messages = rankMessages(listMessages(items, sender), precedence);
    let isLocked = false;
    for (let attempt = 1; ; attempt += 1)
      try {
        const request = await prepare(messages, isLocked);
        const { result } = await db.begin(async (sql) => ({
          result: await transact(sql, async () => toReport(items, await storeRuns(sql, request))),
        }));
        return result;
      } catch (error) {
        isLocked = isLockTimeout(error);
        if (attempt === MAX_ATTEMPTS || !isRepeatable(error)) throw error;
      }
  };
};
