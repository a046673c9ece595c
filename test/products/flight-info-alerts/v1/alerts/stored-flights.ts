import type { ScheduleEvent, StatusEvent } from '../../../../../src/domain/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '../../../../../src/domain/events/event-content.ts';
import { toScheduleContent } from '../../../../../src/products/flight-info-alerts/v1/events/schedule-content.ts';
import {
  parseFlight,
  toStatusContents,
  type StoredStatus,
  type StoredDesignatorInstance,
} from '../../../../../src/products/flight-info-alerts/v1/events/status-content.ts';
import type { Sql } from '../../../../../src/store/pool/database.ts';
import type { Observed } from '../../../flight-info/v2/observed-world.ts';

/** A flight number, the local date of departure and the IATA code of the airport it leaves. */
export type Wanted = { readonly number: number; readonly on?: string; readonly from?: string };

type Row = {
  readonly doc: string;
  readonly isMarketing: boolean;
  readonly statusOrder: bigint;
  readonly details: string | null;
  readonly seats: string | null;
};

const columns = (sql: Sql) => sql`
  i.doc, i.is_marketing as "isMarketing", i.status_order as "statusOrder", s.details, s.seats
  from flight_instance i left join segment s on s.id = i.segment_id`;

const onDay = (sql: Sql, on: string) => sql`i.departs_at >= ${on}::date and i.departs_at < ${on}::date + 1`;

const keptOf = ({ doc, isMarketing, details, seats }: Row): StoredDesignatorInstance => ({
  doc,
  isMarketing,
  details: details ?? undefined,
  seats: seats ?? undefined,
});

/** The rows that the store has of a flight on a day, single legs before the whole. */
const rowsOf = async ({ db }: Observed, { number, on = '2026-06-01', from = 'LHR' }: Wanted): Promise<readonly Row[]> =>
  db<Row[]>`
    select ${columns(db)} join location l on l.id = i.departure
    where i.flight_number = ${number} and l.iata = ${from} and ${onDay(db, on)}
    order by i.doc::jsonb -> 'segmentInfo' ->> 'numberOfStops'`;

/** What schedule events tell of an instance by what the store has of it; undefined when it has none. */
export const scheduled = async (world: Observed, wanted: Wanted): Promise<ScheduleContent | undefined> => {
  const [row] = await rowsOf(world, wanted);
  return row && toScheduleContent(keptOf(row));
};

/** What status events tell of a flight under each of its designators, the operating one first, by what the store has of it. */
export const observed = async (
  world: Observed,
  wanted: Wanted,
  originalStatusKey?: string,
): Promise<readonly [StatusContent, ...StatusContent[]]> => {
  const { db } = world;
  const [row] = await rowsOf(world, wanted);
  if (!row) throw new Error(`no flight ${wanted.number}`);
  const on = wanted.on ?? '2026-06-01';
  const instances = await db<Row[]>`
    select ${columns(db)} where i.status_order = ${row.statusOrder} and ${onDay(db, on)} order by i.is_marketing`;
  const [status] = await db<{ doc: string; seats: string | null }[]>`
    select doc, seats from flight_status where departs_on = ${on} and status_order = ${row.statusOrder}`;
  const kept: StoredStatus = { doc: status?.doc ?? '', seats: status?.seats ?? undefined, originalStatusKey };
  const [first, ...others] = toStatusContents(parseFlight(instances.map(keptOf)), kept);
  if (!first) throw new Error(`no instance of ${wanted.number}`);
  return [first, ...others];
};

/** Returns the changes of an event as `name: previous value`, or `+name` for an added property. */
export const changesOf = (event: StatusEvent | ScheduleEvent | undefined): readonly string[] =>
  (event?.changes ?? []).map(({ propertyName, previousValue }) =>
    previousValue === undefined ? `+${propertyName}` : `${propertyName}: ${JSON.stringify(previousValue)}`,
  );
