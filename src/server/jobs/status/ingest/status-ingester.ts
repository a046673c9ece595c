import { getErrorCode } from '#lib/error-code.ts';
import { type MasterDataIndex, findCarrier, withUnconfirmedCarriers } from '#domain/master-data/master-data-index.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import type { PlanDays } from '#domain/status/plan-days.ts';
import { rankMessages, type SourcePrecedence } from '#domain/status/source-precedence.ts';
import { parseStatusMessage } from '#domain/status/observed-flight.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import { listUnconfirmedCarriers } from '#store/master-data/unconfirmed-carriers.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { getNewestLoadId } from '#store/schedules/schedules.ts';
import { formatStatusId, limitLockWait, lockStatusesShared } from '#store/status/flight-statuses.ts';
import { listQuarantinedByNumber } from '#store/status/status-messages.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import {
  createFlightCache,
  type FlightCache,
  readCachedSnapshots,
  StaleSnapshotError,
} from '../flights/flight-snapshots.ts';
import { dependsOnStatus } from '../match/match-flights.ts';
import { matchMessages } from '../match/match-messages.ts';
import type { MatchedMessage } from '../store/known-messages.ts';
import { type IngestContext, type MessageOutcome, type OnStored, storeMessages } from '../store/store-messages.ts';
import { NewDays } from '../store/new-days.ts';
import { createDays, type LimitedBatch, limitNewDays } from './limit-new-days.ts';
import { splitIntoRuns } from './split-into-runs.ts';

/**
 * Returns the master data index with the carriers of messages that it lacks and that flights of other messages have: a copy in memory can be older
 * than they are.
 */
export const completeCarriers = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  masterDataIndex: MasterDataIndex,
): Promise<MasterDataIndex> => {
  const unknown = new Set(
    messages.flatMap(({ flight }) =>
      flight.by === 'designator' && !findCarrier(masterDataIndex, flight.carrier) ? [flight.carrier] : [],
    ),
  );
  if (unknown.size === 0) return masterDataIndex;
  const carriers = await listUnconfirmedCarriers(sql, [...unknown]);
  return carriers.length === 0 ? masterDataIndex : withUnconfirmedCarriers(masterDataIndex, carriers);
};

/** Messages with their flights, and the newest schedule load when these were looked up. */
type MatchedBatch = { readonly load: number; readonly matched: readonly MatchedMessage[] };

/** `cached` holds the flights that were read before, as of the same load. */
type MatchContext = {
  readonly masterDataIndex: MasterDataIndex;
  readonly cached?: ReturnType<FlightCache['forLoad']> | undefined;
};

const matchAll = async (
  sql: Sql,
  messages: readonly Omit<MatchedMessage, 'match'>[],
  { masterDataIndex, cached }: MatchContext,
): Promise<readonly MatchedMessage[]> => {
  const matches = await matchMessages(
    sql,
    messages.map(({ message }) => message),
    masterDataIndex,
  );
  const known = matches.filter((match) => 'subject' in match);
  const ids = known.map(({ subject }) => subject);
  const plans = known.flatMap(({ plan }) => plan?.row ?? []);
  const snapshots = await readCachedSnapshots(sql, { ids, plans }, cached);
  return messages.flatMap(({ index, message }, position): readonly MatchedMessage[] => {
    const match = matches[position];
    if (!match) return [];
    if ('reason' in match) return [{ index, message, match }];
    const snapshot = snapshots.get(formatStatusId(match.subject));
    if (!snapshot) throw new Error(`no flight was searched for message ${message.id}`);
    return [{ index, message, match: { ...match, snapshot } }];
  });
};

/** Finds the flights of messages. Writes nothing. */
export const matchBatch = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  { masterDataIndex, cache }: Omit<IngestContext, 'clock'>,
): Promise<MatchedBatch> => {
  const load = await getNewestLoadId(sql);
  const numbered = messages.map((message, index) => ({ index, message }));
  return { load, matched: await matchAll(sql, numbered, { masterDataIndex, cached: cache?.forLoad(load) }) };
};

const unmatchedReasons = new Set(['no-such-flight', 'uncertain-date', 'contradictory-flight']);

const isUnmatched = ({ match }: MatchedMessage): boolean => 'reason' in match && unmatchedReasons.has(match.reason);

type Transaction = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Where a batch is stored: `read` finds flights, `write` runs a transaction that stores messages, and `limitWait` is called before it creates days. */
type StoreAccess = {
  readonly read: Sql;
  readonly write: Transaction;
  readonly limitWait?: (sql: Sql) => Promise<void>;
};

