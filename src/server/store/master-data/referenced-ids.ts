import type { Carrier } from '#domain/master-data/master-data.ts';
import type { Sql } from '../pool/database.ts';
import { listUnconfirmedCarriers } from './unconfirmed-carriers.ts';

/** The ids of carriers and locations to which flights refer. */
export type ReferencedIds = {
  readonly carriers: ReadonlySet<number>;
  readonly locations: ReadonlySet<number>;
  /** Carriers of marketing flights that operating flights name. */
  readonly codeshareCarriers: ReadonlySet<number>;
  /** Carriers that only status messages name. */
  readonly unconfirmedCarriers: readonly Carrier[];
};

type Noun = 'carrier' | 'location' | 'codeshare carrier';

/** Reads the ids of carriers and locations to which flights refer or have referred, and carriers that exist only for flights. */
export const readReferencedIds = async (sql: Sql): Promise<ReferencedIds> => {
  const rows = await sql<{ noun: Noun; id: number }[]>`select noun, id from in_use`;
  const idsOf = (noun: Noun): ReadonlySet<number> =>
    new Set(rows.filter((row) => row.noun === noun).map(({ id }) => id));
  return {
    carriers: idsOf('carrier'),
    locations: idsOf('location'),
    codeshareCarriers: idsOf('codeshare carrier'),
    unconfirmedCarriers: await listUnconfirmedCarriers(sql),
  };
};

/** Inserts ids of carriers and locations to which flights refer. */
export const insertReferencedIds = async (
  sql: Sql,
  {
    carriers,
    locations,
    codeshareCarriers = [],
  }: {
    readonly carriers: Iterable<number>;
    readonly locations: Iterable<number>;
    readonly codeshareCarriers?: Iterable<number>;
  },
): Promise<void> => {
  const ids = { carriers: [...carriers], locations: [...locations], codeshareCarriers: [...codeshareCarriers] };
  if (ids.carriers.length + ids.locations.length === 0) return;
  await sql`
    insert into in_use (noun, id)
    select 'carrier', unnest(${ids.carriers}::int[]) union select 'location', unnest(${ids.locations}::int[])
    union select 'codeshare carrier', unnest(${ids.codeshareCarriers}::int[])
    on conflict do nothing`;
};
