import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from '#store/pool/database.ts';

const run = promisify(execFile);

/** Dumps every row of every table as text; bytes as hexadecimal digits. */
export const dumpTables = async (db: Database): Promise<readonly (readonly [table: string, rows: string])[]> => {
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

/** Dumps a database with the newest installed `pg_dump`; undefined when none is installed that is as new as the server. */
export const dumpDatabase = async (db: Database, url: string): Promise<string | undefined> => {
  const [row] = await db<{ version: number }[]>`select current_setting('server_version_num')::int / 10000 as version`;
  const programs = globSync('/usr/lib/postgresql/*/bin/pg_dump')
    .map((path) => ({ path, version: Number(path.split('/')[4]) }))
    .filter(({ version }) => version >= (row?.version ?? Infinity))
    .toSorted((one, other) => other.version - one.version);
  const program = programs[0]?.path;
  if (program === undefined) return undefined;
  const { stdout } = await run(program, ['--dbname', url], { maxBuffer: 2 ** 29 });
  return stdout;
};

/** Returns a secret in plain text and in the encodings of bytes, URLs and base64. */
export const encodedForms = (secret: string | Buffer): readonly string[] => {
  const bytes = Buffer.from(secret);
  const text = typeof secret === 'string' ? secret : bytes.toString('latin1');
  const encodings = (['hex', 'base64', 'base64url'] as const).map((one) => bytes.toString(one).replace(/=+$/, ''));
  return [
    text,
    ...encodings,
    ...(secret === text ? [encodeURIComponent(text), JSON.stringify(text).slice(1, -1)] : []),
  ];
};
