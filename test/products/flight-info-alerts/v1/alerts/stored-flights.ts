import type { ScheduleEvent, StatusEvent } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import { parseFlight } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { toScheduleContent } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { toStatusContents } from '#products/flight-info-alerts/v1/events/build-content.ts';
import type { StoredDesignatorInstance } from '#products/flight-info-alerts/v1/events/build-content.ts';
import type { StoredStatus } from '#products/flight-info-alerts/v1/events/build-content.ts';
import type { Sql } from '#store/pool/database.ts';
import type { StatusService } from '#test/products/flight-info/v2/status-service.ts';

/** Flight number, local departure date and IATA code of the departure airport. */
export type FlightSelector = { readonly number: number; readonly on?: string; readonly from?: string };

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

const toStoredInstance = ({ doc, isMarketing, details, seats }: Row): StoredDesignatorInstance => ({
  doc,
  isMarketing,
  details: details ?? undefined,
  seats: seats ?? undefined,
});

/** Reads the rows of a flight on a day, single legs before the whole flight. */
const readRows = async (
  { db }: StatusService,
  { number, on = '2026-06-01', from = 'LHR' }: FlightSelector,
): Promise<readonly Row[]> =>
  db<Row[]>`
    select ${columns(db)} join location l on l.id = i.departure
    where i.flight_number = ${number} and l.iata = ${from} and ${onDay(db, on)}
    order by i.doc::jsonb -> 'segmentInfo' ->> 'numberOfStops'`;

/** Reads the schedule event content of a stored instance; undefined if there is none. */
export const readScheduleContent = async (
  world: StatusService,
  selector: FlightSelector,
): Promise<ScheduleContent | undefined> => {
  const [row] = await readRows(world, selector);
  return row && toScheduleContent(toStoredInstance(row));
};

/** Reads the status event contents of a stored flight under each of its designators, the operating one first. */
export const readStatusContents = async (
  world: StatusService,
  selector: FlightSelector,
  originalStatusKey?: string,
): Promise<readonly [StatusContent, ...StatusContent[]]> => {
  const { db } = world;
  const [row] = await readRows(world, selector);
  if (!row) throw new Error(`no flight ${selector.number}`);
  const on = selector.on ?? '2026-06-01';
  const instances = await db<Row[]>`
    select ${columns(db)} where i.status_order = ${row.statusOrder} and ${onDay(db, on)} order by i.is_marketing`;
  const [status] = await db<{ doc: string; seats: string | null }[]>`
    select doc, seats from flight_status where departs_on = ${on} and status_order = ${row.statusOrder}`;
  const storedStatus: StoredStatus = { doc: status?.doc ?? '', seats: status?.seats ?? undefined, originalStatusKey };
  const [first, ...others] = toStatusContents(parseFlight(instances.map(toStoredInstance)), storedStatus);
  if (!first) throw new Error(`no instance of ${selector.number}`);
  return [first, ...others];
};

/** Returns the changes of an event as `name: previous value`, or `+name` for an added property. */
export const changesOf = (event: StatusEvent | ScheduleEvent | undefined): readonly string[] =>
  (event?.changes ?? []).map(({ propertyName, previousValue }) =>
    previousValue === undefined ? `+${propertyName}` : `${propertyName}: ${JSON.stringify(previousValue)}`,
  );
