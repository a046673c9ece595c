import { hasValidKey } from '../access/alerts-subscriptions.ts';
import type { Sql } from '../pool/database.ts';
import { type AccountEvent, decodeEventParts } from '../events/account-events.ts';
import { decodeEventFacts } from '../events/event-outbox.ts';

/** A position in the order in which account events are published to the hub: by fan-out position, then by stream. */
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

/** The last published event of an account whose events are held back: its subscription has, or had, no valid key. */
export type HubHold = { readonly stream: number; readonly number: number };

/** The events that follow a hub position. */
export type HubEvents = {
  /** Without those of accounts that are held back. */
  readonly events: readonly HubEvent[];
  /** The accounts that were left out and are not recorded yet; see `insertHolds`. */
  readonly newHolds: readonly HubHold[];
  /** The position of the last event that was read, left out or not. */
  readonly last: HubPosition | undefined;
  /** Whether fewer events than the limit were read. */
  readonly isEnd: boolean;
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
  /** False for an account that was deleted. */
  readonly isKept: boolean;
  readonly isHeld: boolean;
  readonly isRecorded: boolean;
};

type HubEventRow = Omit<EventRow, 'distributed' | 'oldest' | 'number' | 'isKept' | 'isHeld' | 'isRecorded'> & {
  readonly number: bigint;
};

const toHubEvent = ({ position, stream, number, facts, shows, ...event }: HubEventRow): HubEvent => ({
  ...event,
  number: Number(number),
  facts: decodeEventFacts(facts),
  parts: decodeEventParts(shows),
  hubPosition: { position: Number(position), stream },
});

/** Reads up to `limit` events of all accounts after a hub position. */
export const listHubEvents = async (
  sql: Sql,
  { after, limit, now }: { readonly after: HubPosition | undefined; readonly limit: number; readonly now: Date },
): Promise<HubEvents> => {
  const { position, stream } = after ?? { position: 0, stream: 0 };
  // One statement, so that no event appears later below the reported end. The planner knows that `one` is a single row; from a table it
  // would expect thousands, and JIT-compile the query for each page.
  const rows = await sql<EventRow[]>`
    select (select last_fan_out_pos from event_distribution) as distributed,
      coalesce(
        (select min(pos) from fan_out_event where log_pos >= (select min(pos) from event_log)),
        (select last_fan_out_pos + 1 from event_distribution)) as oldest, e.*
    from (select) one left join lateral (
      select e.pos as position, e.stream, e.number, a.id as "accountId", f.id, encode(f.flight_key, 'hex') as "flightKey",
        f.made_at as "madeAt", f.facts, e.alert_id as "alertId", e.shows, f.body,
        a.id is not null and f.id is not null as "isKept",
        h.stream is not null as "isRecorded", h.stream is not null or not ${hasValidKey(sql, now)} as "isHeld"
      from (
        select * from account_event
        where (pos, stream) > (${position}, ${stream}) and pos <= (select last_fan_out_pos from event_distribution)
        order by pos, stream limit ${limit}
      ) e join flight_event f using (seq) join alert_account a using (stream) left join hub_hold h using (stream)
    ) e on true
    order by e.position, e.stream`;
  const [first] = rows;
  if (!first || first.distributed === null) throw new Error('the table event_distribution has lost its row');
  const found = rows.flatMap(({ number, ...row }) => (number === null ? [] : [{ ...row, number }]));
  const newHolds = new Map<number, HubHold>();
  for (const row of found)
    if (row.isKept && row.isHeld && !row.isRecorded && !newHolds.has(row.stream))
      newHolds.set(row.stream, { stream: row.stream, number: Number(row.number) - 1 });
  const lastRow = found.at(-1);
  return {
    distributed: Number(first.distributed),
    oldest: Number(first.oldest),
    events: found
      .filter(({ isKept, isHeld }) => isKept && !isHeld)
      .map(({ distributed: _, oldest: _oldest, isKept: _kept, isHeld: _held, isRecorded: _recorded, ...row }) =>
        toHubEvent(row),
      ),
    newHolds: [...newHolds.values()],
    last: lastRow && { position: Number(lastRow.position), stream: lastRow.stream },
    isEnd: found.length < limit,
  };
};

