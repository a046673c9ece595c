import type { Database } from '../../../src/store/pool/database.ts';

/** Every row of every table, as text; bytes as hexadecimal digits. */
export const dumpDatabase = async (db: Database): Promise<readonly (readonly [table: string, rows: string])[]> => {
  const tables = await db<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`;
  return Promise.all(
    tables.map(async ({ name }) => {
      const rows = await db<{ row: string }[]>`select t::text as row from ${db(name)} t`;
      return [name, rows.map(({ row }) => row).join('\n')] as const;
    }),
  );
};

/** A secret as it is, and as it could stand in bytes, in a URL or in base64. */
export const encodedForms = (secret: string | Buffer): readonly string[] => {
  const bytes = Buffer.from(secret);
  const encoded = [bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return typeof secret === 'string'
    ? [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded]
    : [secret.toString('latin1'), ...encoded];
};
