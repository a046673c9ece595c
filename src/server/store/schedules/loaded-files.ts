import type { Sql } from '../pool/database.ts';

/** The last load of a file: its SHA-256 as stored on disk, and when it was loaded. */
export type LoadedFile = { readonly file: string; readonly sha256: string; readonly loadedAt: Date };

/** Lists the last load of each file: schedules and statuses by their own loads, master data by the last load of a folder. */
export const listLoadedFiles = async (sql: Sql): Promise<readonly LoadedFile[]> => sql<LoadedFile[]>`
  select distinct on (file) file, sha256, loaded_at as "loadedAt" from (
    select id, source as file, sha256, loaded_at from load where kind in ('ssim', 'bts')
    union all
    select id, key, value, loaded_at from load, jsonb_each_text(report->'files')
    where id = (select max(id) from load where kind = 'master-data')
  ) as loaded
  order by file, id desc`;
