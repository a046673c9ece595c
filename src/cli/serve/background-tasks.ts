import { dateOfInstant } from '../../domain/time/dates.ts';
import type { Directory } from '../../domain/master-data/directory.ts';
import type { Deliverer } from '../../delivery/webhook/deliver.ts';
import type { HubAddress } from '../../delivery/hub/hub-connection.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import { listExpandedDays } from '../../store/flights/instance-days.ts';
import { buildOnTime } from '../../jobs/statistics/build-on-time.ts';
import { startDemoActivity } from '../../jobs/demo/activity/start-demo-activity.ts';
import { startConnectionsTask } from '../../jobs/connections/connections-task.ts';
import { startEventPipeline } from '../../jobs/events/event-pipeline.ts';
import { startPageChangePruning } from '../../jobs/retention/prune-page-changes.ts';
import { openStatusDoor } from '../../jobs/status/ingest/status-ingester.ts';
import type { Store } from '../shared/open-store.ts';
import { createThrottledErrorLog } from './throttled-error-log.ts';
import { startHourlyTasks } from './hourly-tasks.ts';

export type BackgroundTasksOptions = {
  readonly clock: () => Date;
  readonly log: AccessLog;
  readonly horizonDays: number;
  readonly isDemo: boolean;
  /** Posts events to endpoints. */
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  /** The broker to which events are published; undefined when none is configured. */
  readonly hub: HubAddress | undefined;
  /** Returns the present master data, when this process also serves requests. */
  readonly directory?: (() => Directory) | undefined;
};

/** Call `stopEvents` first: it ends deliveries under way. */
export type BackgroundTasks = { readonly stopEvents: () => Promise<void>; readonly stop: () => Promise<void> };

/**
 * Starts the tasks that run without requests: extend the horizon, build connections, deliver events, and simulate the demo world.
 * Several servers of one database may run them; of one server with workers, the first process runs them.
 */
export const startBackgroundTasks = async (
  { db, url }: Store,
  { clock, log, horizonDays, isDemo, deliverer, hub, directory }: BackgroundTasksOptions,
): Promise<BackgroundTasks> => {
  const onEventsError = createThrottledErrorLog((error) => log.failure(error, clock(), 'account events'), clock);
  const stopEvents = await startEventPipeline(db, { clock, onError: onEventsError, deliverer, hub });
  const stopHourlyTasks = startHourlyTasks(db, { horizonDays, log, isDemo, clock });
  const onConnectionsError = (error: unknown): void => log.failure(error, clock(), 'connections');
  const stopConnections = startConnectionsTask({ db, url, clock, onError: onConnectionsError });
  const stopPruning = startPageChangePruning(db, { onError: (error) => log.failure(error, clock(), 'page changes') });
  const startDemo = async (): Promise<() => Promise<void>> => {
    const ingester = await openStatusDoor(db, directory, clock);
    const [since = dateOfInstant(clock())] = (await listExpandedDays(db)).keys();
    return startDemoActivity({
      door: ingester,
      clock,
      since,
      onFailure: (error) => log.failure(error, clock(), 'demo life'),
      // On-time figures need yesterday's flights, which have flown only now.
      onCaughtUp: async () => {
        await buildOnTime(db, { today: dateOfInstant(clock()) });
      },
    });
  };
  const stopDemo = isDemo ? await startDemo() : async () => {};
  return {
    stopEvents,
    stop: async () => {
      await stopDemo();
      await stopHourlyTasks();
      await stopConnections();
      await stopPruning();
    },
  };
};
