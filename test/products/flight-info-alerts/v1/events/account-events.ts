import { hash } from 'node:crypto';
import type { EventFacts } from '../../../../../src/domain/alerts/event-facts.ts';
import {
  ACCOUNT_EVENTS_CHANNEL,
  insertAccountEvents,
  type EventParts,
} from '../../../../../src/store/events/account-events.ts';
import type { Database, Sql } from '../../../../../src/store/pool/database.ts';
import { insertEvents, sequenceOutbox } from '../../../../../src/store/events/event-outbox.ts';
import { lockVersions } from '../../../../../src/store/events/flight-versions.ts';
import { scheduleEvent, statusEvent } from '../../../../domain/alerts/any-event.ts';

/** An event of a flight of its own. */
export type News = {
  /** Without what delivery adds. */
  readonly body: object;
  readonly facts?: EventFacts;
  readonly madeAt?: Date;
};

export type Giving = {
  readonly news: readonly News[];
  /** The alert the account is given them for. */
  readonly alertId?: string;
  readonly parts?: EventParts;
  readonly now: Date;
};

const factsOf = (body: object): EventFacts =>
  'documentType' in body && body.documentType === 'ScheduleInstance' ? scheduleEvent : statusEvent;

/** Writes events and moves them into the log; answers them by position. */
export const tellEvents = async (
  db: Database,
  { news, now }: Giving,
): Promise<readonly { readonly id: string; readonly seq: number; readonly position: number }[]> => {
  const [end] = await db<{ last: bigint }[]>`select last_pos as last from event_log_end`;
  const before = Number(end?.last);
  await db.begin(async (sql) => {
    const events = news.map(({ body, facts = factsOf(body), madeAt = now }, index) => ({
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
  await db.begin((sql) =>
    sequenceOutbox(sql, {
      limit: news.length,
      now,
      worker: '00000000-0000-4000-8000-000000000001',
      leaseMs: 0,
    }),
  );
  const rows = await db<{ id: string; seq: bigint; position: bigint }[]>`
    select f.id, l.seq, l.pos as position from event_log l join flight_event f using (seq)
    where l.pos > ${before} order by l.pos`;
  return rows.map(({ id, seq, position }) => ({ id, seq: Number(seq), position: Number(position) }));
};

const someAlert = '00000000-0000-4000-8000-00000000000a';

/** Gives an account events that are in the log already, as its next ones, in the transaction `sql`. */
export const giveAccount = async (
  sql: Sql,
  stream: number,
  {
    events,
    alertId = someAlert,
    parts = { changes: true, seats: true },
  }: Pick<Giving, 'alertId' | 'parts'> & {
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
  await sql`select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '')`;
};

/** The stream of an account. */
export const streamNumber = async (db: Database, accountId: string): Promise<number> => {
  const [row] = await db<{ stream: number }[]>`select stream from alert_account where id = ${accountId}`;
  if (!row) throw new Error(`there is no account ${accountId}`);
  return row.stream;
};

/** Gives an account events, as loads, messages and the distributor do together; answers their ids. */
export const giveEvents = async (db: Database, accountId: string, giving: Giving): Promise<readonly string[]> => {
  const events = await tellEvents(db, giving);
  const stream = await streamNumber(db, accountId);
  const { alertId, parts } = giving;
  await db.begin((sql) =>
    giveAccount(sql, stream, { events, ...(alertId !== undefined && { alertId }), ...(parts && { parts }) }),
  );
  return events.map(({ id }) => id);
};
