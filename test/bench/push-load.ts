/**
 * `node test/bench/push-load.ts`: sends status messages at a rate through `flightdata import status -`; their events pass
 * sequencer, fan-out and push worker to loopback receivers. Reports latency, losses, and whether the events of a flight arrive in
 * order. The variables MINUTES, RATE, ENDPOINTS and ALERTS change the sizes. FAILING is the share of requests that receivers reject, in
 * percent, and ORDERING the ordering of the endpoints.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecret } from '#delivery/webhook/signatures.ts';
import { localDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import type { Database } from '#store/pool/database.ts';
import { buildFile, buildLeg } from '../feeds/ssim/build-file.ts';
import { readProcessUsage } from '../support/process-usage.ts';
import { publishText, saveTinyMasterData } from '../support/tiny-world.ts';
import type { ReceivedPost } from './push-receivers.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf } from './figures.ts';
import { startStatusImport } from '../faults/support/status-feed.ts';
import { insertAlerts } from './insert-alerts.ts';
import { playLoad, prepareStage } from './prepared-stage.ts';

const MINUTES = Number(process.env['MINUTES'] ?? 1);
const RATE = Number(process.env['RATE'] ?? 1000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 200);
const ALERTS = Number(process.env['ALERTS'] ?? 10_000);
const FAILING = Number(process.env['FAILING'] ?? 0);
const ORDERING = process.env['ORDERING'] ?? 'none';
/** Flight numbers are unique and have up to four digits. */
const FLIGHTS = Math.min(ALERTS, 9999);
/** Warm-up: not counted. */
const WARM_SECONDS = 10;
const TICK_MS = 10;

/** Flights XX 1 and so on, all on one day. */
const loadFlights = async (db: Database): Promise<void> => {
  await saveTinyMasterData(db);
  const legs = Array.from({ length: FLIGHTS }, (_, index) =>
    buildLeg({ 6: String(index + 1).padStart(4, '0'), 15: '01JUN26', 22: '03JUN26' }),
  );
  await publishText(db, buildFile(...legs), { today: localDate('2026-06-02'), horizonDays: 3 });
};

/** Creates an account for each endpoint, and single-flight alerts in turn for each account. */
const keepAlerts = async (db: Database, ports: readonly number[]): Promise<void> => {
  const { subscriptionId } = await createKey(db, { name: 'bench', products: ['flight-info-alerts'] });
  await db`
    insert into alert_account (subscription_id, profile, created_at)
    select ${subscriptionId}, '{}', now() from generate_series(1, ${ports.length})`;
  const accounts = await db<{ id: string }[]>`select id from alert_account order by stream`;
  const endpoints = await db<{ id: string }[]>`
    insert into push_endpoint (account_id, url, description, signing, ordering, active, created_at, updated_at)
    select account, 'http://127.0.0.1:' || port || '/', '', 'v1', ${ORDERING}, true, now(), now()
    from unnest(${accounts.map(({ id }) => id)}::uuid[], ${ports.map(String)}::text[]) as given(account, port)
    returning id`;
  for (const { id } of endpoints)
    await db`insert into push_key (endpoint_id, key, made_at) values (${id}, ${createSecret()}, now())`;
  await db`insert into push_progress (endpoint_id, number) select id, 0 from push_endpoint`;
  const criteriaOf = (n: number) => ({ iataCarrierCode: 'XX', flightNumber: 1 + (n % FLIGHTS), changeIndicator: true });
  await insertAlerts(db, ALERTS, { criteriaOf, accountOf: (n) => n % FLIGHTS });
  await db`analyze`;
};

const route = { departureAirport: 'LHR', arrivalAirport: 'JFK' };

const lineOf = (flight: number, gate: number): string =>
  JSON.stringify({
    messageId: `bench-${flight}-${gate}`,
    observedAt: new Date(Date.UTC(2026, 5, 2) + gate * 1000).toISOString(),
    flight: { carrier: 'XX', flightNumber: flight, originDate: '2026-06-02', ...route },
    departure: { gate: `G${gate}` },
  });

/** Times at which each message was sent and acknowledged, by index. */
type Fed = { readonly handedIn: readonly number[]; readonly stored: readonly number[] };

const feed = async (url: string): Promise<Fed> => {
  const [handedIn, stored]: [number[], number[]] = [[], []];
  // Old flights emit no events.
  const { stdin, closed } = startStatusImport({ DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-02' }, ({ line }) => {
    const at = Date.now();
    while (stored.length < line) stored.push(at);
  });
  const total = Math.round((MINUTES * 60 + WARM_SECONDS) * RATE);
  const began = performance.now();
  while (handedIn.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * RATE));
    const lines: string[] = [];
    while (handedIn.length < due) {
      const place = handedIn.push(Date.now()) - 1;
      lines.push(`${lineOf(1 + (place % FLIGHTS), 1 + Math.floor(place / FLIGHTS))}\n`);
    }
    if (lines.length > 0 && !stdin.write(lines.join(''))) await once(stdin, 'drain');
    await delay(TICK_MS);
  }
  stdin.end();
  await closed;
  return { handedIn, stored };
};

