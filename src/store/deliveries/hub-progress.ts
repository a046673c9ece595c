import type { Sql } from '../pool/database.ts';
import { type AccountEvent, decodeEventParts } from '../events/account-events.ts';
import { decodeEventFacts } from '../events/event-outbox.ts';

/** A position in the order in which account events are published to the hub: by position in the event log, then by stream. */
export type HubPosition = { readonly position: number; readonly stream: number };

/** How far events have been published to the hub. */
export type HubProgress = {
  /** The last event in the hub; undefined before the first. */
  readonly last: HubPosition | undefined;
  /** The creation time of the hub's stream, as the hub reports it; undefined before the first event. */
  readonly hubStream: string | undefined;
  /** The sequence number of the last event in the hub. */
  readonly hubSequence: number;
};

/** A publishing process: its UUID, and the duration of its lease in milliseconds. */
export type HubWorker = { readonly worker: string; readonly leaseMs: number };

type ProgressRow = {
  readonly pos: bigint | null;
  readonly stream: number | null;
  readonly hubStream: string | null;
  readonly hubSequence: bigint | null;
  readonly wasMine: boolean;
};

/**
 * Acquires or renews the lease to publish, by the clock of the database; undefined while another worker has it. `wasMine` is true when no
 * other worker has published since this one did.
 */
export const claimHubLease = async (
  sql: Sql,
  { worker, leaseMs }: HubWorker,
): Promise<(HubProgress & { readonly wasMine: boolean }) | undefined> => {
  const [row] = await sql<ProgressRow[]>`
    with before as (select worker from hub_progress for update)
    update hub_progress p set worker = ${worker}, claimed_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    from before
    where before.worker is null or before.worker = ${worker} or p.claimed_until < clock_timestamp()
    returning p.pos, p.stream, p.hub_stream as "hubStream", p.hub_sequence as "hubSequence",
      coalesce(before.worker = ${worker}, false) as "wasMine"`;
  if (!row) return undefined;
  const { pos, stream, hubStream, hubSequence, wasMine } = row;
  return {
    last: pos === null || stream === null ? undefined : { position: Number(pos), stream },
    hubStream: hubStream ?? undefined,
    hubSequence: Number(hubSequence ?? 0),
    wasMine,
  };
};

/** Releases the lease, so that others can publish at once. */
export const releaseHubLease = async (sql: Sql, worker: string): Promise<void> => {
  await sql`update hub_progress set worker = null, claimed_until = null where worker = ${worker}`;
};

/** Updates the progress; false when another worker has the lease. */
export const updateHubProgress = async (
  sql: Sql,
  worker: string,
  { last, hubStream, hubSequence }: HubProgress,
): Promise<boolean> => {
  const moved = await sql`
    update hub_progress set pos = ${last?.position ?? null}, stream = ${last?.stream ?? null},
      hub_stream = ${hubStream ?? null}, hub_sequence = ${hubSequence}
    where worker = ${worker} returning 1`;
  return moved.length === 1;
};

/** An event to publish. */
export type HubEvent = AccountEvent & { readonly accountId: string; readonly hubPosition: HubPosition };

/** The events that follow a hub position. */
export type HubEvents = {
  readonly events: readonly HubEvent[];
  /** All events up to this position have been fanned out: fewer events than the limit mean that there are no more. */
  readonly distributed: number;
  /** The first position that can still be read. */
  readonly oldest: number;
};

type EventRow = Omit<AccountEvent, 'number' | 'facts' | 'parts'> & {
  readonly distributed: bigint | null;
  readonly oldest: bigint;
  readonly number: bigint | null;
  readonly position: bigint;
  readonly stream: number;
  readonly accountId: string;
  readonly facts: string;
  readonly shows: number;
};

/** Returns up to `limit` events of all accounts after a hub position. */
export const listHubEvents = async (
  sql: Sql,
  { after, limit }: { readonly after: HubPosition | undefined; readonly limit: number },
): Promise<HubEvents> => {
  const { position, stream } = after ?? { position: 0, stream: 0 };
  // One statement, so that no event appears later below the reported end. The planner knows that `one` is a single row; from a table it
  // would expect thousands, and JIT-compile the query for each page.
  const rows = await sql<EventRow[]>`
    select (select last_pos from event_distribution) as distributed,
      coalesce((select min(pos) from event_log), (select last_pos + 1 from event_log_end)) as oldest, e.*
    from (select) one left join lateral (
      select a.pos as position, a.stream, a.number, acc.id as "accountId", f.id, encode(f.flight_key, 'hex') as "flightKey",
        f.made_at as "madeAt", f.facts, a.alert_id as "alertId", a.shows, f.body
      from (
        select * from account_event
        where (pos, stream) > (${position}, ${stream}) and pos <= (select last_pos from event_distribution)
        order by pos, stream limit ${limit}
      ) a join flight_event f using (seq) join alert_account acc using (stream)
    ) e on true
    order by e.position, e.stream`;
  const [first] = rows;
  if (!first || first.distributed === null) throw new Error('the table event_distribution has lost its row');
  return {
    distributed: Number(first.distributed),
    oldest: Number(first.oldest),
    events: rows.flatMap(({ distributed: _, oldest: _oldest, position, stream, number, facts, shows, ...event }) =>
      number === null
        ? []
        : [
            {
              ...event,
              number: Number(number),
              facts: decodeEventFacts(facts),
              parts: decodeEventParts(shows),
              hubPosition: { position: Number(position), stream },
            },
          ],
    ),
  };
};

/** Finds the hub position of an event of an account; undefined when it is no longer retained. */
export const findHubPosition = async (
  sql: Sql,
  { accountId, eventId }: { readonly accountId: string; readonly eventId: string },
): Promise<HubPosition | undefined> => {
  const [row] = await sql<{ position: bigint; stream: number }[]>`
    select a.pos as position, a.stream from flight_event f
    join event_log l using (seq)
    join alert_account acc on acc.id = ${accountId}
    join account_event a on a.pos = l.pos and a.stream = acc.stream
    where f.id = ${eventId}`;
  return row && { position: Number(row.position), stream: row.stream };
};
