/**
 * `node test/bench/distribution.ts`: measures the fan-out of events to accounts per second, by number of alerts and of
 * accounts per event; `push` measures the delay. Thread processor time is reported beside elapsed time,
 * because the database shares the machine.
 */
import { randomUUID } from 'node:crypto';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import type { Database } from '#store/pool/database.ts';
import { insertEvents } from '#store/events/event-outbox.ts';
import { lockVersions } from '#store/events/flight-versions.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { startEventFanOut } from '#jobs/events/fan-out-events.ts';
import { createActiveAlertIndex } from '#jobs/events/active-alert-index.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { statusEvent } from '../domain/alerts/sample-events.ts';
import { flightKey, longText, noon, sequence, sampleStatusEvent } from '../store/events/sample-events.ts';
import { figure, printFigure, type Figure } from './figures.ts';
import { readProcessUsage } from '../support/process-usage.ts';
import { insertAlerts } from './insert-alerts.ts';
import { prepareStage } from './prepared-stage.ts';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 20_000);
const ACCOUNTS = 1000;
const ALERTS = (process.env['BENCH_ALERTS'] ?? '10000,100000').split(',').map(Number);

const fail = (error: unknown): void => {
  throw error;
};

/** Returns the carrier and number of the nth flight. */
const flightOf = (flight: number): Pick<EventFacts, 'iataCarrierCode' | 'flightNumber'> => ({
  iataCarrierCode: (Math.floor(flight / 1000) + 360).toString(36).toUpperCase(),
  flightNumber: 1 + (flight % 1000),
});

/** Creates alerts on single flights; each flight has one alert for each account that should receive it. */
const keepAlerts = async (db: Database, alerts: number, fanOut: number): Promise<void> => {
  await db`truncate alert, account_event, account_stream`;
  const criteriaOf = (n: number) => ({ ...flightOf(Math.floor(n / fanOut)), changeIndicator: n % 2 === 0 });
  await insertAlerts(db, alerts, { criteriaOf, accountOf: (n) => n });
  await db`vacuum analyze alert`;
};

const writeEvents = (db: Database, from: number, flights: readonly number[]): Promise<void> =>
  db.begin(async (sql) => {
    const keys = flights.map((_, index) => flightKey(from + index));
    await lockVersions(sql, keys);
    const events = flights.map((flight, index) => ({
      ...sampleStatusEvent(from + index, 1, longText),
      facts: { ...statusEvent, ...flightOf(flight) },
    }));
    await insertEvents(sql, events);
  });

const lastPosition = async (db: Database): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`select last_pos as last from event_log_end`;
  return Number(row?.last);
};

/** Returns the processor time of the PostgreSQL processes, milliseconds; NaN when they run elsewhere. */
const databaseWork = async (db: Database): Promise<number> => {
  const rows = await db<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()`;
  try {
    return rows.reduce((sum, { pid }) => sum + readProcessUsage(pid).processorSeconds * 1000, 0);
  } catch {
    return NaN;
  }
};

const throughput = async (db: Database, alerts: number, fanOut: number): Promise<readonly Figure[]> => {
  await keepAlerts(db, alerts, fanOut);
  const chance = createRandom(alerts + fanOut);
  const first = await lastPosition(db);
  for (let done = 0; done < EVENTS; done += 5000)
    await writeEvents(
      db,
      first + done,
      chance.times(Math.min(5000, EVENTS - done), () => chance.integer(0, alerts / fanOut - 1)),
    );
  await sequence(db, { limit: EVENTS });
  await db`vacuum analyze event_log, flight_event`;
  const loading = performance.now();
  await createActiveAlertIndex(db).load();
  const loadMs = performance.now() - loading;
  const done = Promise.withResolvers<void>();
  let began: { readonly at: number; readonly cpu: NodeJS.CpuUsage } | undefined;
  let [events, given] = [0, 0];
  const databaseBefore = await databaseWork(db);
  const stop = await startEventFanOut(db, {
    onError: fail,
    standbyMs: 0,
    onProgress: (moved) => {
      // The first round waits for the alerts.
      if (!began) began = { at: performance.now(), cpu: process.cpuUsage() };
      else {
        events += moved.events;
        given += moved.added;
      }
      if (moved.last === first + EVENTS) done.resolve();
    },
  });
  await done.promise;
  if (!began) throw new Error('there was no move');
  const seconds = (performance.now() - began.at) / 1000;
  const { user, system } = process.cpuUsage(began.cpu);
  const databaseMs = (await databaseWork(db)) - databaseBefore;
  await stop();
  return [
    figure('events distributed', events / seconds, 'events/s'),
    figure('given to accounts', given / seconds, 'events/s'),
    figure('our work for 1000 events', (user + system) / events, 'ms'),
    figure("the database's work for 1000 events", databaseMs / (EVENTS / 1000), 'ms'),
    figure('alerts read in', loadMs, 'ms'),
  ];
};

const named = (conditions: string, figures: readonly Figure[]): readonly Figure[] =>
  figures.map((one) => ({ ...one, name: `${conditions}: ${one.name}` }));

const stage = await prepareStage(`flightdata_bench_${randomUUID().slice(0, 8)}`);
try {
  const { subscriptionId } = await createKey(stage.db, { name: 'bench', products: ['flight-info-alerts'] });
  await stage.db`
    insert into alert_account (subscription_id, profile, created_at)
    select ${subscriptionId}, '{}', ${noon} from generate_series(1, ${ACCOUNTS})`;
  for (const alerts of ALERTS)
    for (const fanOut of [1, 5, 20])
      printFigure(
        'distribution',
        named(`${alerts} alerts, ${fanOut} want an event`, await throughput(stage.db, alerts, fanOut)),
      );
} finally {
  await stage.strike();
}
