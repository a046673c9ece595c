import { InvalidArgumentError, type Command } from 'commander';
import { catalog } from '../../generated/catalog.ts';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { dateOfInstant, type LocalDate } from '../domain/dates.ts';
import { createAccessLog, type AccessLog } from '../http/access-log.ts';
import { openServer } from '../http/serve.ts';
import { expandedDays } from '../store/instance-days.ts';
import { areRecordsMissing } from '../store/schedule-records.ts';
import { secretNamed } from '../store/secrets.ts';
import { buildConnectionsWhenDue } from '../work/build-connections.ts';
import { buildOnTime, buildOnTimeDaily } from '../work/build-on-time.ts';
import { watchConnections } from '../work/connections-watch.ts';
import { keepDemoAccount } from '../work/demo-account.ts';
import { keepDemoAlive } from '../work/demo-life/keep-alive.ts';
import { refreshRecords } from '../work/fill-records.ts';
import { keepConnections } from '../work/keep-connections.ts';
import { keepEvents } from '../work/keep-events.ts';
import { readServedMasterData } from '../work/master-data.ts';
import { watchMasterData } from '../work/master-data-watch.ts';
import { predictSeatsDaily } from '../work/predict-seats.ts';
import { rollHorizon } from '../work/roll-horizon.ts';
import { DEMO_KEY, seedDemo } from '../work/seed-demo.ts';
import { openStatusDoor } from '../work/status/status-door.ts';
import { watchAccountEvents } from '../work/watch-account-events.ts';
import { readChanges } from './changes.ts';
import { startClock, warnOfRehearsal } from './clock.ts';
import { countBuffersAsHeap } from './count-buffers-as-heap.ts';
import { dateArgument } from './import.ts';
import { openHubOf } from './open-hub.ts';
import { openStore, type Store } from './open-store.ts';
import { openWebhooks } from './open-webhooks.ts';
import { readDocuments, readPortal } from './read-published.ts';
import { reportSeldom } from './report-seldom.ts';
import { tellWhatIsServed } from './tell-what-is-served.ts';

const HOUR_MS = 3_600_000;

type Options = {
  readonly demo?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly today?: LocalDate;
};

/** Reads a port; 0 takes a free one. */
export const portArgument = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError(`'${text}' is not a port`);
  return port;
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

type Rolling = {
  readonly horizonDays: number;
  readonly log: AccessLog;
  readonly isDemo: boolean;
  readonly clock: () => Date;
};

/** Keeps the days of the horizon laid out, now and every hour; answers how to stop. */
const keepRolling = ({ db }: Store, { horizonDays, log, isDemo, clock }: Rolling): (() => Promise<void>) => {
  let rolling: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const roll = async (): Promise<void> => {
    try {
      const today = dateOfInstant(clock());
      if (isDemo) await seedDemo(db, { today, horizonDays, products: catalog.map(({ product }) => product) });
      await rollHorizon(db, { today, horizonDays });
      await predictSeatsDaily(db, today);
      await buildOnTimeDaily(db, { today, signal: stopping.signal });
    } catch (error) {
      if (error !== stopping.signal.reason) log.failure(error, clock(), 'horizon');
    }
  };
  const timer = setInterval(() => {
    rolling = rolling.then(roll);
  }, HOUR_MS);
  rolling = roll();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await rolling;
  };
};