/**
 * How long a transaction that has locked statuses waits for a day of flights, milliseconds: less than PostgreSQL takes to look for deadlocks, so that
 * it never makes a schedule load fail.
 */
const DAY_LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** Limits how long the transaction `sql` waits for a day, see `DAY_LOCK_MS`. */
export const limitDayWait = (sql: Sql): Promise<void> => limitLockWait(sql, DAY_LOCK_MS);

const toOutcomes = (
  batch: readonly MatchedMessage[],
  stored: ReadonlyMap<number, MessageOutcome>,
): readonly MessageOutcome[] =>
  batch.map(({ index, message }) => {
    const outcome = stored.get(index);
    if (!outcome) throw new Error(`message ${message.id} was not stored`);
    return outcome;
  });

export const storeBatch = async (
  { read, write, limitWait }: StoreAccess,
  matched: readonly MatchedMessage[],
  context: IngestContext,
): Promise<readonly MessageOutcome[]> => {
  const newDays = context.newDays ?? new NewDays(context.today ?? toUtcDate(context.clock()));
  const store = ({ batch, missing }: LimitedBatch): Promise<ReadonlyMap<number, MessageOutcome>> =>
    write(async (sql) => {
      // In the transaction of the messages: if it fails, the days are gone.
      if (missing.length > 0) await limitWait?.(sql);
      await createDays(sql, missing);
      const outcomes = await storeMessages(sql, batch, context);
      await context.onStored?.(
        sql,
        batch.flatMap(({ index, message }) => {
          const outcome = outcomes.get(index);
          return outcome ? [[message, outcome] as const] : [];
        }),
      );
      return outcomes;
    });
  const { batch, missing } = await limitNewDays(read, matched, newDays);
  const plans = batch.flatMap(({ match }) => ('plan' in match ? (match.plan?.row ?? []) : []));
  // A message can refer to a flight that another one of its batch, or a later batch, describes: it is matched again after that.
  const described = new Set(plans.map(({ flightNumber }) => flightNumber));
  const unmatched = new Set(described.size > 0 ? batch.filter(isUnmatched) : []);
  const others = batch.filter((message) => !unmatched.has(message));
  const stored = await store({ batch: others, missing });
  const quarantined = described.size > 0 ? await listQuarantinedByNumber(read, [...described]) : [];
  if (unmatched.size + quarantined.length === 0) return toOutcomes(batch, stored);
  const released = quarantined.map((text, index) => ({
    index: batch.length + index,
    message: parseStatusMessage(text),
  }));
  const again = [...unmatched, ...released];
  const masterDataIndex = await completeCarriers(
    read,
    again.map(({ message }) => message),
    context.masterDataIndex,
  );
  const rematched = await matchAll(read, again, { ...context, masterDataIndex });
  const storedLater = await store(await limitNewDays(read, rematched, newDays));
  return toOutcomes(batch, new Map([...stored, ...storedLater]));
};

const openStoreAccess = (db: Database, load: number): StoreAccess => {
  const write: Transaction = async (work) => {
    const { result } = await db.begin(async (sql) => {
      // A schedule load holds the exclusive lock on all statuses from the counting of its events to its commit. While this transaction has
      // the shared lock, schedules stay as they were read, and the events of the next load follow its own.
      await lockStatusesShared(sql);
      if ((await getNewestLoadId(sql)) !== load) throw new StaleSnapshotError('a schedule was loaded');
      return { result: await work(sql) };
    });
    return result;
  };
  return { read: db, write, limitWait: limitDayWait };
};

/**
 * Stores matched messages and the events of what they changed. Returns the outcome of each message in its position. Flights are read outside
 * of transactions, so that none holds a day of instances that a schedule load replaces; if a load or another process changed them since, the
 * messages are matched again.
 */
export const storeMatched = async (
  db: Database,
  batch: MatchedBatch,
  context: IngestContext,
): Promise<readonly MessageOutcome[]> => {
  try {
    return await storeBatch(openStoreAccess(db, batch.load), batch.matched, context);
  } catch (error) {
    if (!(error instanceof StaleSnapshotError)) throw error;
    const messages = batch.matched.map(({ message }) => message);
    return ingestMessages(db, messages, context);
  }
};

/** Matches a batch of status messages with flights and stores them. */
export const ingestMessages = async (
  db: Database,
  messages: readonly StatusMessage[],
  context: IngestContext,
): Promise<readonly MessageOutcome[]> => storeMatched(db, await matchBatch(db, messages, context), context);

