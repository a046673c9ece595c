import type { Sql } from '../pool/database.ts';

/** The ids of carriers and locations to which flights refer. */
export type ReferencedIds = { readonly carriers: ReadonlySet<number>; readonly locations: ReadonlySet<number> };

/** Reads the ids of carriers and locations to which flights refer or have referred. */
export const readReferencedIds = async (sql: Sql): Promise<ReferencedIds> => {
  const rows = await sql<{ noun: 'carrier' | 'location'; id: number }[]>`select noun, id from in_use`;
  const idsOf = (noun: string): ReadonlySet<number> =>
    new Set(rows.filter((row) => row.noun === noun).map(({ id }) => id));
  return { carriers: idsOf('carrier'), locations: idsOf('location') };
};

/** Inserts ids of carriers and locations to which flights refer. */
export const insertReferencedIds = async (
  sql: Sql,
  { carriers, locations }: { readonly carriers: Iterable<number>; readonly locations: Iterable<number> },
): Promise<void> => {
  const ids = { carriers: [...carriers], locations: [...locations] };
  if (ids.carriers.length + ids.locations.length === 0) return;
  await sql`
    insert into in_use (noun, id)
    select 'carrier', unnest(${ids.carriers}::int[]) union select 'location', unnest(${ids.locations}::int[])
    on conflict do nothing`;
};
