import type { PlanDays } from '#domain/status/plan-days.ts';
import { toUtcDate } from '#domain/time/dates.ts';
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
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import type { Store } from '../shared/open-store.ts';
import { createThrottledErrorLog } from './throttled-error-log.ts';
import { startExtendHorizonTask } from './extend-horizon-task.ts';

export type BackgroundTasksOptions = {
  readonly clock: () => Date;
  readonly log: AccessLog;
  readonly horizonDays: number;
  readonly planDays: PlanDays;
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

const startTasks = async (
  { db, url }: Store,
  {
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
  }: BackgroundTasksOptions,
  opened: AsyncDisposableStack,
): Promise<BackgroundTasks> => {
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
    const { startDemoActivity } = await import('#jobs/demo/activity/start-demo-activity.ts');
    const ingester = await createStatusIngester(db, masterDataIndex, clock);
    return startDemoActivity(db, {
      ingester,
      clock,
      findFirstDay: async () => {
        const [first = toUtcDate(clock())] = (await listExpandedDays(db)).keys();
        return first;
      },
      onError: (error) => log.failure(error, clock(), 'demo life'),
      // On-time figures need yesterday's flights, which have flown only now.
      onFlown: async () => {
        await buildOnTime(db, { today: toUtcDate(clock()) });
      },
      driver,
    });
  };
  if (isDemo) tasks.defer(await startDemo());
  return { stopEvents, stop: () => tasks.disposeAsync() };
};

/**
 * Starts the tasks that run without requests: extend the horizon, build connections, deliver events, and simulate the demo world.
 * Several servers of one database may run them; of one server with workers, the first process runs them.
 */
export const startBackgroundTasks = (store: Store, options: BackgroundTasksOptions): Promise<BackgroundTasks> =>
  releaseOnError((opened) => startTasks(store, options, opened));
