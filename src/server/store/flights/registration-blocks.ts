import type { Sql } from '../pool/database.ts';

/** The channel that notifies every process of changed registration blocks; the payload is empty. */
export const BLOCKS_CHANNEL = 'registration_blocks';

/** A registration that responses and events omit, without hyphens. */
export type RegistrationBlock = {
  readonly registration: string;
  /** The reason, for the operator; '' when there is none. */
  readonly reason: string;
  readonly blockedAt: Date;
};

/** Returns which of these registrations are blocked. Call it in the transaction that writes the documents. */
export const listBlockedAmong = async (sql: Sql, registrations: readonly string[]): Promise<ReadonlySet<string>> => {
  if (registrations.length === 0) return new Set();
  const rows = await sql<{ registration: string }[]>`
    select registration from registration_block where registration = any(${[...new Set(registrations)]}::text[])`;
  return new Set(rows.map(({ registration }) => registration));
};

/** Returns all registration blocks in alphabetical order. */
export const listRegistrationBlocks = async (sql: Sql): Promise<readonly RegistrationBlock[]> => sql<
  RegistrationBlock[]
>`
  select registration, reason, blocked_at as "blockedAt" from registration_block order by registration collate "C"`;

/** Blocks a registration; one that is already blocked gets the new reason and keeps its date. */
export const upsertRegistrationBlock = async (
  sql: Sql,
  { registration, reason, blockedAt }: RegistrationBlock,
): Promise<void> => {
  await sql`
    insert into registration_block (registration, reason, blocked_at) values (${registration}, ${reason}, ${blockedAt})
    on conflict (registration) do update set reason = excluded.reason`;
};

/** Deletes a block; false when the registration was not blocked. */
export const deleteRegistrationBlock = async (sql: Sql, registration: string): Promise<boolean> => {
  const deleted = await sql`delete from registration_block where registration = ${registration} returning 1`;
  return deleted.length === 1;
};

/** Makes every process reload what it has cached and not sent yet. */
export const notifyRegistrationBlocks = async (sql: Sql): Promise<void> => {
  await sql`select pg_notify(${BLOCKS_CHANNEL}, '')`;
};
