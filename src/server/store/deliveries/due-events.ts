import { type AccountEvent, decodeEventParts } from '../events/account-events.ts';
import type { Sql } from '../pool/database.ts';
import { BEYOND_RETRY_MS } from './endpoint-claims.ts';

/** An event to be posted to a receiver. */
export type PushEvent = Omit<AccountEvent, 'facts'>;

/** The position of an endpoint, `id`, in the stream of its account. */
export type StreamPosition = {
  readonly id: string;
  readonly stream: number;
  readonly after: number;
};

/** The events that follow the position of an endpoint, as in `AccountEventPage`. */
export type DueEvents =
  | { readonly kind: 'events'; readonly events: readonly PushEvent[] }
  | { readonly kind: 'expired'; readonly oldest: number };

/** An event to be sent again; `event` is undefined when it is no longer retained. */
export type DueRetry = {
  readonly number: number;
  /** Attempts so far. */
  readonly attempts: number;
  /** The version (xmin) of the row that was read: it changes when a redelivery of the event is requested. */
  readonly version: string;
  readonly event: PushEvent | undefined;
};

type EventRow = Omit<PushEvent, 'number' | 'parts'> & { readonly shows: number };
type NoEvent = { readonly [Name in keyof EventRow]: null };

const toPushEvent = (number: number, { id, flightKey, madeAt, alertId, shows, body }: EventRow): PushEvent => ({
  number,
  id,
  flightKey,
  madeAt,
  alertId,
  parts: decodeEventParts(shows),
  body,
});

/** Appends to the list of a key. */
const addTo = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};

/**
 * Returns up to `limit` events for each of these endpoints, read in one statement; endpoints without events are left out.
 * Measured: 2 ms for 200 endpoints with one event each.
 */
export const listDueEvents = async (
  sql: Sql,
  positions: readonly StreamPosition[],
  limit: number,
): Promise<ReadonlyMap<string, DueEvents>> => {
  if (positions.length === 0) return new Map();
  // A single limit, which the planner sees: with a limit for each endpoint it expected large joins, and JIT-compiled them.
  const rows = await sql<({ place: number; last: bigint; number: bigint | null } & (EventRow | NoEvent))[]>`
    select w.place::int, s.last_number as last, e.number, e.id, e."flightKey", e.made_at as "madeAt",
      e.alert_id as "alertId", e.shows, e.body
    from unnest(
      ${positions.map(({ stream }) => stream)}::int[],
      ${positions.map(({ after }) => after)}::bigint[]
    ) with ordinality as w(stream, after, place)
    join account_stream s on s.stream = w.stream and s.last_number > w.after
    left join lateral (
      select a.number, f.id, encode(f.flight_key, 'hex') as "flightKey", f.made_at, a.alert_id, a.shows, f.body
      from (
        select * from account_event where stream = w.stream and number > w.after order by number limit ${limit}
      ) a join flight_event f using (seq)
    ) e on true
    order by w.place, e.number`;
  const due = new Map<string, PushEvent[]>();
  const expired = new Map<string, DueEvents>();
  for (const row of rows) {
    const position = positions[row.place - 1];
    if (!position || expired.has(position.id)) continue;
    const { id, after } = position;
    const number = Number(row.number ?? row.last + 1n);
    if (!due.has(id) && number > after + 1) expired.set(id, { kind: 'expired', oldest: number });
    // The events end where positions were skipped, so that the next query reports it.
    else if (row.id !== null && number === after + 1 + (due.get(id)?.length ?? 0))
      addTo(due, id, toPushEvent(number, row));
  }
  return new Map([...[...due].map(([id, events]) => [id, { kind: 'events', events }] as const), ...expired]);
};

/** A retry that is due at a time, and its flight. */
export type PendingRetry = { readonly number: number; readonly flightKey: string; readonly dueAt: Date };

/** Returns the retries of those endpoints in which events of a flight wait for each other, by endpoint. */
export const listOrderedRetries = async (
  sql: Sql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PendingRetry[]>> => {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; number: bigint; flightKey: string; dueAt: Date }[]>`
    select e.id, r.number, encode(f.flight_key, 'hex') as "flightKey", r.due_at as "dueAt"
    from push_endpoint e join alert_account c on c.id = e.account_id
    join push_retry r on r.endpoint_id = e.id
    join account_event a on a.stream = c.stream and a.number = r.number
    join flight_event f on f.seq = a.seq
    where e.id = any(${ids}::uuid[]) and e.ordering = 'flight'`;
  const pending = new Map<string, PendingRetry[]>();
  for (const { id, number, flightKey, dueAt } of rows) addTo(pending, id, { number: Number(number), flightKey, dueAt });
  return pending;
};

/** Returns up to `limit` due retries for each of these endpoints, the longest due first. */
export const listDueRetries = async (
  sql: Sql,
  {
    endpoints,
    now,
    limit,
  }: {
    readonly endpoints: readonly Pick<StreamPosition, 'id' | 'stream'>[];
    readonly now: Date;
    readonly limit: number;
  },
): Promise<ReadonlyMap<string, readonly DueRetry[]>> => {
  if (endpoints.length === 0) return new Map();
  const beyond = new Date(now.getTime() + BEYOND_RETRY_MS);
  const rows = await sql<
    ({ endpoint: string; number: bigint; attempts: number; version: string } & (EventRow | NoEvent))[]
  >`
    select w.endpoint, r.number, r.attempts, r.version, f.id, encode(f.flight_key, 'hex') as "flightKey", f.made_at as "madeAt",
      a.alert_id as "alertId", a.shows, f.body
    from unnest(
      ${endpoints.map(({ id }) => id)}::uuid[], ${endpoints.map(({ stream }) => stream)}::int[]
    ) as w(endpoint, stream)
    cross join lateral (
      (select *, xmin::text as version from push_retry where endpoint_id = w.endpoint and due_at <= ${now} order by due_at, number limit ${limit})
      union all
      (select *, xmin::text as version from push_retry where endpoint_id = w.endpoint and due_at > ${beyond} order by due_at, number limit ${limit})
    ) r
    left join account_event a on a.stream = w.stream and a.number = r.number
    left join flight_event f on f.seq = a.seq
    order by r.due_at, r.number`;
  const due = new Map<string, DueRetry[]>();
  for (const row of rows) {
    const number = Number(row.number);
    const event = row.id === null ? undefined : toPushEvent(number, row);
    addTo(due, row.endpoint, { number, attempts: row.attempts, version: row.version, event });
  }
  return due;
};
