import { formatDate } from '#domain/time/dates.ts';
import { copyRows, copyText } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';
import {
  createEventId,
  decodeEventFacts,
  encodeEventFacts,
  insertEvents,
  type NewEvent,
  OUTBOX_CHANNEL,
  computeRetentionDay,
} from './event-outbox.ts';
import { lockVersions } from './flight-versions.ts';

/**
 * Creates the temporary tables for the events of a schedule load, which can have millions. They are inserted with the versions that flights
 * have before these are locked, so that no other transaction waits meanwhile. `settlePreparedEvents` corrects what has changed since.
 */
export const createPreparedEventTables = async (sql: Sql): Promise<void> => {
  await sql`
    create temp table prepared_event (
      seq     bigint not null,
      key     bytea not null,
      version integer not null,
      deleted boolean not null,
      told    text,
      day     date not null
    ) on commit drop`;
  // Events whose flights have had other events since.
  await sql`create temp table stray_event (seq bigint, key bytea, deleted boolean, told text) on commit drop`;
};

const nextSequenceNumbers = async (sql: Sql, count: number): Promise<readonly bigint[]> => {
  const rows = await sql<{ seq: bigint }[]>`
    select nextval(pg_get_serial_sequence('flight_event', 'seq')) as seq from generate_series(1, ${count})`;
  return rows.map(({ seq }) => seq);
};

const eventLine = ({ flightKey, version, madeAt, facts, body }: NewEvent, seq: bigint): string =>
  `${seq}\t${createEventId(madeAt)}\t${facts.kind}\t\\\\x${flightKey}\t${version}\t${madeAt.toISOString()}\t${copyText(encodeEventFacts(facts))}\t${copyText(body)}`;

const preparedLine = (event: NewEvent, seq: bigint): string => {
  const { flightKey, version, deleted } = event;
  const told = deleted?.lastState === undefined ? '\\N' : copyText(deleted.lastState);
  return `${seq}\t\\\\x${flightKey}\t${version}\t${deleted ? 't' : 'f'}\t${told}\t${formatDate(computeRetentionDay(event))}`;
};

/** Inserts schedule events, at most one of each flight in a transaction. Call `settlePreparedEvents` before the commit. */
export const insertPreparedEvents = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const numbers = await nextSequenceNumbers(sql, events.length);
  const lines = (line: (event: NewEvent, seq: bigint) => string): readonly string[] =>
    events.map((event, index) => line(event, numbers[index] ?? 0n));
  await copyRows(
    sql,
    sql`copy flight_event (seq, id, kind, flight_key, version, made_at, facts, body) from stdin`,
    lines(eventLine),
  );
  // No other transaction sees the outbox rows before the commit, and none waits for this one yet.
  await sql`insert into event_outbox (seq) select unnest(${numbers.map(String)}::bigint[])`;
  await copyRows(sql, sql`copy prepared_event (seq, key, version, deleted, told, day) from stdin`, lines(preparedLine));
};

/** Outdated events that are inserted again by one statement. */
const RENUMBER_BATCH = 1000;

type OutdatedEvent = {
  readonly seq: bigint;
  readonly flightKey: string;
  readonly madeAt: Date;
  readonly facts: string;
  readonly body: string;
  readonly deleted: boolean;
  readonly told: string | null;
};

const withVersion = (body: string, version: number): string => {
  const event: object = JSON.parse(body);
  return JSON.stringify({ ...event, flightVersion: version });
};

/** Inserts events again, with the next number of their flights. */
const renumberEvents = async (sql: Sql, outdated: readonly OutdatedEvent[]): Promise<void> => {
  const numbers = outdated.map(({ seq }) => String(seq));
  await sql`delete from event_outbox where seq = any(${numbers}::bigint[])`;
  await sql`delete from flight_event where seq = any(${numbers}::bigint[])`;
  const versions = await lockVersions(
    sql,
    outdated.map(({ flightKey }) => flightKey),
  );
  const events = outdated.map(({ flightKey, madeAt, facts, body, deleted, told }): NewEvent => {
    const version = (versions.get(flightKey)?.version ?? 0) + 1;
    return {
      flightKey,
      version,
      madeAt,
      facts: decodeEventFacts(facts),
      body: withVersion(body, version),
      ...(deleted && { deleted: { lastState: told ?? undefined } }),
    };
  });
  await insertEvents(sql, events);
};

/**
 * Updates the versions for the prepared events, and renumbers those whose flights have had other events. The transaction must hold the
 * exclusive locks of statuses and schedules: then it can lock flights batch by batch without a deadlock. Others wait while this runs, so it
 * does only what is necessary.
 */
export const settlePreparedEvents = async (sql: Sql): Promise<void> => {
  await sql`
    with counted as (
      insert into flight_version as v (key, version, deleted, told, day)
      select key, version, deleted, told, day from prepared_event
      on conflict (key) do update
      set version = excluded.version, deleted = excluded.deleted, told = excluded.told, day = excluded.day
      where v.version = excluded.version - 1
      returning key
    )
    insert into stray_event (seq, key, deleted, told)
    select seq, key, deleted, told from prepared_event p where not exists (select from counted where counted.key = p.key)`;
  await sql`select pg_notify(${OUTBOX_CHANNEL}, '') where exists (select from prepared_event)`;
  for (;;) {
    const outdated = await sql<OutdatedEvent[]>`
      with stray as (
        delete from stray_event where key = any(array(select key from stray_event order by key limit ${RENUMBER_BATCH}))
        returning seq, key, deleted, told
      )
      select seq, encode(key, 'hex') as "flightKey", made_at as "madeAt", facts, body, deleted, told
      from stray join flight_event using (seq) order by key`;
    if (outdated.length === 0) return;
    await renumberEvents(sql, outdated);
  }
};
