import { findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { LiveRemark } from '#feeds/live/live-row.ts';
import { listRowChanges, type LastRow, type LiveMessage } from '#feeds/live/row-changes.ts';
import { storeLiveRows, type LiveCount } from '#store/live/live-rows.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { createStatusReader, type FeedItem } from '../status/ingest/feed-readers.ts';
import type { StatusIngester } from '../status/ingest/status-ingester.ts';
import { isComplete, type ReceivedAnswer } from './accept-answer.ts';
import type { LiveSource } from './live-registry.ts';

/** Last rows of a source by airport and key. */
export type SourceRows = Map<string, Map<string, LastRow>>;

export type AnswerStore = {
  readonly db: Database;
  readonly ingester: Pick<StatusIngester, 'ingest'>;
  readonly getMasterDataIndex: () => MasterDataIndex;
  readonly clock: () => Date;
};

type RowCount = Omit<LiveCount, 'source' | 'lastAt'>;

const BATCH = 500;

const countAll = (kind: string, count: number): RowCount => ({ kind, reason: '', value: '', count });
const countRemarks = (kind: string, remarks: readonly LiveRemark[]): readonly RowCount[] =>
  [...Map.groupBy(remarks, ({ reason, value }) => `${reason} ${value}`).values()].flatMap((same) =>
    same[0] ? [{ kind, ...same[0], count: same.length }] : [],
  );

async function* toLines(messages: readonly LiveMessage[]): AsyncGenerator<Buffer> {
  for (const { message } of messages) yield Buffer.from(`${JSON.stringify(message)}\n`);
}

/** Ingests the messages of an airport, each in one transaction with its row. Returns why some are not stored with a flight, by their IDs. */
const ingestWithRows = async (
  { db, ingester, clock }: AnswerStore,
  messages: readonly LiveMessage[],
  storeRows: (sql: Sql, ids: readonly string[], held: ReadonlyMap<string, LiveRemark>) => Promise<void>,
): Promise<ReadonlyMap<string, LiveRemark>> => {
  const held = new Map<string, LiveRemark>();
  for (let from = 0; from < messages.length; from += BATCH) {
    const batch = messages.slice(from, from + BATCH);
    const items: FeedItem[] = [];
    for await (const item of createStatusReader(clock)(toLines(batch))) items.push(item);
    const invalid = items.flatMap(({ line, message, entries: [entry] }) => {
      const id = batch[line - 1]?.id;
      if (message || id === undefined) return [];
      held.set(id, { reason: entry?.reason ?? '', value: entry?.value ?? '' });
      return [id];
    });
    await storeRows(db, invalid, held);
    await ingester.ingest(
      items.flatMap(({ message }) => message ?? []),
      async (sql, outcomes) => {
        for (const [{ id }, outcome] of outcomes)
          if (outcome.kind === 'quarantined') held.set(id, { reason: outcome.reason, value: outcome.value });
          else if (outcome.kind === 'conflict') held.set(id, { reason: 'conflict', value: outcome.id });
          else held.delete(id);
        await storeRows(
          sql,
          outcomes.map(([{ id }]) => id),
          held,
        );
      },
    );
  }
  return held;
};

/** Stores what is new in an answer that is accepted, and adds to the last rows. Returns what became of its rows. */
export const takeAnswer = async (
  store: AnswerStore,
  lastRows: SourceRows,
  { source, answer, period, isFull }: ReceivedAnswer & { readonly source: LiveSource },
): Promise<readonly RowCount[]> => {
  const counts = [...countRemarks('rejected', answer.rejected), ...countRemarks('remark', answer.remarks)];
  for (const [airport, rows] of Map.groupBy(answer.rows, (row) => row.airport)) {
    const last = lastRows.get(airport) ?? new Map<string, LastRow>();
    lastRows.set(airport, last);
    const index = store.getMasterDataIndex();
    const { messages, unchanged, rejected } = listRowChanges(
      { ...answer, rows, rejected: [] },
      {
        source: source.name,
        zone: source.zone,
        last,
        isComplete: (date) => isComplete(source, date, { period, isFull }),
        findStation: (code) => findStation(index, code),
      },
    );
    const byId = new Map(messages.map((message) => [message.id, message]));
    const toRow = ({ id, row }: LiveMessage, held: ReadonlyMap<string, LiveRemark>): LastRow => ({
      ...row,
      isHeld: held.has(id),
    });
    const held = await ingestWithRows(store, messages, (sql, ids, failed) => {
      const stored = ids.flatMap((id) => byId.get(id) ?? []);
      return storeLiveRows(sql, source.name, {
        rows: stored.map((one) => {
          const row = toRow(one, failed);
          return { airport, key: one.key, scheduled: new Date(row.scheduled), row: JSON.stringify(row) };
        }),
        replaced: stored.flatMap(({ replaces }) => replaces ?? []),
      });
    });
    for (const one of messages) {
      if (one.replaces !== undefined) last.delete(one.replaces);
      last.set(one.key, toRow(one, held));
    }
    // A confirmation belongs to a row without news.
    const news = messages.filter(({ isConfirmation }) => !isConfirmation);
    const failed = news.flatMap(({ id }) => held.get(id) ?? []);
    counts.push(
      countAll('taken', news.length - failed.length),
      countAll('unchanged', unchanged),
      ...countRemarks('rejected', rejected),
      ...countRemarks('quarantined', failed),
    );
  }
  return counts;
};
