import type { Sql } from '../pool/database.ts';
import { readShows, type AccountEvent } from '../events/account-events.ts';
import { readFacts } from '../events/event-facts-text.ts';

/** An event of an account in the order in which all of them are published: by its position, then by the stream of its account. */
export type HubPlace = { readonly position: number; readonly stream: number };

/** What the hub is known to have. */
export type HubProgress = {
  /** Undefined while it has nothing. */
  readonly place: HubPlace | undefined;
  /** When the stream of the hub was made, as the hub says it; undefined before the first event. */
  readonly hubStream: string | undefined;
  /** The number that the last event has in the hub. */
  readonly hubSequence: number;
};

/** Who publishes: a UUID, and for how many milliseconds nobody else does. */
export type HubWorker = { readonly worker: string; readonly leaseMs: number };

type ProgressRow = {
  readonly pos: bigint | null;
  readonly stream: number | null;
  readonly hubStream: string | null;
  readonly hubSequence: bigint | null;
  readonly wasMine: boolean;
};

/**
 * Lets a worker publish for a time, by the clock of the database; undefined while another one does. `wasMine` says that nobody else
 * has published since this one did.
 */
export const claimHub = async (
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
    place: pos === null || stream === null ? undefined : { position: Number(pos), stream },
    hubStream: hubStream ?? undefined,
    hubSequence: Number(hubSequence ?? 0),
    wasMine,
  };
};

/** Lets others publish at once. */
export const leaveHub = async (sql: Sql, worker: string): Promise<void> => {
  await sql`update hub_progress set worker = null, claimed_until = null where worker = ${worker}`;
};

/** Records how far the hub is; false when another worker has taken over, who knows better. */
export const moveHub = async (
  sql: Sql,
  worker: string,
  { place, hubStream, hubSequence }: HubProgress,
): Promise<boolean> => {
  const moved = await sql`
    update hub_progress set pos = ${place?.position ?? null}, stream = ${place?.stream ?? null},
      hub_stream = ${hubStream ?? null}, hub_sequence = ${hubSequence}
    where worker = ${worker} returning 1`;
  return moved.length === 1;
};

/** An event to be published. */
export type HubEvent = AccountEvent & { readonly accountId: string; readonly place: HubPlace };

/** What is to be published after a place. */
export type HubEvents = {
  readonly events: readonly HubEvent[];
  /** Up to this position all events were given to accounts, so that with fewer events than were asked for there are no more. */
  readonly distributed: number;
  /** The first position that can still be read. */
  readonly oldest: number;
};

type EventRow = Omit<AccountEvent, 'number' | 'facts' | 'shows'> & {
  readonly distributed: bigint | null;
  readonly oldest: bigint;
  readonly number: bigint | null;
  readonly position: bigint;
  readonly stream: number;
  readonly accountId: string;
  readonly facts: string;
  readonly shows: number;
};

/** The events after a place, all accounts together, `limit` of them at most. */
export const readHubEvents = async (
  sql: Sql,
  { after, limit }: { readonly after: HubPlace | undefined; readonly limit: number },
): Promise<HubEvents> => {
  const { position, stream } = after ?? { position: 0, stream: 0 };
  // One statement, so that no event turns up later below the end that it tells. That `one` is one row the planner knows; of a table it
  // expects thousands, and compiles the query anew for each page.
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
    events: rows.flatMap(
      ({ distributed: _, oldest: _oldest, position: at, stream: of, number, facts, shows, ...event }) =>
        number === null
          ? []
          : [
              {
                ...event,
                number: Number(number),
                facts: readFacts(facts),
                shows: readShows(shows),
                place: { position: Number(at), stream: of },
              },
            ],
    ),
  };
};

/** Where an event of an account is among those that are published; undefined when it is no longer retained. */
export const placeInHub = async (
  sql: Sql,
  { accountId, eventId }: { readonly accountId: string; readonly eventId: string },
): Promise<HubPlace | undefined> => {
  const [row] = await sql<{ position: bigint; stream: number }[]>`
    select a.pos as position, a.stream from flight_event f
    join event_log l using (seq)
    join alert_account acc on acc.id = ${accountId}
    join account_event a on a.pos = l.pos and a.stream = acc.stream
    where f.id = ${eventId}`;
  return row && { position: Number(row.position), stream: row.stream };
};
