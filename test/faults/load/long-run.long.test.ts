import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { toUtcDate } from '#domain/time/dates.ts';
import type { EventPage } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { buildExamples } from '#demo/world/example-queries.ts';
import { plainSecretBox } from '#lib/secret-box.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { startStatusTrickle } from '#test/bench/status-trickle.ts';
import { insertEndpoint, openWebhookReceiver, type Account } from '#test/jobs/deliveries/delivery-fixture.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { buildFlightInfoQueries } from '#test/support/demo-queries.ts';
import { readHubMessages } from '#test/support/hub/hub-messages.ts';
import { hasNatsServer, startBroker } from '#test/support/hub/nats-server.ts';
import { readProcessUsage } from '#test/support/process-usage.ts';
import { computeQuantile } from '#test/support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { isUnavailable, sendRequest, type LoadResult } from '../support/steady-load.ts';

/** 90 in the full length, in six periods of a quarter of an hour; else three periods of 20 seconds. */
const MINUTES = Number(process.env['LONG_RUN_MINUTES'] ?? 1);
const PERIODS = MINUTES >= 30 ? 6 : 3;
const PERIOD_MS = (MINUTES * 60_000) / PERIODS;
const REQUESTS_PER_SECOND = 100;
const MESSAGES_PER_SECOND = 20;
const TICK_MS = 10;
/** The client gives up idle connections this long before the server: on a busy machine it can notice seconds later that one was closed. */
const IDLE_RESERVE_MS = 30_000;
/** In a short run caches fill and connections open, so memory and files are only reported. */
const isAsserted = MINUTES >= 30;
/** Growth of memory from the second period to the last. */
const MAX_GROWTH_FACTOR = 1.3;
const MAX_EXTRA_FILES = 20;

const { sql, url } = await sharedDatabase();
const receiver = await openWebhookReceiver();
const broker = hasNatsServer ? await startBroker(await getOrCreateSecret(sql, plainSecretBox, 'hub')) : undefined;
const servers: ServerProcess[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await receiver.close();
  await broker?.drop();
});

/** Whether a request was rejected as documented because of the limits of its key: on a busy machine slow responses add up. */
const isLimited = ({ status, headers }: LoadResult): boolean =>
  status === 429 && headers['content-type'] === 'application/problem+json' && Number(headers['retry-after']) > 0;

const startServer = async (): Promise<ServerProcess> => {
  const server = await startServerProcess(['--demo'], {
    DATABASE_URL: url,
    HORIZON_DAYS: '10',
    WEBHOOK_ALLOW: 'http://127.0.0.1:*',
    ...(broker && { NATS_URL: broker.url }),
  });
  servers.push(server);
  return server;
};

/** Sends requests at a fixed rate, in turn to the servers that `targets` lists at that moment, as a load balancer does. */
const startLoad = (
  targets: () => readonly ServerProcess[],
  { paths, headers }: { readonly paths: readonly string[]; readonly headers: Readonly<Record<string, string>> },
) => {
  const agent = new Agent({ keepAlive: true, agentKeepAliveTimeoutBuffer: IDLE_RESERVE_MS });
  const pending = new Map<Promise<void>, string>();
  let results: (Pick<LoadResult, 'path' | 'status' | 'ms' | 'isReused'> & {
    readonly base: string;
    /** When it ended, seconds from the start of the load. */
    readonly at: number;
    /** The error of a request without a response. */
    readonly error: string;
    readonly isDeclared: boolean;
  })[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const sendOne = async (base: string, path: string): Promise<void> => {
    const result = await sendRequest({ base, path, headers, agent, keepsBody: false });
    results.push({
      path,
      base,
      status: result.status,
      error: result.body,
      ms: result.ms,
      isReused: result.isReused,
      at: Math.round((result.at - startedAt) / 1000),
      isDeclared: result.status === 200 || isUnavailable(result) || isLimited(result),
    });
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * REQUESTS_PER_SECOND);
    for (; sent < due; sent += 1) {
      const live = targets();
      const base = live[sent % live.length]?.base ?? '';
      const sending = sendOne(base, paths[sent % paths.length] ?? '/');
      pending.set(sending, base);
      void sending.finally(() => pending.delete(sending));
    }
  }, TICK_MS);
  return {
    /** Returns the results since the last call. */
    take: () => {
      const taken = results;
      results = [];
      return taken;
    },
    /** Resolves when the requests to a server that is no longer a target have ended. */
    drain: (server: ServerProcess): Promise<unknown> =>
      Promise.all([...pending].flatMap(([sending, base]) => (base === server.base ? [sending] : []))),
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await Promise.all(pending.keys());
      agent.destroy();
    },
  };
};

