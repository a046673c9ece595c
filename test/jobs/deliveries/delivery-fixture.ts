import { randomUUID } from 'node:crypto';
import { insertFanOutPositions } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createDeliverer, type Deliverer } from '#delivery/webhook/deliverer.ts';
import { createTargetGuard } from '#delivery/webhook/target-guard.ts';
import { createSecret } from '#delivery/webhook/signatures.ts';
import { ACCOUNT_EVENTS_CHANNEL } from '#store/events/account-events.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { startPlainReceiver } from '#test/delivery/webhook/receivers.ts';
import { deleteAllEvents, sequence, insertStatusEvents } from '#test/store/events/sample-events.ts';
import { loopbackAllowList } from '#test/support/offline-deliverer.ts';

export type Account = { readonly id: string; readonly stream: number };

export const insertAccount = async (sql: Sql): Promise<Account> => {
  const [row] = await sql<Account[]>`
    with owner as (insert into subscription (name) values (${randomUUID()}) returning id), key as (
      insert into subscription_key (subscription_id, hash, hint, products)
      select id, sha256(id::text::bytea), '', '{flight-info-alerts}' from owner
    )
    insert into alert_account (subscription_id, profile, created_at) select id, '{}', now() from owner returning id, stream`;
  if (!row) throw new Error('no account');
  return row;
};

/** Deletes all accounts, endpoints, deliveries and events, far faster than creating another database. */
export const clearDeliveries = async (sql: Sql): Promise<void> => {
  await sql`
    truncate subscription, subscription_key, alert_account, account_stream, account_event, push_endpoint, push_key, push_progress, push_retry,
      push_attempt, push_dead_letter cascade`;
  await deleteAllEvents(sql);
};

export type NewEndpoint = {
  readonly account: Account;
  readonly url: string;
  readonly key?: string;
  readonly ordering?: 'none' | 'flight';
};

export const insertEndpoint = async (
  sql: Sql,
  { account, url, key = createSecret(), ordering = 'none' }: NewEndpoint,
) => {
  const [row] = await sql<{ id: string }[]>`
    with made as (
      insert into push_endpoint (account_id, url, description, signing, ordering, active, created_at, updated_at)
      values (${account.id}, ${url}, '', 'v1', ${ordering}, true, now(), now()) returning id
    ), keyed as (
      insert into push_key (endpoint_id, key, made_at) select id, ${key}, now() from made
    ), begun as (
      insert into push_progress (endpoint_id, number) select id, 0 from made
    )
    select id from made`;
  if (!row) throw new Error('no endpoint');
  return row.id;
};

/** Inserts an event of each flight and adds all of them to the accounts. Returns the time just before the commit. */
export const addAccountEvents = async (
  db: Database,
  accounts: readonly Account[],
  { flights, text = '' }: { readonly flights: readonly number[]; readonly text?: string },
): Promise<number> => {
  await db.begin((sql) => insertStatusEvents(sql, flights, text));
  const before = await db<{ pos: bigint }[]>`select last_pos as pos from event_log_end`;
  for (;;) {
    const moved = await sequence(db, { limit: 20_000 });
    if (moved.kind === 'sequenced' && moved.events === 0) break;
  }
  const streams = accounts.map(({ stream }) => stream);
  return db.begin(async (sql) => {
    await sql`
      insert into account_event (stream, number, pos, seq, alert_id, shows)
      select s.stream, coalesce(e.last_number, 0) + row_number() over (partition by s.stream order by l.pos), l.pos, l.seq,
        '00000000-0000-4000-8000-00000000000a', 3
      from unnest(${streams}::int[]) as s(stream) left join account_stream e using (stream)
      cross join (select * from event_log where pos > ${before[0]?.pos ?? 0n}) l`;
    await insertFanOutPositions(sql);
    await sql`
      insert into account_stream (stream, last_number)
      select stream, max(number) from account_event where stream = any(${streams}::int[]) group by stream
      on conflict (stream) do update set last_number = excluded.last_number`;
    await sql`select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '')`;
    return performance.now();
  });
};

export type ReceivedRequest = {
  readonly path: string;
  readonly id: string;
  readonly flight: number;
  readonly version: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  /** `performance.now()` when it was read. */
  readonly at: number;
};

export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

/** Opens a receiver on loopback that records requests; each path is an endpoint. */
export const openWebhookReceiver = async (
  respond: (request: ReceivedRequest, response: ServerResponse) => void = (_request, response) => void response.end(),
) => {
  const requests: ReceivedRequest[] = [];
  const seen = new Set<string>();
  const waiting = new Set<() => void>();
  const receiver = await startPlainReceiver(({ url: path = '', headers }, response) => {
    const { body = '' } = receiver.received.at(-1) ?? {};
    const { flight, version }: { flight: number; version: number } = JSON.parse(body);
    const entry = { path, id: String(headers['webhook-id']), flight, version, body, headers, at: performance.now() };
    requests.push(entry);
    seen.add(`${path} ${entry.id}`);
    respond(entry, response);
    for (const check of waiting) check();
  });
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    received: requests,
    /** Counts the events, each once per path. */
    countDistinct: () => seen.size,
    waitUntil: async (isEnough: (received: readonly ReceivedRequest[]) => boolean): Promise<void> => {
      if (isEnough(requests)) return;
      const there = Promise.withResolvers<void>();
      const check = (): void => {
        if (isEnough(requests)) there.resolve();
      };
      waiting.add(check);
      await there.promise;
      waiting.delete(check);
    },
    close: receiver.close,
  };
};

export const createLoopbackDeliverer = (now?: () => Date): Deliverer =>
  createDeliverer({ guard: createTargetGuard({ allow: loopbackAllowList }), ...(now && { now }) });

/** Counts first attempts that arrived at a path after a later event of the same flight. */
export const countInversions = (requests: readonly ReceivedRequest[]): number => {
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  let inversions = 0;
  for (const { path, id, flight, version } of requests) {
    if (seen.has(`${path} ${id}`)) continue;
    seen.add(`${path} ${id}`);
    const key = `${path} ${flight}`;
    if (version < (newest.get(key) ?? 0)) inversions += 1;
    else newest.set(key, version);
  }
  return inversions;
};

/** Counts events that arrived at a path again, and those that arrived with another body. */
export const countRepeats = (requests: readonly ReceivedRequest[]) => {
  const bodies = new Map<string, string>();
  let [repeats, different] = [0, 0];
  for (const { path, id, body } of requests) {
    const before = bodies.get(`${path} ${id}`);
    if (before !== undefined) repeats += 1;
    if (before !== undefined && before !== body) different += 1;
    bodies.set(`${path} ${id}`, body);
  }
  return { repeats, different };
};
