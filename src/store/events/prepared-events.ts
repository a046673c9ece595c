import { formatDate } from '../../domain/time/dates.ts';
import { copyRows, copyText } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';
import { addEvents, dayOf, OUTBOX_CHANNEL, type NewEvent } from './event-outbox.ts';
import { factsText, readFacts } from './event-facts-text.ts';
import { newEventId } from './event-id.ts';
import { lockVersions } from './flight-versions.ts';

/**
 * The events of a change that has a great many of them, a schedule load: they are written with the versions that their flights have
 * when nobody is kept from making others, so that nobody waits while they are. `settleEvents` makes good what happened meanwhile.
 */
export const openPreparedEvents = async (sql: Sql): Promise<void> => {
  await sql`
    create temp table prepared_event (
      seq     bigint not null,
      key     bytea not null,
      version integer not null,
      deleted boolean not null,
      told    text,
      day     date not null
    ) on commit drop`;
  // Those whose flights have had others since.
  await sql`create temp table stray_event (seq bigint, key bytea, deleted boolean, told text) on commit drop`;
};

const drawNumbers = async (sql: Sql, count: number): Promise<readonly bigint[]> => {
  const rows = await sql<{ seq: bigint }[]>`
    select nextval(pg_get_serial_sequence('flight_event', 'seq')) as seq from generate_series(1, ${count})`;
  return rows.map(({ seq }) => seq);
};

const eventLine = ({ flightKey, version, madeAt, facts, body }: NewEvent, seq: bigint): string =>
  `${seq}\t${newEventId(madeAt)}\t${facts.kind}\t\\\\x${flightKey}\t${version}\t${madeAt.toISOString()}\t${copyText(factsText(facts))}\t${copyText(body)}`;

const preparedLine = (event: NewEvent, seq: bigint): string => {
  const { flightKey, version, deleted } = event;
  const told = deleted?.told === undefined ? '\\N' : copyText(deleted.told);
  return `${seq}\t\\\\x${flightKey}\t${version}\t${deleted ? 't' : 'f'}\t${told}\t${formatDate(dayOf(event))}`;
};

/** Writes schedule events, one of a flight at most in all calls of a transaction. They come into the log when the transaction commits: settle them before. */
export const prepareEvents = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const numbers = await drawNumbers(sql, events.length);
  const lines = (line: (event: NewEvent, seq: bigint) => string): readonly string[] =>
    events.map((event, index) => line(event, numbers[index] ?? 0n));
  await copyRows(
    sql,
    sql`copy flight_event (seq, id, kind, flight_key, version, made_at, facts, body) from stdin`,
    lines(eventLine),
  );
  // Nobody sees them there before the commit, and it is done while nobody waits.
  await sql`insert into event_outbox (seq) select unnest(${numbers.map(String)}::bigint[])`;
  await copyRows(sql, sql`copy prepared_event (seq, key, version, deleted, told, day) from stdin`, lines(preparedLine));
};

/** How many events whose flights have moved on are made again at once. */
const REMADE_AT_ONCE = 1000;

type Stray = {
  readonly seq: bigint;
  readonly flightKey: string;
  readonly madeAt: Date;
  readonly facts: string;
  readonly body: string;
  readonly deleted: boolean;
  readonly told: string | null;
};

const renumbered = (body: string, version: number): string => {
  const event: object = JSON.parse(body);
  return JSON.stringify({ ...event, flightVersion: version });
};

/** The flights of these events have had others since they were made, so that theirs are made again with the next number. */
const remake = async (sql: Sql, strays: readonly Stray[]): Promise<void> => {
  const numbers = strays.map(({ seq }) => String(seq));
  await sql`delete from event_outbox where seq = any(${numbers}::bigint[])`;
  await sql`delete from flight_event where seq = any(${numbers}::bigint[])`;
  const versions = await lockVersions(
    sql,
    strays.map(({ flightKey }) => flightKey),
  );
  const events = strays.map(({ flightKey, madeAt, facts, body, deleted, told }): NewEvent => {
    const version = (versions.get(flightKey)?.version ?? 0) + 1;
    return {
      flightKey,
      version,
      madeAt,
      facts: readFacts(facts),
      body: renumbered(body, version),
      ...(deleted && { deleted: { told: told ?? undefined } }),
    };
  });
  await addEvents(sql, events);
};

/**
 * Counts the prepared events, and makes those anew whose flights have had others. The transaction must be the only one that changes
 * statuses, and the only load: then it locks flights piece by piece without closing a ring. Others wait while this runs, so it does
 * no more than has to be done then.
 */
export const settleEvents = async (sql: Sql): Promise<void> => {
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
    const strays = await sql<Stray[]>`
      with stray as (
        delete from stray_event where key = any(array(select key from stray_event order by key limit ${REMADE_AT_ONCE}))
        returning seq, key, deleted, told
      )
      select seq, encode(key, 'hex') as "flightKey", made_at as "madeAt", facts, body, deleted, told
      from stray join flight_event using (seq) order by key`;
    if (strays.length === 0) return;
    await remake(sql, strays);
  }
};
