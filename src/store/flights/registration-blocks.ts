import type { Sql } from '../pool/database.ts';

/** The channel on which every process hears that registrations were blocked; the payload is empty. */
export const BLOCKS_CHANNEL = 'registration_blocks';

/** A registration that is not shown, without hyphens. */
export type RegistrationBlock = {
  readonly registration: string;
  /** Why, for who runs the service; '' when nobody said. */
  readonly reason: string;
  readonly blockedAt: Date;
};

/** Which of these registrations are not shown. Ask in the transaction that writes what is shown. */
export const blockedAmong = async (sql: Sql, registrations: readonly string[]): Promise<ReadonlySet<string>> => {
  if (registrations.length === 0) return new Set();
  const rows = await sql<{ registration: string }[]>`
    select registration from registration_block where registration = any(${[...new Set(registrations)]}::text[])`;
  return new Set(rows.map(({ registration }) => registration));
};

/** Every registration that is not shown, in alphabetical order. */
export const listBlocks = async (sql: Sql): Promise<readonly RegistrationBlock[]> => sql<RegistrationBlock[]>`
  select registration, reason, blocked_at as "blockedAt" from registration_block order by registration collate "C"`;

/** Puts a registration on the list; one that is on it gets the new reason and keeps its date. */
export const addBlock = async (sql: Sql, { registration, reason, blockedAt }: RegistrationBlock): Promise<void> => {
  await sql`
    insert into registration_block (registration, reason, blocked_at) values (${registration}, ${reason}, ${blockedAt})
    on conflict (registration) do update set reason = excluded.reason`;
};

/** Takes a registration off the list; false when it was not on it. */
export const removeBlock = async (sql: Sql, registration: string): Promise<boolean> => {
  const removed = await sql`delete from registration_block where registration = ${registration} returning 1`;
  return removed.length === 1;
};

/** Has every process read again what it holds and has not sent. */
export const announceBlocks = async (sql: Sql): Promise<void> => {
  await sql`select pg_notify(${BLOCKS_CHANNEL}, '')`;
};
