import { setImmediate } from 'node:timers/promises';
import { FeedError } from '#feeds/feed-error.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { getErrorCode } from '#lib/error-code.ts';
import type { FeedFormat, StoreFeed } from '#products/status-feed/v1/deps.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { getNewestLoadId } from '#store/schedules/schedules.ts';
import { limitLockWait, lockStatusesShared } from '#store/status/flight-statuses.ts';
import { createFlightCache, StaleSnapshotError } from '../flights/flight-snapshots.ts';
import { type IngestContext, type MessageOutcome, selectKnown } from '../store/store-messages.ts';
import {
  createAidxReader,
  createStatusReader,
  createTelegramReader,
  type FeedItem,
  type FeedReader,
} from './feed-readers.ts';
import { isRejected, toAcknowledgement } from './ingest-stream.ts';
import {
  addUnknownCarriers,
  findUnknownCarriers,
  isDayReplaced,
  listMissingDays,
  matchBatch,
  openDays,
  splitIntoRuns,
  storeBatch,
} from './status-ingester.ts';

/** Limit of messages of a request. */
const MAX_MESSAGES = 5000;
/** Bytes that are read in one turn of the event loop. */
const CHUNK_BYTES = 65_536;
const MAX_ATTEMPTS = 5;
/**
 * How long a transaction that has locked statuses waits for a day of flights, milliseconds: less than PostgreSQL takes to look for deadlocks, so that
 * it never makes a schedule load fail.
 */
const DAY_LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

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

const rejectNewDay = (): never => {
  throw new StaleSnapshotError('a day was deleted');
};

/** Stores the messages of a request; `sql` must be a transaction. The runs after the first are matched in it. */
const storeRuns = async (sql: Sql, { runs, matched, context }: PreparedRequest): Promise<readonly MessageOutcome[]> => {
  if (matched.matched.length === 0) return [];
  // Sent one after the other over one connection: the load is read once the lock is held.
  const [, load] = await Promise.all([lockStatusesShared(sql), getNewestLoadId(sql), limitLockWait(sql, DAY_LOCK_MS)]);
  if (load !== matched.load) throw new StaleSnapshotError('a schedule was loaded');
  const access = { read: sql, open: rejectNewDay, write: <T>(work: (transaction: Sql) => Promise<T>) => work(sql) };
  if (runs.length === 1) return storeBatch(access, matched.matched, context);
  // What is read in the transaction may be rolled back, and must not be cached.
  const uncached = { masterDataIndex: context.masterDataIndex, clock: context.clock };
  const outcomes: MessageOutcome[] = [];
  for (const run of runs) {
    const batch = await matchBatch(sql, run, uncached);
    outcomes.push(...(await storeBatch(access, batch.matched, uncached)));
  }
  return outcomes;
};

const isRepeatable = (error: unknown): boolean =>
  error instanceof StaleSnapshotError || isDayReplaced(error) || getErrorCode(error) === LOCK_NOT_AVAILABLE;

export type FeedStoreOptions = {
  readonly db: Database;
  readonly getMasterDataIndex: () => MasterDataIndex;
  readonly clock: () => Date;
};

/**
 * Creates the store of feeds that arrive as requests: the messages of one are stored in one transaction, together with what the caller writes in it.
 * It is repeated if a schedule load changed the flights meanwhile.
 */
export const createFeedStore = ({ db, getMasterDataIndex, clock }: FeedStoreOptions): StoreFeed => {
  const cache = createFlightCache();
  const readers: Readonly<Record<FeedFormat, FeedReader>> = {
    status: createStatusReader(clock),
    mvt: createTelegramReader(clock),
    aidx: createAidxReader(clock),
  };

  const prepare = async (messages: readonly StatusMessage[]): Promise<PreparedRequest> => {
    const known = getMasterDataIndex();
    const unknown = findUnknownCarriers(messages, known);
    const masterDataIndex = unknown.size > 0 ? await db.begin((sql) => addUnknownCarriers(sql, unknown)) : known;
    const context = { masterDataIndex, clock, cache };
    const matched = await matchBatch(db, messages, context);
    const plans = selectKnown(matched.matched).flatMap(({ match }) => match.plan?.row ?? []);
    const missing = await listMissingDays(db, plans);
    if (missing.length > 0) await db.begin((sql) => openDays(sql, missing));
    return { runs: splitIntoRuns(messages), matched, context };
  };

  return async ({ format, body, sender }, transact) => {
    const items = await readItems(readers[format], body);
    const messages = listMessages(items, sender);
    for (let attempt = 1; ; attempt += 1)
      try {
        const request = await prepare(messages);
        const { result } = await db.begin(async (sql) => ({
          result: await transact(sql, async () => toReport(items, await storeRuns(sql, request))),
        }));
        return result;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRepeatable(error)) throw error;
      }
  };
};
