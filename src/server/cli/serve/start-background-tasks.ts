import type { PlanDays } from '#domain/status/plan-days.ts';
import type { SourcePrecedence } from '#domain/status/source-precedence.ts';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { releaseOnError } from '#lib/release-on-error.ts';
import type { Deliverer } from '#delivery/webhook/deliverer.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { HubAddress } from '#delivery/hub/hub-connection.ts';
import type { AccessLog } from '#http/observability/access-log.ts';
import { listExpandedDays } from '#store/flights/expanded-days.ts';
import { buildOnTime } from '#jobs/statistics/build-on-time.ts';
import { startConnectionsTask } from '#jobs/connections/connections-task.ts';
import type { BackgroundDriver } from '#jobs/driver.ts';
import { startEventPipeline } from '#jobs/events/event-pipeline.ts';
import { startPageChangePruning } from '#jobs/retention/prune-page-changes.ts';
import { startStatusUpdateTask } from '#jobs/status/recompute/status-update-task.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import type { DownloadRoute } from '#jobs/sources/download-file.ts';
import { startLiveFollower } from '#jobs/sources/live-follower.ts';
import type { FollowedSource } from '#jobs/sources/live-registry.ts';
import { createIngester, createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { serviceVersion } from '#service-version.ts';
import type { Store } from '../shared/open-store.ts';
import { createThrottledErrorLog } from './throttled-error-log.ts';
import { startExtendHorizonTask } from './extend-horizon-task.ts';

/** The live feeds that a server follows. */
export type LiveOptions = {
  readonly followed: readonly FollowedSource[];
  readonly leastSeconds: number;
  readonly contact: string | undefined;
  readonly keys: Readonly<Record<string, string | undefined>>;
  readonly route: DownloadRoute;
};

export type BackgroundTasksOptions = {
  /** Undefined when no live feed is followed. */
  readonly live?: LiveOptions | undefined;
  readonly clock: () => Date;
  readonly log: AccessLog;
  readonly horizonDays: number;
  readonly planDays: PlanDays;
  readonly precedence: SourcePrecedence;
  readonly fanOutLimit: number;
  readonly cacheLeaseMs: number;
  readonly isDemo: boolean;
  /** Posts events to endpoints. */
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  /** The broker to which events are published; undefined when none is configured. */
  readonly hub: HubAddress | undefined;
  /** Returns the present master data, when this process also serves requests. */
  readonly masterDataIndex?: (() => MasterDataIndex) | undefined;
  readonly driver: BackgroundDriver;
  /** Decrypts the secrets of endpoints. */
  readonly secrets: SecretBox;
};

/** Call `stopEvents` first: it ends deliveries under way. */
export type BackgroundTasks = { readonly stopEvents: () => Promise<void>; readonly stop: () => Promise<void> };

/** How long master data that this process reads only for live feeds are used, milliseconds. */
const MASTER_DATA_MS = 600_000;

const startLiveFeeds = async (
  db: Store['db'],
  { contact, ...live }: LiveOptions,
  { clock, log, planDays, precedence, masterDataIndex, driver }: BackgroundTasksOptions,
): Promise<() => Promise<void>> => {
  let own = { index: await readMasterDataIndex(db), at: performance.now() };
  const getMasterDataIndex = (): MasterDataIndex => {
    if (masterDataIndex) return masterDataIndex();
    if (performance.now() - own.at > MASTER_DATA_MS) {
      own = { ...own, at: performance.now() };
      readMasterDataIndex(db).then(
        (index) => (own = { ...own, index }),
        (error: unknown) => log.failure(error, clock(), 'live feeds'),
      );
    }
    return own.index;
  };
  return startLiveFollower(db, {
    ...live,
    ingester: await createIngester(db, { getMasterDataIndex, clock, planDays, precedence }),
    getMasterDataIndex,
    clock,
    userAgent: `flightdata/${serviceVersion}${contact === undefined ? '' : ` (+${contact})`}`,
    onError: createThrottledErrorLog((error) => log.failure(error, clock(), 'live feeds'), clock),
    driver,
  });
};

/** Returns the first day with flights in the store. */
const findFirstDay = async (db: Store['db'], clock: () => Date): Promise<LocalDate> => {
  const [first = toUtcDate(clock())] = (await listExpandedDays(db)).keys();
  return first;
};

/** Reports the flights of the demo world that are on boards now. */
export const reportDemoBoards = async (
  { db }: Pick<Store, 'db'>,
  { clock, masterDataIndex }: Pick<BackgroundTasksOptions, 'clock' | 'masterDataIndex'>,
): Promise<void> => {
  const { reportBoards } = await import('#demo/activity/start-demo-activity.ts');
  const ingester = await createStatusIngester(db, masterDataIndex, clock);
  await reportBoards({ ingester, clock, findFirstDay: () => findFirstDay(db, clock) });
};

const startTasks = async (
  { db, url }: Store,
  options: BackgroundTasksOptions,
  opened: AsyncDisposableStack,
): Promise<BackgroundTasks> => {
  const {
    clock,
    log,
    horizonDays,
    planDays,
    fanOutLimit,
    cacheLeaseMs,
    isDemo,
    deliverer,
    hub,
    masterDataIndex,
    driver,
    secrets,
    live,
  } = options;
  const onEventsError = createThrottledErrorLog((error) => log.failure(error, clock(), 'account events'), clock);
  const stopEvents = await startEventPipeline(db, {
    clock,
    onError: onEventsError,
    deliverer,
    hub,
    fanOutLimit,
    cacheLeaseMs,
    driver,
    secrets,
  });
  opened.defer(stopEvents);
  const tasks = opened.use(new AsyncDisposableStack());
  tasks.defer(await startExtendHorizonTask(db, { horizonDays, log, isDemo, clock, driver }));
  tasks.defer(
    await startStatusUpdateTask(db, {
      clock,
      planDays,
      onError: createThrottledErrorLog((error) => log.failure(error, clock(), 'status updates'), clock),
      driver,
    }),
  );
  const onConnectionsError = createThrottledErrorLog((error) => log.failure(error, clock(), 'connections'), clock);
  tasks.defer(await startConnectionsTask({ db, url, clock, onError: onConnectionsError, driver }));
  tasks.defer(
    await startPageChangePruning(db, { onError: (error) => log.failure(error, clock(), 'page changes'), driver }),
  );
  const startDemo = async (): Promise<() => Promise<void>> => {
    const { startDemoActivity } = await import('#demo/activity/start-demo-activity.ts');
    const ingester = await createStatusIngester(db, masterDataIndex, clock);
    return startDemoActivity(db, {
      ingester,
      clock,
      findFirstDay: () => findFirstDay(db, clock),
      onError: (error) => log.failure(error, clock(), 'demo life'),
      // On-time figures need yesterday's flights, which have flown only now.
      onFlown: async () => {
        await buildOnTime(db, { today: toUtcDate(clock()) });
      },
      driver,
    });
  };
  if (isDemo) tasks.defer(await startDemo());
  if (live) tasks.defer(await startLiveFeeds(db, live, options));
  return { stopEvents, stop: () => tasks.disposeAsync() };
};

/**
 * Starts the tasks that run without requests: extend the horizon, build connections, deliver events, and simulate the demo world.
 * Several servers of one database may run them; of one server with workers, the first process runs them.
 */
export const startBackgroundTasks = (store: Store, options: BackgroundTasksOptions): Promise<BackgroundTasks> =>
  releaseOnError((opened) => startTasks(store, options, opened));
