import { availableParallelism } from 'node:os';
import { InvalidArgumentError, type Command } from 'commander';
import { MAX_WORKERS, type Config } from '#config.ts';
import { checkHub, ForeignStreamError } from '#delivery/hub/hub-connection.ts';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { type AccessLog, createAccessLog, openLogOutput } from '#http/observability/access-log.ts';
import { BackgroundDriver } from '#jobs/driver.ts';
import { releaseOnError } from '#lib/release-on-error.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { Database } from '#store/pool/database.ts';
import { parseFollowedSources, type FollowedSource } from '#jobs/sources/live-registry.ts';
import { parseDateArgument, parsePortArgument } from '../shared/arguments.ts';
import { clockShiftMs, createShiftedClock, warnAboutClockOverride } from '../shared/clock.ts';
import {
  assertCanListen,
  explainListenError,
  toListenAddress,
  type ListenAddressSettings,
} from '../shared/listen-address.ts';
import { assessDeployment } from '../shared/deployment-findings.ts';
import { openConfiguredSecrets } from '../shared/configured-secrets.ts';
import { findConfiguredHub, type ConfiguredHub } from '../shared/configured-hub.ts';
import { openStore, type Store } from '../shared/open-store.ts';
import { toServerUrl } from '../shared/server-url.ts';
import { printStartupBanner } from '../shared/startup-banner.ts';
import { waitForStopSignal } from '../shared/stop-signal.ts';
import { openTracing, traceDeliveries, type Tracing } from '../shared/tracing.ts';
import {
  reportDemoBoards,
  startBackgroundTasks,
  type BackgroundTasks,
  type BackgroundTasksOptions,
  type LiveOptions,
} from './start-background-tasks.ts';
import { startApiServer, type ApiServer } from './api-server.ts';
import { openMetricsEndpoint, type MetricsEndpoint } from './metrics-endpoint.ts';
import { prepareStore } from './prepare-store.ts';
import { waitForShutdown } from './shutdown.ts';
import { createThrottledErrorLog } from './throttled-error-log.ts';
import { setV8Flags } from './v8-flags.ts';
import { createWebhookDeliverer, type WebhookDeliverer } from './webhook-deliverer.ts';
import { startWorkerPool } from './worker-pool.ts';

type Options = {
  readonly demo?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly today?: LocalDate;
  readonly workers?: number | 'auto';
  readonly live?: readonly FollowedSource[];
};

