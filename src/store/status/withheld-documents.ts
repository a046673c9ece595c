import { formatDate, localDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusPlace } from './flight-statuses.ts';
import { joinTexts } from '../pool/driver/driver.ts';

/** The latest StatusDetails of a flight, JSON text, with its place. */
export type KeptDocument = StatusPlace & { readonly doc: string };

/**
 * Locks the statuses of the flights of an aircraft and answers their documents, those without one left out. Flights whose status
 * another transaction holds are waited for, or left out when `isPatient` is false.
 */
export const lockDocuments = async (
  sql: Sql,
  registration: string,
  { isPatient }: { readonly isPatient: boolean },
): Promise<readonly KeptDocument[]> => {
  const rows = await sql<{ departsOn: string; statusOrder: bigint; doc: string }[]>`
    select departs_on as "departsOn", status_order as "statusOrder", doc from flight_status
    where registration = ${registration} and doc <> ''
    order by departs_on, status_order for update ${isPatient ? sql`` : sql`skip locked`}`;
  return rows.map(({ departsOn, ...row }) => ({ ...row, departsOn: localDate(departsOn) }));
};

/** Writes documents of statuses that are locked. */
export const saveDocuments = async (sql: Sql, documents: readonly KeptDocument[]): Promise<void> => {
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

/** An event as it is kept; `body` is JSON text. */
export type KeptBody = { readonly seq: number; readonly body: string };

/** The numbers of the oldest and the newest event that are kept, sequenced or not; undefined when there is none. */
export const eventsKept = async (sql: Sql): Promise<{ readonly first: number; readonly last: number } | undefined> => {
  const [row] = await sql<{ first: bigint | null; last: bigint | null }[]>`
    select min(seq) as first, max(seq) as last from flight_event`;
  if (!row || row.first === null || row.last === null) return undefined;
  return { first: Number(row.first), last: Number(row.last) };
};

/** The events among those numbered above `after`, up to `to`, whose body has this value; it must be letters and digits. */
export const bodiesWith = async (
  sql: Sql,
  value: string,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<readonly KeptBody[]> => {
  const rows = await sql<{ seq: bigint; body: string }[]>`
    select seq, body from flight_event
    where seq > ${after} and seq <= ${to} and body like ${`%"${value}"%`} order by seq`;
  return rows.map(({ seq, body }) => ({ seq: Number(seq), body }));
};

/** Writes bodies of events anew. */
export const saveBodies = async (sql: Sql, events: readonly KeptBody[]): Promise<void> => {
  if (events.length === 0) return;
  await sql`
    update flight_event e set body = given.body
    from unnest(
      ${events.map(({ seq }) => seq)}::bigint[], string_to_array(${joinTexts(events.map(({ body }) => body))}, E'\\x1f')
    ) as given(seq, body)
    where e.seq = given.seq`;
};
