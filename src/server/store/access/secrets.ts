import { randomBytes } from 'node:crypto';
import type { SecretBox } from '#lib/secret-box.ts';
import type { Sql } from '../pool/database.ts';
import { openBytes, sealBytes } from './secret-keys.ts';

/**
 * Returns the secret with a name, 32 random bytes. It is created at its first use and then the same in every process; of concurrent first
 * calls, all return the secret that was stored first.
 */
export const getOrCreateSecret = async (sql: Sql, box: SecretBox, name: string): Promise<Buffer> => {
  await sql`
    insert into secret (name, value) values (${name}, ${sealBytes(box, name, randomBytes(32))}) on conflict do nothing`;
  // A separate statement, because the insert does not see a row that another transaction committed while it waited.
  const [row] = await sql<{ value: Buffer }[]>`select value from secret where name = ${name}`;
  if (!row) throw new Error(`the secret '${name}' was deleted while it was read`);
  return openBytes(box, name, row.value);
};
