import type { Sql } from '../pool/database.ts';

/** A stored row of a feed, as JSON. */
export type StoredLiveRow = {
  readonly airport: string;
  readonly key: string;
  readonly scheduled: Date;
  readonly row: string;
};

/** Lists what is known of the rows of a source. */
export const listLiveRows = (sql: Sql, source: string): Promise<readonly StoredLiveRow[]> =>
  sql<StoredLiveRow[]>`select airport, key, scheduled, row from live_row where source = ${source}`;

/** Inserts or replaces rows of a source, and deletes those that others replace. */
export const storeLiveRows = async (
  sql: Sql,
  source: string,
  { rows, replaced }: { readonly rows: readonly StoredLiveRow[]; readonly replaced: readonly string[] },
): Promise<void> => {
  if (replaced.length > 0) await sql`delete from live_row where source = ${source} and key = any(${replaced})`;
  if (rows.length === 0) return;
  const [airports, keys, times, texts] = [
    rows.map(({ airport }) => airport),
    rows.map(({ key }) => key),
    rows.map(({ scheduled }) => scheduled.toISOString()),
    rows.map(({ row }) => row),
  ];
  await sql`
    insert into live_row (source, airport, key, scheduled, row)
    select ${source}, * from unnest(${airports}::text[], ${keys}::text[], ${times}::timestamptz[], ${texts}::text[])
    on conflict (source, airport, key) do update set row = excluded.row, scheduled = excluded.scheduled`;
};

/** Deletes rows of flights that were scheduled before a time. */
export const deleteLiveRows = async (sql: Sql, before: Date): Promise<void> => {
  await sql`delete from live_row where scheduled < ${before}`;
};

/** What became of rows, and how often. `value` is '' where only the number counts. */
export type LiveCount = {
  readonly source: string;
  readonly kind: string;
  readonly reason: string;
  readonly value: string;
  readonly count: number;
  readonly lastAt: Date;
};

/** Distinct values that are counted for a source; further ones are counted together. */
const MAX_VALUES = 1000;

/** Adds to the counts of a source. */
export const addLiveCounts = async (
  sql: Sql,
  source: string,
  { counts, now }: { readonly counts: readonly Omit<LiveCount, 'source' | 'lastAt'>[]; readonly now: Date },
): Promise<void> => {
  const some = counts.filter(({ count }) => count > 0);
  if (some.length === 0) return;
  const [kinds, reasons, values, numbers] = [
    some.map(({ kind }) => kind),
    some.map(({ reason }) => reason),
    some.map(({ value }) => value),
    some.map(({ count }) => count),
  ];
  await sql`
    insert into live_count (source, kind, reason, value, count, last_at)
    select ${source}, n.kind, n.reason,
      case when known.source is null and (select count(*) from live_count c where c.source = ${source}) >= ${MAX_VALUES} then '' else n.value end
        as shown, sum(n.count), ${now}
    from unnest(${kinds}::text[], ${reasons}::text[], ${values}::text[], ${numbers}::bigint[]) as n (kind, reason, value, count)
    left join live_count known on (known.source, known.kind, known.reason, known.value) = (${source}, n.kind, n.reason, n.value)
    group by n.kind, n.reason, shown
    on conflict (source, kind, reason, value) do update set count = live_count.count + excluded.count, last_at = ${now}`;
};

/** Lists the counts of all sources, the largest first. */
export const listLiveCounts = async (sql: Sql): Promise<readonly LiveCount[]> => {
  const rows = await sql<(Omit<LiveCount, 'count'> & { readonly count: bigint })[]>`
    select source, kind, reason, value, count, last_at as "lastAt" from live_count order by source, kind, count desc, reason, value`;
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
};

/** Deletes counts that nothing has added to since a time. */
export const deleteLiveCounts = async (sql: Sql, before: Date): Promise<void> => {
  await sql`delete from live_count where last_at < ${before} and kind in ('rejected', 'quarantined', 'remark')`;
};