/** Reads the events of an account page by page, from any server; each must continue where the page before ended. */
const startPull = (targets: () => readonly ServerProcess[], headers: Readonly<Record<string, string>>) => {
  let [isOver, position, gaps] = [false, 0, 0];
  const readPage = async (): Promise<void> => {
    const [server] = targets();
    const path = `/flight-info-alerts/events?version=v1&After=${position}&Limit=500`;
    const { status, body } = await sendRequest({ base: server?.base ?? '', path, headers });
    if (status !== 200) return;
    const page: EventPage = JSON.parse(body);
    for (const event of page.data) {
      if (event.position !== position + 1) gaps += 1;
      position = event.position;
    }
  };
  const reading = (async () => {
    while (!isOver) {
      await readPage();
      await delay(200);
    }
  })();
  return {
    position: () => position,
    gaps: () => gaps,
    stop: async (): Promise<void> => {
      isOver = true;
      await reading;
    },
  };
};

const readLeader = async (): Promise<string> => {
  const [row] = await sql<{ leader: string | null }[]>`select moved_by::text as leader from event_log_end`;
  return row?.leader ?? '';
};

/** Returns the size of the database and of its five largest tables with their indexes, MB. Partitions count as their table. */
const readSizes = async (): Promise<string> => {
  const tables = await sql<{ name: string; megabytes: number }[]>`
    select coalesce(parent.relname, c.relname)::text as name, round(sum(pg_total_relation_size(c.oid)) / 1e6)::int as megabytes
    from pg_class c left join pg_inherits h on h.inhrelid = c.oid left join pg_class parent on parent.oid = h.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    group by 1 order by 2 desc limit 5`;
  const [size] = await sql<{ megabytes: number }[]>`
    select round(pg_database_size(current_database()) / 1e6)::int as megabytes`;
  return [`all ${size?.megabytes}`, ...tables.map(({ name, megabytes }) => `${name} ${megabytes}`)].join(', ');
};

const listPaths = (today: ReturnType<typeof toUtcDate>): readonly string[] => [
  ...buildFlightInfoQueries(today).map(({ query }) => `/flight-instances?${query}`),
  `/flights?${buildExamples(today).schedules.query}`,
  `/flight-connections?${buildExamples(today).connections.query}`,
  `/locations?${buildExamples(today).locations.query}`,
  '/flight-info-alerts/events?version=v1&After=0&Limit=50',
  '/flights/health',
];

type Period = {
  readonly requests: number;
  readonly interrupted: number;
  readonly undeclared: number;
  readonly unavailable: number;
  readonly limited: number;
  readonly p99Ms: number;
  readonly megabytes: number;
  readonly files: number;
  readonly leaderChanged: boolean;
};

