import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { MctDefaults } from '#domain/connections/mct/mct-record.ts';
import { LOCK_SPACE, type Sql } from '../pool/database.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The channel that notifies servers of a newer set of connections. */
export const CONNECTIONS_CHANNEL = 'connections';

const CONNECTIONS_LOCK = 12;

/** A set of connections as `src/server/domain` encodes it: its header, and the bytes of its columns by name. */
export type SnapshotBytes = { readonly header: string; readonly columns: Readonly<Record<string, Uint8Array>> };

/** A stored set of connections, without its bytes. */
export type SnapshotHead = {
  readonly id: number;
  readonly builtAt: Date;
  /** The numbers of flights and of itineraries in force from which it was built. */
  readonly records: number;
  readonly itineraries: number;
};

/** The data stored with the bytes; `format` identifies the encoding, which depends on the version of the program. */
export type NewSnapshot = {
  readonly format: number;
  readonly from: LocalDate;
  readonly days: number;
  readonly builtAt: Date;
  /** The report for the operator, stored as JSON. */
  readonly report: { readonly records: number; readonly itineraries: number; readonly defaults: MctDefaults };
};

/** The text column: the header of the set, and the names and sizes of its columns in the order of their bytes. */
type Envelope = { readonly header: string; readonly columns: readonly (readonly [name: string, bytes: number])[] };

/**
 * Bytes of a part before compression. The driver receives a part in hexadecimal and decodes it in one go: an incompressible part of 1 MB blocks
 * the event loop for 8 ms, one of 4 MB for 22 ms.
 */
const PART_BYTES = 1024 * 1024;

/** Level 1 halves the bytes in less time than they would take to send. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Sets that are retained: the one that is served, and the one before, whose pages clients still read. */
const RETAINED_SETS = 2;

/** Disables the idle timeout of a transaction that computes between two of its statements. */
export const disableIdleTimeout = async (sql: Sql): Promise<void> => {
  await sql`set local idle_in_transaction_session_timeout = 0`;
};

/**
 * Tries to acquire the lock for building connections until the transaction ends; false when another process has it. The next statement sees
 * what the previous holder wrote.
 */
export const tryLockConnections = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${CONNECTIONS_LOCK}::int) as locked`;
  return row?.locked === true;
};

/** Yields the concatenated columns in pieces of the size of a part; the last one can be shorter. */
function* splitIntoParts(columns: readonly Uint8Array[]): Generator<Uint8Array> {
  let piece = new Uint8Array(PART_BYTES);
  let filled = 0;
  for (const column of columns)
    for (let at = 0; at < column.length;) {
      const taken = column.subarray(at, at + PART_BYTES - filled);
      piece.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < PART_BYTES) continue;
      yield piece;
      piece = new Uint8Array(PART_BYTES);
      filled = 0;
    }
  if (filled > 0) yield piece.subarray(0, filled);
}

/**
 * Inserts a set and returns its id, and the size of its columns before and after compression; `sql` must be a transaction. Servers are notified
 * when it commits.
 */
export const insertSnapshot = async (
  sql: Sql,
  { format, from, days, builtAt, report }: NewSnapshot,
  { header, columns }: SnapshotBytes,
): Promise<{ readonly id: number; readonly bytes: number; readonly storedBytes: number }> => {
  const entries = Object.entries(columns);
  const envelope: Envelope = { header, columns: entries.map(([name, { length }]) => [name, length]) };
  const [row] = await sql<{ id: number }[]>`
    insert into connection_snapshot (format, from_date, days, built_at, header, report)
    values (${format}, ${formatDate(from)}, ${days}, ${builtAt}, ${JSON.stringify(envelope)}, ${JSON.stringify(report)}::text::jsonb)
    returning id`;
  if (!row) throw new Error('the set of connections was not recorded');
  let number = 0;
  let bytes = 0;
  let storedBytes = 0;
  for (const piece of splitIntoParts(entries.map(([, column]) => column))) {
    const content = await compress(piece, compression);
    await sql`
      insert into connection_snapshot_part (snapshot_id, number, content) values (${row.id}, ${number}, ${content})`;
    number += 1;
    bytes += piece.length;
    storedBytes += content.length;
  }
  await sql`select pg_notify(${CONNECTIONS_CHANNEL}, ${String(row.id)})`;
  return { id: row.id, bytes, storedBytes };
};

/** Returns the retained sets of a format, newest first. */
export const listNewestSnapshots = async (sql: Sql, format: number): Promise<readonly SnapshotHead[]> => {
  const rows = await sql<SnapshotHead[]>`
    select id, built_at as "builtAt", (report ->> 'records')::int as records, (report ->> 'itineraries')::int as itineraries
    from connection_snapshot where format = ${format} order by id desc limit ${RETAINED_SETS}`;
  return [...rows];
};

/** Finds the default minimum connecting times of the newest set of any format. */
export const findLatestDefaults = async (sql: Sql): Promise<MctDefaults | undefined> => {
  const [row] = await sql<{ defaults: MctDefaults | null }[]>`
    select report -> 'defaults' as defaults from connection_snapshot order by id desc limit 1`;
  return row?.defaults ?? undefined;
};

/**
 * Deletes old sets: of this format all but the newest two, and of other formats those built before a point in time, because a server of another
 * version may still read them.
 */
export const pruneSnapshots = async (
  sql: Sql,
  { format, othersBefore }: { readonly format: number; readonly othersBefore: Date },
): Promise<void> => {
  await sql`
    delete from connection_snapshot where (format <> ${format} and built_at < ${othersBefore}) or (format = ${format} and id not in
      (select id from connection_snapshot where format = ${format} order by id desc limit ${RETAINED_SETS}))`;
};

const readPart = async (sql: Sql, id: number, number: number): Promise<Uint8Array> => {
  const [row] = await sql<{ content: Buffer }[]>`
    select content from connection_snapshot_part where snapshot_id = ${id} and number = ${number}`;
  if (!row) throw new Error(`the set of connections ${id} lacks its part ${number}`);
  return decompress(row.content);
};

/**
 * Reads a set part by part, each column into its own buffer; undefined when it does not exist. `sql` must be a transaction with a single
 * snapshot, because a set can be deleted while it is read.
 */
export const readSnapshot = async (sql: Sql, id: number): Promise<SnapshotBytes | undefined> => {
  const [row] = await sql<{ envelope: string }[]>`select header as envelope from connection_snapshot where id = ${id}`;
  if (!row) return undefined;
  const envelope: Envelope = JSON.parse(row.envelope);
  const columns: Record<string, Uint8Array> = {};
  let part: Uint8Array = new Uint8Array();
  let next = 0;
  for (const [name, bytes] of envelope.columns) {
    const column = new Uint8Array(bytes);
    for (let filled = 0; filled < bytes;) {
      if (part.length === 0) {
        part = await readPart(sql, id, next);
        next += 1;
      }
      const taken = part.subarray(0, bytes - filled);
      column.set(taken, filled);
      part = part.subarray(taken.length);
      filled += taken.length;
    }
    columns[name] = column;
  }
  return { header: envelope.header, columns };
};