/** Records that accounts are held back; must be done before later events are published. */
export const insertHolds = async (sql: Sql, holds: readonly HubHold[]): Promise<void> => {
  if (holds.length === 0) return;
  await sql`
    insert into hub_hold (stream, number)
    select * from unnest(${holds.map(({ stream }) => stream)}::int[], ${holds.map(({ number }) => number)}::bigint[])
    on conflict (stream) do nothing`;
};

/** Ends all holds: a new stream of the hub receives all events again. */
export const deleteHolds = async (sql: Sql): Promise<void> => {
  await sql`delete from hub_hold`;
};

/** The events of an account that were held back, in order. */
export type HeldEvents = { readonly stream: number; readonly events: readonly HubEvent[]; readonly isEnd: boolean };

/** Reads up to `limit` held events of one account whose subscription has a valid key again, up to a hub position; undefined if there is none. */
export const findHeldEvents = async (
  sql: Sql,
  { upTo, limit, now }: { readonly upTo: HubPosition | undefined; readonly limit: number; readonly now: Date },
): Promise<HeldEvents | undefined> => {
  const [hold] = await sql<{ stream: number; number: bigint; accountId: string }[]>`
    select h.stream, h.number, a.id as "accountId" from hub_hold h join alert_account a using (stream)
    where ${hasValidKey(sql, now)} order by h.stream limit 1`;
  if (!hold) return undefined;
  const { stream, accountId } = hold;
  const rows = await sql<Omit<HubEventRow, 'accountId' | 'stream'>[]>`
    select e.pos as position, e.number, f.id, encode(f.flight_key, 'hex') as "flightKey", f.made_at as "madeAt", f.facts,
      e.alert_id as "alertId", e.shows, f.body
    from (
      select * from account_event
      where stream = ${stream} and number > ${hold.number.toString()}::bigint
        and (pos, stream) <= (${upTo?.position ?? 0}, ${upTo?.stream ?? 0})
      order by number limit ${limit}
    ) e join flight_event f using (seq)
    order by e.number`;
  return {
    stream,
    events: rows.map((row) => toHubEvent({ ...row, stream, accountId })),
    isEnd: rows.length < limit,
  };
};

/** Updates the number of the last published event of a held account; `isEnd` ends the hold. */
export const updateHold = async (
  sql: Sql,
  { stream, number, isEnd }: { readonly stream: number; readonly number: number | undefined; readonly isEnd: boolean },
): Promise<void> => {
  if (isEnd) await sql`delete from hub_hold where stream = ${stream}`;
  else if (number !== undefined) await sql`update hub_hold set number = ${number} where stream = ${stream}`;
};

/** Finds the hub position of an event of an account, and whether the account is held back; undefined when it is no longer retained. */
export const findHubPosition = async (
  sql: Sql,
  { accountId, eventId }: { readonly accountId: string; readonly eventId: string },
): Promise<(HubPosition & { readonly number: number; readonly isHeld: boolean }) | undefined> => {
  const [row] = await sql<{ position: bigint; stream: number; number: bigint; isHeld: boolean }[]>`
    select a.pos as position, a.stream, a.number, exists (select from hub_hold h where h.stream = a.stream) as "isHeld"
    from flight_event f
    join event_log l using (seq)
    join alert_account acc on acc.id = ${accountId}
    join fan_out_event p on p.log_pos = l.pos
    join account_event a on a.pos = p.pos and a.stream = acc.stream
    where f.id = ${eventId}`;
  return row && { ...row, position: Number(row.position), number: Number(row.number) };
};