const stage = await prepareStage('flightdata_bench_push');
const receivers = await playLoad('./push-receivers.ts', String(ENDPOINTS), String(FAILING));
await loadFlights(stage.db);
await keepAlerts(stage.db, receivers.firstMessage as readonly number[]);
// The events of the load precede the alerts, so only those of status messages count.
await stage.db`delete from event_outbox`;
const service = await playLoad('./push-service.ts', stage.url);
const readUsage = () => readProcessUsage(service.process.pid ?? 0);

const cameAt = new Map<number, number>();
const newest = new Map<number, number>();
let [repeats, inversions] = [0, 0];
receivers.process.on('message', ({ came }: { readonly came: ReceivedPost }) => {
  for (const [flight, gate, at] of came) {
    const place = (gate - 1) * FLIGHTS + flight - 1;
    if (cameAt.has(place)) {
      repeats += 1;
      continue;
    }
    cameAt.set(place, at);
    if (gate < (newest.get(flight) ?? 0)) inversions += 1;
    newest.set(flight, Math.max(gate, newest.get(flight) ?? 0));
  }
});

const before = readUsage();
const began = performance.now();
const { handedIn, stored } = await feed(stage.url);
const fedMs = performance.now() - began;
const givenNow = async (): Promise<number> => {
  const [row] = await stage.db<{ given: number; waiting: number }[]>`
    select (select count(*)::int from account_event) as given,
      (select count(*)::int from event_outbox) + (select last_pos from event_log_end)::int
        - (select last_pos from event_distribution)::int as waiting`;
  return row?.waiting === 0 ? row.given : Infinity;
};
const lastWait = performance.now();
while (cameAt.size < (await givenNow()) && performance.now() - lastWait < 120_000) await delay(200);
const drainMs = performance.now() - lastWait;
const given = await givenNow();
const after = readUsage();

const first = WARM_SECONDS * RATE;
const places = [...cameAt.keys()].filter((place) => place >= first);
const sinceStored = places.map((place) => Math.max(0, (cameAt.get(place) ?? NaN) - (stored[place] ?? NaN)));
const sinceHandedIn = places.map((place) => (cameAt.get(place) ?? NaN) - (handedIn[place] ?? NaN));
// Event times come from a clock that is offset by whole days.
const [steps] = await stage.db<{ sequenced: number[]; posted: number[] }[]>`
  select percentile_cont(array[0.5, 0.99]) within group (order by (epoch - 86400 * round(epoch / 86400)) * 1000) as sequenced,
    percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from a.made_at - l.sequenced_at) * 1000) as posted
  from push_attempt a join flight_event f on f.id = a.event_id join event_log l on l.seq = f.seq,
    extract(epoch from l.sequenced_at - f.made_at) as epoch
  where a.made_at > (select min(made_at) from push_attempt) + ${WARM_SECONDS} * interval '1 s'`;
const [sequenced, posted] = [steps?.sequenced ?? [], steps?.posted ?? []];
printFigure('push', [
  figure(
    `status messages, ${ALERTS} alerts, ${ENDPOINTS} endpoints${FAILING > 0 ? `, ${FAILING} % failing, ordering ${ORDERING}` : ''}`,
    (handedIn.length / fedMs) * 1000,
    'messages/s',
  ),
  figure('events posted', cameAt.size, 'events'),
  figure('events lost', given - cameAt.size, 'events', { atMost: 0 }),
  figure('events posted twice', repeats, 'events'),
  figure(
    'events out of order in a flight',
    inversions,
    'events',
    FAILING > 0 && ORDERING === 'none' ? undefined : { atMost: 0 },
  ),
  ...figuresOfTimes('from message stored to POST received', quantilesOf(sinceStored)),
  ...figuresOfTimes('from message handed in to POST received', quantilesOf(sinceHandedIn)),
  figure('from an event made to its place in the log, 99 % take at most', sequenced[1] ?? NaN, 'ms'),
  figure('from there to the beginning of its attempt, 99 % take at most', posted[1] ?? NaN, 'ms'),
  figure('after the last message was stored, until all was posted', drainMs / 1000, 's'),
  figure(
    'processor of the service, share of a core',
    ((after.processorSeconds - before.processorSeconds) * 1000) / fedMs,
    'cores',
  ),
  figure('memory of the service', after.megabytes, 'MB'),
]);
await service.stop();
await receivers.stop();
await stage.strike();
