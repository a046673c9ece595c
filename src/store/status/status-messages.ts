import { formatDate, localDate } from '../../domain/time/dates.ts';
import type { UtcMillisecond } from '../../domain/status/instants.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusPlace } from './flight-statuses.ts';
import { joinTexts } from '../pool/driver/driver.ts';

/** A message as it is kept with its flight; `told` is the domain's facts and landings as JSON. */
export type StoredMessage = StatusPlace & {
  readonly id: string;
  readonly source: string;
  readonly observedAt: UtcMillisecond;
  readonly told: string;
};

/**
 * Keeps messages with their flights. Answers which of them, by index, were new: one whose flight has a message of that id
 * already is not kept again. Lock the flights' statuses first.
 */
export const addMessages = async (sql: Sql, messages: readonly StoredMessage[]): Promise<ReadonlySet<number>> => {
  if (messages.length === 0) return new Set();
  const rows = await sql<{ index: number }[]>`
    with given as (
      select * from unnest(
        ${messages.map((_, index) => index)}::int[],
        ${messages.map(({ departsOn }) => formatDate(departsOn))}::date[],
        ${messages.map(({ statusOrder }) => String(statusOrder))}::bigint[],
        ${messages.map(({ id }) => id)}::text[],
        ${messages.map(({ source }) => source)}::text[],
        ${messages.map(({ observedAt }) => new Date(observedAt).toISOString())}::timestamptz[],
        string_to_array(${joinTexts(messages.map(({ told }) => told))}, E'\\x1f')
      ) as given(index, departs_on, status_order, id, source, observed_at, told)
    ), added as (
      insert into status_message (departs_on, status_order, id, source, observed_at, told)
      select departs_on, status_order, id, source, observed_at, told from given
      on conflict do nothing returning departs_on, status_order, id
    )
    select min(given.index) as index from added join given using (departs_on, status_order, id)
    group by departs_on, status_order, id`;
  return new Set(rows.map(({ index }) => index));
};

/** All messages of these flights, those of a flight in the order in which they count: by source time, then by id. */
export const messagesOf = async (sql: Sql, flights: readonly StatusPlace[]): Promise<readonly StoredMessage[]> => {
  if (flights.length === 0) return [];
  const rows = await sql<
    { departsOn: string; statusOrder: bigint; id: string; source: string; observedAt: Date; told: string }[]
  >`
    select m.departs_on as "departsOn", m.status_order as "statusOrder", m.id, m.source, m.observed_at as "observedAt", m.told
    from unnest(${flights.map(({ departsOn }) => formatDate(departsOn))}::date[], ${flights.map(({ statusOrder }) => String(statusOrder))}::bigint[])
      as wanted(departs_on, status_order)
    join status_message m using (departs_on, status_order)
    order by m.departs_on, m.status_order, m.observed_at, m.id collate "C"`;
  return rows.map((row) => ({
    ...row,
    departsOn: localDate(row.departsOn),
    observedAt: row.observedAt.getTime() as UtcMillisecond,
  }));
};

/** Which of these messages are kept with these flights: `departsOn|statusOrder|id` of each. */
export const keptAmong = async (
  sql: Sql,
  messages: readonly (StatusPlace & { readonly id: string })[],
): Promise<ReadonlySet<string>> => {
  if (messages.length === 0) return new Set();
  const rows = await sql<{ departsOn: string; statusOrder: bigint; id: string }[]>`
    select m.departs_on as "departsOn", m.status_order as "statusOrder", m.id
    from unnest(
      ${messages.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${messages.map(({ statusOrder }) => String(statusOrder))}::bigint[],
      ${messages.map(({ id }) => id)}::text[]
    ) as wanted(departs_on, status_order, id)
    join status_message m using (departs_on, status_order, id)`;
  return new Set(rows.map(({ departsOn, statusOrder, id }) => `${localDate(departsOn)}|${statusOrder}|${id}`));
};
