import { formatDate, localDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusId } from './flight-statuses.ts';
import { joinTexts } from '../pool/driver/driver.ts';

/** The latest StatusDetails of a flight, as JSON. */
export type StatusDocument = StatusId & { readonly doc: string };

/**
 * Locks the statuses of the flights of an aircraft and returns their documents, where they have one. Statuses locked by another transaction
 * are waited for, or skipped with `skipLocked`.
 */
export const lockStatusDocuments = async (
  sql: Sql,
  registration: string,
  { skipLocked }: { readonly skipLocked: boolean },
): Promise<readonly StatusDocument[]> => {
  const rows = await sql<{ departsOn: string; statusOrder: bigint; doc: string }[]>`
    select departs_on as "departsOn", status_order as "statusOrder", doc from flight_status
    where registration = ${registration} and doc <> ''
    order by departs_on, status_order for update ${skipLocked ? sql`skip locked` : sql``}`;
  return rows.map(({ departsOn, ...row }) => ({ ...row, departsOn: localDate(departsOn) }));
};

/** Updates documents of statuses that are locked. */
export const updateStatusDocuments = async (sql: Sql, documents: readonly StatusDocument[]): Promise<void> => {
  if (documents.length === 0) return;
  await sql`
    update flight_status s set doc = given.doc
    from unnest(
      ${documents.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${documents.map(({ statusOrder }) => String(statusOrder))}::bigint[],
      string_to_array(${joinTexts(documents.map(({ doc }) => doc))}, E'\\x1f')
    ) as given(departs_on, status_order, doc)
    where s.departs_on = given.departs_on and s.status_order = given.status_order`;
};

/** The body of an event, JSON. */
export type EventBody = { readonly seq: number; readonly body: string };

/** Finds the numbers of the oldest and the newest event, sequenced or not; undefined when there is none. */
export const findEventRange = async (
  sql: Sql,
): Promise<{ readonly first: number; readonly last: number } | undefined> => {
  const [row] = await sql<{ first: bigint | null; last: bigint | null }[]>`
    select min(seq) as first, max(seq) as last from flight_event`;
  if (!row || row.first === null || row.last === null) return undefined;
  return { first: Number(row.first), last: Number(row.last) };
};

/** Returns the events numbered above `after`, up to `to`, whose body contains this value; it must be letters and digits. */
export const listEventBodies = async (
  sql: Sql,
  value: string,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<readonly EventBody[]> => {
  const rows = await sql<{ seq: bigint; body: string }[]>`
    select seq, body from flight_event
    where seq > ${after} and seq <= ${to} and body like ${`%"${value}"%`} order by seq`;
  return rows.map(({ seq, body }) => ({ seq: Number(seq), body }));
};

/** Updates the bodies of events. */
export const updateEventBodies = async (sql: Sql, events: readonly EventBody[]): Promise<void> => {
  if (events.length === 0) return;
  await sql`
    update flight_event e set body = given.body
    from unnest(
      ${events.map(({ seq }) => seq)}::bigint[], string_to_array(${joinTexts(events.map(({ body }) => body))}, E'\\x1f')
    ) as given(seq, body)
    where e.seq = given.seq`;
};
