import type { Sql } from '../pool/database.ts';
import { notifyMasterData } from './master-data-changes.ts';

/** What flights point at, by id. */
export type ReferencedIds = { readonly carriers: ReadonlySet<number>; readonly locations: ReadonlySet<number> };

/** The carriers and locations that flights point at, or once did. */
export const readReferencedIds = async (sql: Sql): Promise<ReferencedIds> => {
  const rows = await sql<{ noun: 'carrier' | 'location'; id: number }[]>`select noun, id from in_use`;
  const idsOf = (noun: string): ReadonlySet<number> =>
    new Set(rows.filter((row) => row.noun === noun).map(({ id }) => id));
  return { carriers: idsOf('carrier'), locations: idsOf('location') };
};

/** Notes that flights point at these; servers are told when any is new. */
export const insertReferencedIds = async (
  sql: Sql,
  { carriers, locations }: { readonly carriers: Iterable<number>; readonly locations: Iterable<number> },
): Promise<void> => {
  const wanted = { carriers: [...carriers], locations: [...locations] };
  if (wanted.carriers.length + wanted.locations.length === 0) return;
  const result = await sql`
    insert into in_use (noun, id)
    select 'carrier', unnest(${wanted.carriers}::int[]) union select 'location', unnest(${wanted.locations}::int[])
    on conflict do nothing`;
  if (result.count > 0) await notifyMasterData(sql);
};