/** Ingests a batch within a longer transaction; `sql` must hold the exclusive locks on schedules and statuses. */
export const ingestMessagesWithin = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  context: IngestContext,
): Promise<readonly MessageOutcome[]> => {
  const within: Transaction = (work) => work(sql);
  const outcomes: MessageOutcome[] = [];
  for (const run of splitIntoRuns(messages)) {
    const { matched } = await matchBatch(sql, run, context);
    outcomes.push(...(await storeBatch({ read: sql, write: within }, matched, context)));
  }
  return outcomes;
};

/** Ingests the status messages of any feed. */
export type StatusIngester = {
  /**
   * Ingests a batch; see `storeMatched`. Batches are stored in the order of the calls. `onStored` is called for each part of it, and with other
   * messages that the batch releases from quarantine.
   */
  readonly ingest: (messages: readonly StatusMessage[], onStored?: OnStored) => Promise<readonly MessageOutcome[]>;
};

/** Whether a schedule load has replaced the table of a day (undefined table, stale relation) or deadlocked with the batch. */
export const isDayReplaced = (error: unknown): boolean => ['42P01', 'XX000', '40P01'].includes(getErrorCode(error));

/** Whether a transaction has waited too long for a lock, for example because a schedule load creates days. */
export const isLockTimeout = (error: unknown): boolean => getErrorCode(error) === LOCK_NOT_AVAILABLE;

const MAX_ATTEMPTS = 3;

export type IngesterOptions = {
  /** Returns current master data; without it they are read now. */
  readonly getMasterDataIndex?: (() => MasterDataIndex) | undefined;
  readonly clock?: () => Date;
  readonly planDays?: PlanDays | undefined;
  readonly precedence?: SourcePrecedence | undefined;
};

/** Creates an ingester. While a batch is stored, the next one is matched, unless it depends on the former. */
export const createIngester = async (
  db: Database,
  { getMasterDataIndex, clock = () => new Date(), planDays, precedence }: IngesterOptions,
): Promise<StatusIngester> => {
  const cache = createFlightCache();
  let masterDataIndex = getMasterDataIndex ? getMasterDataIndex() : await readMasterDataIndex(db);

  const updateMasterDataIndex = async (messages: readonly StatusMessage[]): Promise<MasterDataIndex> => {
    masterDataIndex = await completeCarriers(db, messages, getMasterDataIndex?.() ?? masterDataIndex);
    return masterDataIndex;
  };

  const store = async (batch: MatchedBatch, onStored?: OnStored): Promise<readonly MessageOutcome[]> => {
    const messages = batch.matched.map(({ message }) => message);
    let isLocked = false;
    for (let attempt = 1; ; attempt += 1)
      try {
        const newDays = new NewDays(toUtcDate(clock()), { planDays, ...(isLocked && { max: 0 }) });
        if (attempt === 1) return await storeMatched(db, batch, { masterDataIndex, clock, cache, newDays, onStored });
        return await ingestMessages(db, messages, {
          masterDataIndex: await updateMasterDataIndex(messages),
          clock,
          cache,
          newDays,
          onStored,
        });
      } catch (error) {
        isLocked = isLockTimeout(error);
        if (attempt === MAX_ATTEMPTS || !(isLocked || isDayReplaced(error))) throw error;
      }
  };

  let lastMatch: Promise<unknown> = Promise.resolve();
  let lastStore: Promise<unknown> = Promise.resolve();
  let describesFlights = false;
  const ingestRun = (messages: readonly StatusMessage[], onStored?: OnStored): Promise<readonly MessageOutcome[]> => {
    const dependsOnLast = describesFlights || messages.some(({ flight }) => dependsOnStatus(flight));
    const matched = (dependsOnLast ? lastStore : lastMatch).then(async () =>
      matchBatch(db, messages, { masterDataIndex: await updateMasterDataIndex(messages), cache }),
    );
    const stored = Promise.all([matched, lastStore]).then(([batch]) => store(batch, onStored));
    lastMatch = matched.catch(() => {});
    lastStore = stored.catch(() => {});
    describesFlights = messages.some(({ plan }) => plan !== undefined);
    return stored;
  };
  return {
    ingest: async (messages, onStored) => {
      const runs = splitIntoRuns(rankMessages(messages, precedence));
      return (await Promise.all(runs.map((run) => ingestRun(run, onStored)))).flat();
    },
  };
};

/** Creates an ingester with the default limits of plans. */
export const createStatusIngester = (
  db: Database,
  getMasterDataIndex?: () => MasterDataIndex,
  clock?: () => Date,
): Promise<StatusIngester> => createIngester(db, { getMasterDataIndex, ...(clock && { clock }) });