const parseLiveArgument = (text: string): readonly FollowedSource[] => {
  try {
    return parseFollowedSources(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
};

const parseWorkersArgument = (text: string): number | 'auto' => {
  if (text === 'auto') return text;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_WORKERS)
    throw new InvalidArgumentError(`'${text}' must be a whole number from 1 to ${MAX_WORKERS}, or 'auto'`);
  return count;
};

const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** What is open for the whole run of a server, before its store is. */
type ServeContext = {
  readonly config: Config;
  readonly address: ListenAddressSettings;
  readonly hostname: string;
  readonly port: number;
  readonly workerCount: number;
  readonly shiftMs: number;
  readonly clock: () => Date;
  readonly live: LiveOptions | undefined;
  readonly webhooks: WebhookDeliverer;
  /** Writes lines to the access log as they are. */
  readonly writeLog: (lines: string) => void;
  readonly metrics: MetricsEndpoint;
  readonly tracing: Tracing;
  readonly log: AccessLog;
};

/** Checks both addresses before the store is opened, which can take long. */
const assertAddressesFree = async (config: Config, address: ListenAddressSettings): Promise<void> => {
  await assertCanListen(address);
  if (config.metrics)
    await assertCanListen({
      port: config.metrics.port,
      portName: 'METRICS_PORT',
      hostname: config.metrics.host,
      hostName: 'METRICS_HOST',
    });
};

const openContext = async (config: Config, options: Options, opened: AsyncDisposableStack): Promise<ServeContext> => {
  const address = toListenAddress(options, config);
  await assertAddressesFree(config, address);
  const shiftMs = clockShiftMs(options.today ?? config.today);
  const clock = createShiftedClock(shiftMs);
  const workers = options.workers ?? config.workers;
  const followed = options.live ?? config.live.followed;
  const webhooks = await createWebhookDeliverer(config, clock);
  opened.defer(() => webhooks.deliverer.close());
  const output = openLogOutput();
  // Opened before the store: during a long migration the process reports that it is alive and not ready.
  const metrics = await openMetricsEndpoint({ config, clock, log: createAccessLog(output), printLine });
  opened.defer(metrics.close);
  const onTracesError = createThrottledErrorLog((error) => metrics.log.failure(error, clock(), 'traces'), clock);
  const tracing = await openTracing(config, onTracesError);
  opened.defer(tracing.close);
  metrics.add(tracing.observe);
  return {
    config,
    address,
    hostname: address.hostname,
    port: address.port,
    live: followed && { ...config.live, followed, route: config.sources },
    workerCount: workers === 'auto' ? availableParallelism() : workers,
    shiftMs,
    clock,
    webhooks,
    writeLog: (lines) => output.write(lines),
    metrics,
    tracing,
    log: metrics.log,
  };
};

/** The HTTP server of this process, or the workers that serve in its place. */
type RequestServer = Pick<ApiServer, 'port' | 'drain'> & Partial<ApiServer>;

const startRequestServer = async (
  store: Store,
  context: ServeContext,
  { driver, secrets }: { readonly driver: BackgroundDriver; readonly secrets: SecretBox },
): Promise<RequestServer> => {
  const { workerCount, hostname, port, shiftMs, writeLog, log, clock } = context;
  try {
    if (workerCount === 1)
      return await startApiServer(store.db, {
        ...store,
        ...context,
        driver,
        secrets,
        addMetrics: context.metrics.add,
      });
    return await startWorkerPool({
      count: workerCount,
      firstCommand: { kind: 'serve', url: store.url, hostname, port, clockShiftMs: shiftMs },
      output: { out: writeLog, err: (lines) => void process.stderr.write(lines) },
      onLost: (error) => log.failure(error, clock(), 'workers'),
    });
  } catch (error) {
    // The port was free when it was checked, and another process may have taken it since.
    throw explainListenError(error, context.address);
  }
};

/** Returns the present master data of a server that serves requests itself; undefined with workers. */
const getMasterDataIndex = ({ masterData }: RequestServer): BackgroundTasksOptions['masterDataIndex'] =>
  masterData && (() => masterData().masterDataIndex);

/** Two deployments must not write to one stream. A broker that is away is left to the publisher, which retries. */
const rejectForeignStream = ({ address }: ConfiguredHub): Promise<void> =>
  checkHub(address).catch((error: unknown) => {
    if (error instanceof ForeignStreamError) throw error;
  });

const printWarnings = async (config: Config, db: Database): Promise<void> => {
  for (const { level, text } of await assessDeployment(config, db))
    if (level !== 'ok') process.stderr.write(`warning: ${text}\n`);
};

/** A server that listens, before its background tasks have started. */
type ListeningServer = {
  readonly server: RequestServer;
  readonly driver: BackgroundDriver;
  readonly hub: ConfiguredHub | undefined;
  readonly isDemo: boolean;
  readonly secrets: SecretBox;
};

/** Stops a server whose start failed. */
const stopServer = async ({ drain, release }: RequestServer): Promise<void> => {
  await drain(0);
  await release?.();
};

/** Prepares the store and listens. */
const startListening = (store: Store, context: ServeContext, demo: boolean): Promise<ListeningServer> =>
  releaseOnError(async (opened) => {
    const { config, clock, metrics, hostname, workerCount } = context;
    const { horizonDays } = config;
    await printWarnings(config, store.db);
    // Before the store is filled: one whose secrets cannot be opened stays as it is.
    const secrets = await openConfiguredSecrets(config, store.db);
    const { isDemo, demoAccount } = await prepareStore(store, { demo, horizonDays, clock, printLine });
    const hub = await findConfiguredHub(config, store.db, secrets);
    if (hub) await rejectForeignStream(hub);
    const driver = new BackgroundDriver(store.db, clock);
    metrics.add(driver.observe);
    const server = await startRequestServer(store, context, { driver, secrets });
    opened.defer(() => stopServer(server));
    // Before the server is said to listen: the first board that a person opens has no departure of the past as scheduled.
    if (isDemo) await reportDemoBoards(store, { clock, masterDataIndex: getMasterDataIndex(server) });
    const base = toServerUrl(hostname, server.port);
    await printStartupBanner(printLine, {
      base,
      today: toUtcDate(clock()),
      demoAccount,
      hasLivePage: config.hasLivePage,
    });
    metrics.ready(store);
    printLine(`listening on ${base}${workerCount === 1 ? '' : ` with ${workerCount} workers`}`);
    return { server, driver, hub, isDemo, secrets };
  });

const startTasks = async (
  store: Store,
  { config, clock, log, webhooks, live }: ServeContext,
  { server, driver, hub, isDemo, secrets }: ListeningServer,
): Promise<BackgroundTasks> => {
  try {
    return await startBackgroundTasks(store, {
      clock,
      log,
      horizonDays: config.horizonDays,
      planDays: config.planDays,
      precedence: config.precedence,
      fanOutLimit: config.limits.fanOut,
      cacheLeaseMs: config.cacheLeaseMs,
      isDemo,
      live,
      deliverer: traceDeliveries(webhooks.deliverer),
      hub: hub?.address,
      masterDataIndex: getMasterDataIndex(server),
      driver,
      secrets,
    });
  } catch (error) {
    await stopServer(server);
    throw error;
  }
};

/** Finishes what is under way. Returns whether all of it ended before the database was given up. */
const stopServing = async (
  store: Store,
  { config, log, metrics }: ServeContext,
  { server, background }: { readonly server: RequestServer; readonly background: BackgroundTasks },
): Promise<boolean> => {
  const drainMs = config.drainSeconds * 1000;
  metrics.draining();
  const shutDown = async (): Promise<void> => {
    // Side by side: a slow webhook endpoint does not shorten the time of open requests.
    await Promise.all([server.drain(drainMs), background.stopEvents()]);
    await background.stop();
    await server.release?.();
  };
  const hasEnded = await waitForShutdown(store, shutDown(), drainMs);
  await log.flush();
  return hasEnded;
};

/** Ends a server that a signal stopped before it listened: transactions are rolled back, and the next start repeats them. */
const abandonStart = async (store: Store | undefined): Promise<never> => {
  process.stderr.write('stopped before the server was listening\n');
  // A query of the driver itself, which no caller awaits, rejects when its connection is destroyed.
  process.on('unhandledRejection', () => {});
  await store?.db.end({ timeout: 0 });
  await store?.close();
  process.exit();
};

/** Serves until a signal. Returns whether all work ended before the database was given up. */
const serveUntilStopped = async (
  config: Config,
  options: Options,
  { opened, stopped }: { readonly opened: AsyncDisposableStack; readonly stopped: Promise<void> },
): Promise<boolean> => {
  const unlessStopped = <T>(work: Promise<T>): Promise<T | undefined> =>
    Promise.race([work, stopped.then(() => undefined)]);
  // Added first and so closed last: the port for metrics queries the store.
  const openedStore = opened.use(new AsyncDisposableStack());
  const context = await openContext(config, options, opened);
  const store = await unlessStopped(openStore(config, 'serve', { demo: options.demo === true }));
  if (!store) return abandonStart(store);
  openedStore.defer(store.close);
  const listening = await unlessStopped(startListening(store, context, options.demo === true));
  if (!listening) return abandonStart(store);
  const background = await startTasks(store, context, listening);
  await stopped;
  return stopServing(store, context, { ...listening, background });
};

const serve = async (config: Config, options: Options): Promise<void> => {
  const signals = new AbortController();
  const stopped = waitForStopSignal(undefined, signals.signal);
  setV8Flags();
  if (options.today !== undefined) warnAboutClockOverride(options.today);
  const opened = new AsyncDisposableStack();
  let hasEnded: boolean;
  try {
    hasEnded = await serveUntilStopped(config, options, { opened, stopped });
  } catch (error) {
    // The first error is reported, not one of the release; and a signal now ends the process at once.
    signals.abort();
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
  await opened.disposeAsync();
  if (hasEnded) return;
  process.stderr.write(
    'shut down without the database, which is unreachable: the next server completes the open work\n',
  );
  process.exit();
};

/** Adds `flightdata serve`. */
export const addServe = (program: Command, config: () => Config): void => {
  program
    .command('serve')
    .description('serve the API over HTTP')
    .option('--demo', 'load the demo world into an empty store, and keep a loaded demo world up to date')
    .option('--port <port>', 'port to listen on (default: PORT, or 8080; 0 selects a free one)', parsePortArgument)
    .option('--host <address>', 'address to listen on (default: HOST, or 127.0.0.1)')
    .option(
      '--workers <number>',
      "number of processes that serve requests, or 'auto' for one per processor (default: WORKERS, or 1)",
      parseWorkersArgument,
    )
    .option(
      '--live <sources>',
      "follow live feeds, such as 'avinor:OSL,BGO hkia' (default: LIVE_SOURCES; 'flightdata sources live' lists them)",
      parseLiveArgument,
    )
    .option(
      '--today <date>',
      'start the clock on this UTC date, for tests (default: FLIGHTDATA_TODAY, or today)',
      parseDateArgument,
    )
    .action((options: Options) => serve(config(), options));
};
