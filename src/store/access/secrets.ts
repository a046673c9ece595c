import { randomBytes } from 'node:crypto';

import type { Sql } from '../pool/database.ts';

/**
 * The secret of a name, 32 random bytes: made at its first use, the same for every process and every start since.
 * When several ask at once for one that is not there yet, all get the one that was stored first.
 */
export const getOrCreateSecret = async (sql: Sql, name: string): Promise<Buffer> => {
  await sql`insert into secret (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`;
  // Another statement, because a statement does not see a row that another transaction committed while it waited.
  const [row] = await sql<{ value: Buffer }[]>`select value from secret where name = ${name}`;
  if (!row) throw new Error(`the secret '${name}' was deleted while it was read`);
  return row.value;
};
