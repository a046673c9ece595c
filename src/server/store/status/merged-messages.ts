import { formatDate } from '#domain/time/dates.ts';
import { OPERATOR, type MessageIdentity } from '#domain/status/message.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusId } from './flight-statuses.ts';

/** Messages of a flight that one of them replaces, with its new observation. */
export type ReplacedMessages = StatusId & {
  readonly last: MessageIdentity & { readonly observation: string };
  readonly merged: readonly MessageIdentity[];
};

/** Replaces messages of a flight by one of them. Lock the status of the flight first. */
export const replaceMessages = async (
  sql: Sql,
  { departsOn, statusOrder, last, merged }: ReplacedMessages,
): Promise<void> => {
  const ofFlight = sql`departs_on = ${formatDate(departsOn)}::date and status_order = ${String(statusOrder)}::bigint`;
  await sql`
    update status_message set told = ${last.observation}
    where ${ofFlight} and id = ${last.id} and source = ${last.source} and sender = ${last.sender ?? OPERATOR}`;
  await sql`
    delete from status_message where ${ofFlight} and (id, source, sender) in (select * from unnest(
      ${merged.map(({ id }) => id)}::text[], ${merged.map(({ source }) => source)}::text[],
      ${merged.map(({ sender }) => sender ?? OPERATOR)}::int[]))`;
};
