import type { ScheduleEventBody } from '#products/flight-info-alerts/v1/events/event-content.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import type { StoredInstance } from '#products/flight-info-alerts/v1/events/build-content.ts';
import type { Database } from '#store/pool/database.ts';
import { listAllEvents, deleteAllEvents, sequence } from '#test/store/events/sample-events.ts';

export type LoggedEvent = {
  readonly key: string;
  readonly version: number;
  readonly madeAt: Date;
  readonly facts: EventFacts;
  readonly event: ScheduleEventBody;
};

/** Returns a function that lists the events written since its last call, in the order of the log. */
export const createEventReader = (db: Database): (() => Promise<readonly LoggedEvent[]>) => {
  let seen = 0;
  return async () => {
    await sequence(db, { limit: 1_000_000 });
    const events = await listAllEvents(db, seen);
    seen = events.at(-1)?.position ?? seen;
    return events.map(({ flightKey, version, madeAt, facts, body }) => {
      const event: ScheduleEventBody = JSON.parse(body);
      return { key: flightKey, version, madeAt, facts, event };
    });
  };
};

/** An instance with the day on which it departs, `YYYY-MM-DD`. */
export type DatedInstance = StoredInstance & { readonly day: string; readonly isMarketing: boolean };

export const readInstances = async (db: Database): Promise<ReadonlyMap<string, DatedInstance>> => {
  const rows = await db<
    { key: string; day: string; doc: string; details: string | null; seats: string | null; isMarketing: boolean }[]
  >`
    select encode(i.key, 'hex') as key, i.departs_at::date as day, i.doc, s.details, s.seats, i.is_marketing as "isMarketing"
    from flight_instance i left join segment s on s.id = i.segment_id where i.flight_type = 'S'`;
  return new Map(
    rows.map(({ key, details, seats, ...row }) => [
      key,
      { ...row, details: details ?? undefined, seats: seats ?? undefined },
    ]),
  );
};

/** Lists the expanded days, `YYYY-MM-DD`. */
export const readExpandedDays = async (db: Database): Promise<ReadonlySet<string>> => {
  const rows = await db<{ day: string }[]>`select day from expanded_day where laid_out`;
  return new Set(rows.map(({ day }) => day));
};

/** Deletes schedules, days and events but not master data, in a fifth of the time that a new store takes. */
export const clearSchedules = (db: Database): Promise<void> =>
  db.begin(async (sql) => {
    const days = await sql<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'flight_instance'::regclass`;
    await sql.unsafe(days.map(({ name }) => `drop table ${name};`).join(' '));
    await deleteAllEvents(sql);
    const tables =
      'schedule_cancellation status_update schedule_file schedule_amendment schedule_message filed_flight flight_codeshare expanded_day in_use location_terminal schedule_record schedule_document segment itinerary load'.split(
        ' ',
      );
    for (const table of tables) await sql`delete from ${sql(table)}`;
  });
