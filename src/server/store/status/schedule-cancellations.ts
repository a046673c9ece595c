import type { Designator } from '#domain/schedule/schedule.ts';
import { parseStatusMessage } from '#domain/status/observed-flight.ts';
import { OPERATOR, type StatusMessage } from '#domain/status/message.ts';
import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusId } from './flight-statuses.ts';
import { toFlightTable } from '../schedules/flight-table.ts';

/** A cancellation or reinstatement in force, as a message of the status of its leg. */
export type CancellationRow = {
  readonly flight: Designator;
  readonly originDate: LocalDate;
  readonly message: StatusMessage;
};

/** The flights whose cancellations are replaced: these, or all of some designators. */
export type CancellationScope =
  | { readonly flights: readonly Designator[] }
  | { readonly designators: readonly string[] };

const isWithin = (sql: Sql, scope: CancellationScope) =>
  'designators' in scope
    ? sql`designator = any(${[...scope.designators]}::text[])`
    : sql`(designator, flight_number, suffix) in (select designator, flight_number, suffix from ${toFlightTable(sql, scope.flights)})`;

/**
 * Replaces the cancellations in force of flights: new ones wait until their statuses have them, and those no longer in force until their statuses
 * are without them. Returns the origin dates of both.
 */
export const replaceCancellations = async (
  sql: Sql,
  scope: CancellationScope,
  rows: readonly CancellationRow[],
): Promise<readonly LocalDate[]> => {
  const changed = await sql<{ date: string }[]>`
    with wanted as (
      select * from unnest(
        ${rows.map(({ message }) => message.id)}::text[],
        ${rows.map(({ flight }) => flight.carrier)}::text[],
        ${rows.map(({ flight }) => flight.flightNumber)}::smallint[],
        ${rows.map(({ flight }) => flight.suffix)}::text[],
        ${rows.map(({ originDate }) => formatDate(originDate))}::date[],
        ${rows.map(({ message }) => JSON.stringify(message))}::text[]
      ) as wanted(id, designator, flight_number, suffix, origin_date, message)
    ), withdrawn as (
      update schedule_cancellation c set state = 'withdrawn'
      where ${isWithin(sql, scope)} and state <> 'withdrawn' and not exists (select from wanted where wanted.id = c.id)
      returning origin_date
    ), added as (
      insert into schedule_cancellation as c (id, designator, flight_number, suffix, origin_date, message, state)
      select distinct on (id) id, designator, flight_number, suffix, origin_date, message, 'pending' from wanted
      on conflict (id) do update set state = 'pending' where c.state = 'withdrawn'
      returning origin_date
    )
    select distinct origin_date as date from (select * from withdrawn union all select * from added) as changed order by date`;
  return changed.map(({ date }) => localDate(date));
};

export type OpenCancellation = {
  readonly id: string;
  readonly state: 'pending' | 'withdrawn';
  readonly message: StatusMessage;
};

/**
 * Returns up to `limit` cancellations that statuses do not have yet, or still have, by id after `after`. A flight on a day that is not expanded
 * yet has no status; its cancellation waits.
 */
export const listOpenCancellations = async (
  sql: Sql,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly OpenCancellation[]> => {
  const rows = await sql<{ id: string; state: 'pending' | 'withdrawn'; message: string }[]>`
    select id, state, message from schedule_cancellation
    where state <> 'stored' and id > ${after} and (state = 'withdrawn' or origin_date between
      (select min(day) - 2 from expanded_day) and (select max(day) + 2 from expanded_day))
    order by id limit ${limit}`;
  return rows.map(({ id, state, message }) => ({ id, state, message: parseStatusMessage(message) }));
};

/** Locks cancellations until the transaction ends, and returns the current state of each that still exists, by id. */
export const lockCancellations = async (
  sql: Sql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, 'pending' | 'stored' | 'withdrawn'>> => {
  const rows = await sql<{ id: string; state: 'pending' | 'stored' | 'withdrawn' }[]>`
    select id, state from schedule_cancellation where id = any(${[...ids]}::text[]) order by id for update`;
  return new Map(rows.map(({ id, state }) => [id, state]));
};

/** Marks cancellations that statuses have, and deletes those that statuses no longer have. */
export const closeCancellations = async (
  sql: Sql,
  { stored, removed }: { readonly stored: readonly string[]; readonly removed: readonly string[] },
): Promise<void> => {
  await sql`update schedule_cancellation set state = 'stored' where id = any(${[...stored]}::text[])`;
  await sql`delete from schedule_cancellation where id = any(${[...removed]}::text[])`;
};

/** Returns the flights whose statuses have these messages of cancellations. */
export const listCancelledFlights = async (sql: Sql, ids: readonly string[]): Promise<readonly StatusId[]> => {
  const rows = await sql<{ departsOn: string; statusOrder: bigint }[]>`
    select distinct departs_on as "departsOn", status_order as "statusOrder" from status_message
    where source = 'asm' and sender = ${OPERATOR} and id = any(${[...ids]}::text[])`;
  return rows.map(({ departsOn, statusOrder }) => ({ departsOn: localDate(departsOn), statusOrder }));
};

/** Deletes messages of cancellations from statuses. Lock the statuses first. */
export const deleteCancellationMessages = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql`delete from status_message where source = 'asm' and sender = ${OPERATOR} and id = any(${[...ids]}::text[])`;
};

/** A leg that is cancelled on a date. */
export type CancelledLeg = {
  readonly flight: Designator;
  /** The local date on which the flight leaves its first station. */
  readonly originDate: LocalDate;
  readonly departure: { readonly station: string };
  readonly arrival: { readonly station: string };
};

/** Returns the legs whose last change in force is a cancellation, whether statuses have it yet or not. */
export const listCancelledLegs = async (sql: Sql): Promise<readonly CancelledLeg[]> => {
  const rows = await sql<(Designator & { origin: string; board: string; off: string })[]>`
    with last_change as (
      select distinct on (designator, flight_number, suffix, origin_date, board, off)
        designator, flight_number, suffix, origin_date, leg."departureAirport" as board, leg."arrivalAirport" as off, cancelled
      from schedule_cancellation
        cross join json_to_record(message::json) as m("observedAt" bigint, flight json, facts json)
        cross join json_to_record(flight) as leg("departureAirport" text, "arrivalAirport" text)
        cross join json_to_record(facts) as fact(cancelled boolean)
      where state <> 'withdrawn' and cancelled is not null
      order by designator, flight_number, suffix, origin_date, board, off, "observedAt" desc
    )
    select designator as carrier, flight_number as "flightNumber", suffix, origin_date as origin, board, off
    from last_change where cancelled`;
  return rows.map(({ origin, board, off, ...flight }) => ({
    flight,
    originDate: localDate(origin),
    departure: { station: board },
    arrival: { station: off },
  }));
};
