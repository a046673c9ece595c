import { addDays, formatDate, localDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { FlightTypeLetter } from '../flights/flight-instances.ts';
import type { StatusId } from './flight-statuses.ts';

/** An instance with everything that its events and responses contain beside the status. */
export type StatusInstanceRow = StatusId & {
  /** The key of its event versions, 32 bytes: its schedule key or, for an unscheduled flight, its status key. */
  readonly key: Buffer;
  /** Ids of locations. */
  readonly departure: number;
  readonly arrival: number;
  readonly flightType: FlightTypeLetter;
  readonly isMarketing: boolean;
  /** Its list row, JSON text. */
  readonly doc: string;
  /** Seats as filed, JSON text. */
  readonly seats: string | undefined;
  /** On a recovery flight: date and key of the flight it recovers, as in its URL, or a pending reference (`PENDING_ORIGINAL`). */
  readonly original: string | undefined;
};

type Row = Omit<StatusInstanceRow, 'departsOn' | 'seats' | 'original'> & {
  readonly departsOn: string;
  readonly seats: string | null;
  readonly original: string | null;
};

const listInstancesOfDay = async (
  sql: Sql,
  day: LocalDate,
  orders: readonly bigint[],
): Promise<readonly StatusInstanceRow[]> => {
  const rows = await sql<Row[]>`
    select i.departs_at::date as "departsOn", i.status_order as "statusOrder", i.key, i.departure, i.arrival,
      i.flight_type as "flightType", i.is_marketing as "isMarketing", i.doc, s.seats, i.original
    from flight_instance i left join segment s on s.id = i.segment_id
    where i.departs_at >= ${formatDate(day)}::date and i.departs_at < ${formatDate(addDays(day, 1))}::date
      and i.status_order = any(${orders.map(String)}::bigint[])
    order by i.status_order, i.is_marketing, i.departs_at, i.key_order`;
  return rows.map((row) => ({
    ...row,
    departsOn: localDate(row.departsOn),
    seats: row.seats ?? undefined,
    original: row.original ?? undefined,
  }));
};

/** Returns all instances with these statuses, grouped by status with the operating one first; one query for each day. */
export const listInstancesOfStatuses = async (
  sql: Sql,
  ids: readonly StatusId[],
): Promise<readonly StatusInstanceRow[]> => {
  const days = Map.groupBy(ids, ({ departsOn }) => departsOn);
  const instances = await Promise.all(
    [...days].map(([day, idsOfDay]) =>
      listInstancesOfDay(
        sql,
        day,
        idsOfDay.map(({ statusOrder }) => statusOrder),
      ),
    ),
  );
  return instances.flat();
};
