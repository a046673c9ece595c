import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { MctDefaults } from '../../domain/connections/mct/mct-record.ts';
import { LOCK_SPACE, type Sql } from '../pool/database.ts';

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

/** The channel on which servers hear that there is a newer set of connections. */
export const CONNECTIONS_CHANNEL = 'connections';

const CONNECTIONS_LOCK = 12;

/** The bytes of a set as `src/domain` gives and takes them: its header, and its columns by name. */
export type SnapshotBytes = { readonly header: string; readonly columns: Readonly<Record<string, Uint8Array>> };

/** A set of connections as it is kept, without its bytes. */
export type SnapshotHead = {
  readonly id: number;
  readonly builtAt: Date;
  /** How many flights it was made of, and of how many itineraries in force these were. */
  readonly records: number;
  readonly itineraries: number;
};

/** What is written beside the bytes; `format` tells apart sets that one version of the program reads and another does not. */
export type NewSnapshot = {
  readonly format: number;
  readonly from: LocalDate;
  readonly days: number;
  readonly builtAt: Date;
  /** What the operator sees; kept as JSON. */
  readonly report: { readonly records: number; readonly itineraries: number; readonly defaults: MctDefaults };
};

/** The column of text: the header of the set, and the names and sizes of its columns in the order of their bytes. */
type Envelope = { readonly header: string; readonly columns: readonly (readonly [name: string, bytes: number])[] };

/**
 * Bytes of a part before they are packed. The driver brings a part in hexadecimal and turns it back at once: 8 ms of the event loop for one
 * that could not be made smaller, 22 ms were it of 4 MB.
 */
const PART_BYTES = 1024 * 1024;

/** Level 1 leaves half of the bytes, in less time than they would take to send. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Sets that are kept: that which is served, and that before it, in which readers page on. */
const KEPT = 2;

/** Lets a transaction idle for as long as the work between two of its statements takes, whatever the database allows others. */
export const disableIdleTimeout = async (sql: Sql): Promise<void> => {
  await sql`set local idle_in_transaction_session_timeout = 0`;
};

/**
 * Takes the one lock of those who build connections, until the transaction ends; false when somebody else has it. Whoever has it sees in
 * his next statement what the one before wrote.
 */
export const tryLockConnections = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${CONNECTIONS_LOCK}::int) as locked`;
  return row?.locked === true;
};

/** Pieces of the columns laid end to end, each of the size of a part but the last. */
function* piecesOf(columns: readonly Uint8Array[]): Generator<Uint8Array> {
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
 * Writes a set and answers its id, and the bytes of its columns as they are and as they are stored; `sql` must be a transaction. Servers are told
 * once it commits.
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
  for (const piece of piecesOf(entries.map(([, column]) => column))) {
    const content = await pack(piece, packing);
    await sql`
      insert into connection_snapshot_part (snapshot_id, number, content) values (${row.id}, ${number}, ${content})`;
    number += 1;
    bytes += piece.length;
    storedBytes += content.length;
  }
  await sql`select pg_notify(${CONNECTIONS_CHANNEL}, ${String(row.id)})`;
  return { id: row.id, bytes, storedBytes };
};

/** The newest sets of a format, newest first: two at most. */
export const listNewestSnapshots = async (sql: Sql, format: number): Promise<readonly SnapshotHead[]> => {
  const rows = await sql<SnapshotHead[]>`
    select id, built_at as "builtAt", (report ->> 'records')::int as records, (report ->> 'itineraries')::int as itineraries
    from connection_snapshot where format = ${format} order by id desc limit ${KEPT}`;
  return [...rows];
};

/** The minutes that the newest set of any format has where no record of minimum connecting times applies. */
export const findLatestDefaults = async (sql: Sql): Promise<MctDefaults | undefined> => {
  const [row] = await sql<{ defaults: MctDefaults | null }[]>`
    select report -> 'defaults' as defaults from connection_snapshot order by id desc limit 1`;
  return row?.defaults ?? undefined;
};

/**
 * Deletes what nobody reads any more: of this format all but the newest two, and of others what was built before a moment, since a server of
 * another version may still be there and read them.
 */
export const pruneSnapshots = async (
  sql: Sql,
  { format, othersBefore }: { readonly format: number; readonly othersBefore: Date },
): Promise<void> => {
  await sql`
    delete from connection_snapshot where (format <> ${format} and built_at < ${othersBefore}) or (format = ${format} and id not in
      (select id from connection_snapshot where format = ${format} order by id desc limit ${KEPT}))`;
};

const readPart = async (sql: Sql, id: number, number: number): Promise<Uint8Array> => {
  const [row] = await sql<{ content: Buffer }[]>`
    select content from connection_snapshot_part where snapshot_id = ${id} and number = ${number}`;
  if (!row) throw new Error(`the set of connections ${id} lacks its part ${number}`);
  return unpack(row.content);
};

/**
 * Reads a set, part by part, each column into memory of its own; undefined when there is no such set. `sql` must be a transaction that sees
 * one state of the database: a set can be deleted while it is read.
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