/** The address of a server on this machine. */
export const addressOf = (hostname: string, port: number): string =>
  `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;

/** Resolves once the process is asked to end. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

const serve = async (config: Config, options: Options): Promise<void> => {
  countBuffersAsHeap();
  const setOn = options.today ?? config.today;
  if (options.today !== undefined) warnOfRehearsal(options.today);
  const clock = startClock(setOn);
  const webhooks = await openWebhooks(config, clock);
  const store = await openStore(config, 'serve');
  try {
    await store.claimServerRole();
    const { horizonDays, publicUrl } = config;
    const products = catalog.map(({ product }) => product);
    const today = dateOfInstant(clock());
    const isDemo = options.demo === true && (await seedDemo(store.db, { today, horizonDays, products }));
    const demoAccount = isDemo ? await keepDemoAccount(store.db, { key: DEMO_KEY, now: clock() }) : undefined;
    if (await areRecordsMissing(store.db)) {
      // Whoever asked in the meantime would be told that there are no schedules.
      say('writing the schedule records of the schedules in force');
      await refreshRecords(store.db);
    }
    const log = createAccessLog();
    const watch = await watchMasterData(store.db, {
      read: (db) => readServedMasterData(db, clock),
      onError: (error) => log.failure(error, clock(), 'master-data'),
    });
    // Of the demo world they are there in no time; whoever tries its examples finds them.
    if (isDemo) await buildConnectionsWhenDue(store.db, { builtAt: clock() });
    const onConnectionsError = (error: unknown): void => log.failure(error, clock(), 'connections');
    const connections = await watchConnections(store.db, { clock, onError: onConnectionsError });
    const onEventsError = reportSeldom((error) => log.failure(error, clock(), 'account events'), clock);
    const accountEvents = watchAccountEvents(store.db, { onError: onEventsError });
    const hub = await openHubOf(config, store.db);
    const hostname = options.host ?? config.host;
    const wantedPort = options.port ?? config.port;
    const app = createApp({
      sql: store.db,
      accountEvents,
      masterData: watch.current,
      connections: connections.current,
      connectionsById: connections.find,
      cursorSecret: await secretNamed(store.db, 'cursor'),
      mapSecret: await secretNamed(store.db, 'map'),
      clock,
      changes: readChanges(),
      published: [...readDocuments(), ...readPortal(publicUrl ?? addressOf(hostname, wantedPort))],
      log,
      publicUrl,
      guard: webhooks.guard,
      deliverer: webhooks.deliverer,
      hub: hub?.giveAccess,
    });
    const server = openServer({ fetch: app, port: wantedPort, hostname });
    const { port } = await server.listening;
    const base = addressOf(hostname, port);
    tellWhatIsServed(say, { base, today, demoAccount });
    // Who reads the next line may ask it to end at once.
    const stopped = untilStopped();
    say(`listening on ${base}`);
    const stopEvents = await keepEvents(store.db, {
      clock,
      onError: onEventsError,
      deliverer: webhooks.deliverer,
      hub: hub?.address,
    }).catch(async (error: unknown) => {
      await server.close(0);
      throw error;
    });
    const stopRolling = keepRolling(store, { horizonDays, log, isDemo, clock });
    const stopKeeping = keepConnections({ db: store.db, url: store.url, clock, onError: onConnectionsError });
    const door = await openStatusDoor(store.db, () => watch.current().directory, clock);
    const onFailure = (error: unknown): void => log.failure(error, clock(), 'demo life');
    // A demo world has flown yesterday's flights only once it has caught up with the clock.
    const onCaughtUp = async (): Promise<void> => {
      await buildOnTime(store.db, { today: dateOfInstant(clock()) });
    };
    const [since = dateOfInstant(clock())] = (await expandedDays(store.db)).keys();
    const stopLiving = isDemo ? keepDemoAlive({ door, clock, since, onFailure, onCaughtUp }) : async () => {};
    await stopped;
    const closed = server.close();
    // Streams of events have no end of their own.
    await accountEvents.stop();
    // A receiver or a broker that is slow has its own time to answer, beside that of requests under way.
    await Promise.all([closed, stopEvents()]);
    await stopLiving();
    await stopRolling();
    await stopKeeping();
    await connections.stop();
    await watch.stop();
    webhooks.deliverer.close();
    await log.flush();
  } finally {
    await store.close();
  }
};

/** Adds `flightdata serve`. */
export const addServe = (program: Command, config: () => Config): void => {
  program
    .command('serve')
    .description('serve the API over HTTP')
    .option('--demo', 'fill an empty store with the demo world, and keep a demo world up to date')
    .option('--port <port>', 'the port (default: PORT, or 8080; 0 takes a free one)', portArgument)
    .option('--host <address>', 'the address to listen on (default: HOST, or 127.0.0.1)')
    .option(
      '--today <date>',
      'rehearse: start the clock on this UTC date (default: FLIGHTDATA_TODAY, or today)',
      dateArgument,
    )
    .action((options: Options) => serve(config(), options));
};