test(
  '60: loses no event and sends no undeclared response while the leader is killed and servers are restarted, period by period',
  { timeout: MINUTES * 60_000 + 600_000 },
  async () => {
    const first = await startServer();
    /** The name of each server as leader, where it is known: of two servers, that of one always is. */
    const names = new Map<ServerProcess, string>();
    await expect.poll(readLeader, { timeout: 60_000 }).not.toBe('');
    names.set(first, await readLeader());
    let live: readonly ServerProcess[] = [first, await startServer()];
    const targets = (): readonly ServerProcess[] => live;
    const accountId = /'accountId: (\S+)'/.exec(first.output())?.[1] ?? '';
    const headers = { 'Subscription-Key': DEMO_KEY, accountId };
    const [account] = await sql<Account[]>`select id, stream from alert_account where id = ${accountId}`;
    if (!account) throw new Error('no account');
    await insertEndpoint(sql, { account, url: `${receiver.url}/0` });
    const today = toUtcDate(new Date());
    const feed = await startStatusTrickle({ db: sql, url, today }, MESSAGES_PER_SECOND);
    const pull = startPull(targets, headers);
    const load = startLoad(targets, { paths: listPaths(today), headers });
    const killed = new Set<string>();
    const before = await readSizes();

    /** Learns the name of the server that remains, which leads when the other has ended. */
    const learnName = async (ended: ServerProcess, rest: ServerProcess): Promise<void> => {
      if (names.has(rest)) return;
      await expect.poll(readLeader, { timeout: 60_000 }).not.toBe(names.get(ended));
      names.set(rest, await readLeader());
    };
    const killLeader = async (): Promise<boolean> => {
      const previous = await readLeader();
      const [one, two] = live;
      const known = one && names.has(one) ? one : two;
      const leader = names.get(known ?? first) === previous ? known : live.find((server) => server !== known);
      const rest = live.find((server) => server !== leader);
      if (!leader || !rest) throw new Error('there are two servers');
      killed.add(leader.base);
      await leader.kill();
      live = [rest];
      await expect.poll(readLeader, { timeout: 60_000 }).not.toBe(previous);
      names.set(rest, await readLeader());
      live = [rest, await startServer()];
      return true;
    };
    const restart = async (server: ServerProcess): Promise<void> => {
      const rest = live.find((one) => one !== server);
      if (!rest) throw new Error('there are two servers');
      live = [rest];
      // A load balancer takes a server out before it stops it.
      await load.drain(server);
      const { code } = await server.stop();
      expect(code).toBe(0);
      await learnName(server, rest);
      live = [rest, await startServer()];
    };

    const periods: Period[] = [];
    const allUndeclared: object[] = [];
    for (let index = 0; index < PERIODS; index += 1) {
      const endsAt = performance.now() + PERIOD_MS;
      await delay(PERIOD_MS / 6);
      const leaderChanged = await killLeader();
      await delay(PERIOD_MS / 6);
      for (const server of live) await restart(server);
      await delay(Math.max(0, endsAt - performance.now()));
      const results = load.take();
      const interrupted = results.filter(({ status, base }) => status === 0 && killed.has(base));
      const undeclared = results.filter((one) => !one.isDeclared && !interrupted.includes(one));
      const usages = live.map(({ pid }) => readProcessUsage(pid));
      const period = {
        requests: results.length,
        interrupted: interrupted.length,
        undeclared: undeclared.length,
        unavailable: results.filter(({ status }) => status === 503).length,
        limited: results.filter(({ status }) => status === 429).length,
        p99Ms: Math.round(
          computeQuantile(
            results.map(({ ms }) => ms),
            0.99,
          ),
        ),
        megabytes: Math.round(usages.reduce((sum, { megabytes }) => sum + megabytes, 0)),
        files: usages.reduce((sum, { files }) => sum + files, 0),
        leaderChanged,
      };
      periods.push(period);
      console.log(`period ${index + 1}: ${JSON.stringify(period)}; MB: ${await readSizes()}`);
      allUndeclared.push(...undeclared.map((one) => ({ period: index + 1, ...one })));
    }

    await load.stop();
    const messagesPerSecond = Math.round(await feed.stop());
    const countEvents = async (): Promise<number> => {
      const [row] = await sql<{ events: number; waiting: number }[]>`
        select (select last_number::int from account_stream where stream = ${account.stream}) as events,
          ((select count(*) from event_outbox) + (select last_pos from event_log_end) - (select last_pos from event_distribution))::int as waiting`;
      return row?.waiting === 0 ? row.events : -1;
    };
    // All three have what the account has; the demo world adds events at any time.
    const differences = async (): Promise<readonly number[]> => {
      const events = await countEvents();
      return [pull.position() - events, receiver.countDistinct() - events];
    };
    await expect.poll(differences, { timeout: 120_000, interval: 100 }).toEqual([0, 0]);
    const events = pull.position();
    const inHub = async (): Promise<number> => {
      if (!broker) return 0;
      const stored = await sql<{ count: number }[]>`select count(*)::int as count from account_event`;
      const published = new Set((await readHubMessages(broker)).map(({ id }) => id));
      return published.size - (stored[0]?.count ?? 0);
    };
    await expect.poll(inHub, { timeout: 120_000, interval: 500 }).toBe(0);
    await pull.stop();

    const sum = (of: 'requests' | 'interrupted' | 'undeclared' | 'unavailable' | 'limited'): number =>
      periods.reduce((total, period) => total + period[of], 0);
    const byPeriod = (of: 'p99Ms' | 'megabytes' | 'files'): string => periods.map((period) => period[of]).join(', ');
    reportFault(60, {
      minutes: MINUTES,
      requests: sum('requests'),
      undeclared: sum('undeclared'),
      unavailable: sum('unavailable'),
      limited: sum('limited'),
      interrupted: sum('interrupted'),
      'leader kills': periods.filter(({ leaderChanged }) => leaderChanged).length,
      restarts: 2 * PERIODS,
      messagesPerSecond,
      events,
      lost: 0,
      gaps: pull.gaps(),
      p99Ms: byPeriod('p99Ms'),
      megabytes: byPeriod('megabytes'),
      files: byPeriod('files'),
      'tables before, MB': before,
      'tables after, MB': await readSizes(),
    });
    expect(allUndeclared).toEqual([]);
    expect([pull.gaps(), events > 0, messagesPerSecond > 0]).toEqual([0, true, true]);
    const [settled, last] = [periods[1], periods.at(-1)];
    expect(last?.megabytes).toBeLessThan(isAsserted ? MAX_GROWTH_FACTOR * (settled?.megabytes ?? 0) : Infinity);
    expect(last?.files).toBeLessThan(isAsserted ? (settled?.files ?? 0) + MAX_EXTRA_FILES : Infinity);
  },
);
