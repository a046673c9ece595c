import { hash } from 'node:crypto';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { ACCOUNT_EVENTS_CHANNEL, insertAccountEvents } from '#store/events/account-events.ts';
import type { EventParts } from '#store/events/account-events.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { insertEvents } from '#store/events/event-outbox.ts';
import { lockVersions } from '#store/events/flight-versions.ts';
import { scheduleEvent, statusEvent } from '#test/domain/alerts/sample-events.ts';
import { sequence } from '#test/store/events/sample-events.ts';

/** An event; each has its own flight. */
export type TestEvent = {
  /** Without the members that rendering adds. */
  readonly body: object;
  readonly facts?: EventFacts;
  readonly madeAt?: Date;
};

export type AccountEventOptions = {
  readonly events: readonly TestEvent[];
  /** The alert that selected the events. */
  readonly alertId?: string;
  readonly parts?: EventParts;
  readonly now: Date;
};

const factsOf = (body: object): EventFacts =>
  'documentType' in body && body.documentType === 'ScheduleInstance' ? scheduleEvent : statusEvent;

/** Inserts events and moves them to the event log; returns them by position. */
export const insertLogEvents = async (
  db: Database,
  { events: testEvents, now }: AccountEventOptions,
): Promise<readonly { readonly id: string; readonly seq: number; readonly position: number }[]> => {
  const [end] = await db<{ last: bigint }[]>`select last_pos as last from event_log_end`;
  const before = Number(end?.last);
  await db.begin(async (sql) => {
    const events = testEvents.map(({ body, facts = factsOf(body), madeAt = now }, index) => ({
      flightKey: hash('sha256', `${before} ${index}`, 'hex'),
      version: 1,
      madeAt,
      facts,
      body: JSON.stringify(body),
    }));
    await lockVersions(
      sql,
      events.map(({ flightKey }) => flightKey),
    );
    await insertEvents(sql, events);
  });
  await sequence(db, { now, limit: testEvents.length });
  const rows = await db<{ id: string; seq: bigint; position: bigint }[]>`
    select f.id, l.seq, l.pos as position from event_log l join flight_event f using (seq)
    where l.pos > ${before} order by l.pos`;
  return rows.map(({ id, seq, position }) => ({ id, seq: Number(seq), position: Number(position) }));
};

const someAlert = '00000000-0000-4000-8000-00000000000a';

/** Records account events that were inserted with their positions in the log, as the fan-out does. */
export const insertFanOutPositions = async (sql: Sql): Promise<void> => {
  await sql`
    insert into fan_out_event (pos, log_pos) select distinct pos, pos from account_event on conflict do nothing`;
  await sql`update event_distribution set last_fan_out_pos = (select coalesce(max(pos), 0) from account_event)`;
};

/** Appends logged events to the stream of an account, in the transaction `sql`. */
export const insertStreamEvents = async (
  sql: Sql,
  stream: number,
  {
    events,
    alertId = someAlert,
    parts = { changes: true, seats: true },
  }: Pick<AccountEventOptions, 'alertId' | 'parts'> & {
    readonly events: readonly { readonly seq: number; readonly position: number }[];
  },
): Promise<void> => {
  const [row] = await sql<{ last: bigint }[]>`
    insert into account_stream (stream, last_number) values (${stream}, ${events.length})
    on conflict (stream) do update set last_number = account_stream.last_number + excluded.last_number
    returning last_number as last`;
  const first = Number(row?.last) - events.length + 1;
  await insertAccountEvents(
    sql,
    events.map(({ seq, position }, index) => ({ stream, number: first + index, position, seq, alertId, parts })),
  );
  await insertFanOutPositions(sql);
  await sql`select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '')`;
};

export const getStreamNumber = async (db: Database, accountId: string): Promise<number> => {
  const [row] = await db<{ stream: number }[]>`select stream from alert_account where id = ${accountId}`;
  if (!row) throw new Error(`there is no account ${accountId}`);
  return row.stream;
};

/** Inserts events into the log and the stream of an account, as feeds and fan-out do; returns their IDs. */
export const insertTestEvents = async (
  db: Database,
  accountId: string,
  options: AccountEventOptions,
): Promise<readonly string[]> => {
  const events = await insertLogEvents(db, options);
  const stream = await getStreamNumber(db, accountId);
  const { alertId, parts } = options;
  await db.begin((sql) =>
    insertStreamEvents(sql, stream, { events, ...(alertId !== undefined && { alertId }), ...(parts && { parts }) }),
  );
  return events.map(({ id }) => id);
};
