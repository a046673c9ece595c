import { dateOfInstant } from '../../domain/time/dates.ts';
import type { Directory } from '../../domain/master-data/directory.ts';
import type { Deliverer } from '../../delivery/webhook/deliver.ts';
import type { HubAddress } from '../../delivery/hub/hub-connection.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import { expandedDays } from '../../store/flights/instance-days.ts';
import { buildOnTime } from '../../jobs/statistics/build-on-time.ts';
import { keepDemoAlive } from '../../jobs/demo/activity/keep-alive.ts';
import { keepConnections } from '../../jobs/connections/keep-connections.ts';
import { keepEvents } from '../../jobs/events/event-pipeline.ts';
import { keepPageChangesPruned } from '../../jobs/retention/prune-page-changes.ts';
import { openStatusDoor } from '../../jobs/status/ingest/status-ingester.ts';
import type { Store } from '../open-store.ts';
import { reportSeldom } from '../report-seldom.ts';
import { keepRolling } from './keep-rolling.ts';

export type BackgroundWork = {
  readonly clock: () => Date;
  readonly log: AccessLog;
  readonly horizonDays: number;
  readonly isDemo: boolean;
  /** Posts events to endpoints. */
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  /** The broker to which events are published; undefined where there is none. */
  readonly hub: HubAddress | undefined;
  /** Master data as they are now, where this process keeps them anyway. */
  readonly directory?: (() => Directory) | undefined;
};

/** How to stop, in this order: what deliveries and status messages are under way is ended first. */
export type Background = { readonly stopEvents: () => Promise<void>; readonly stop: () => Promise<void> };

/**
 * Does what is done whether anybody asks or not: lays out days, builds connections, takes events to whoever asked for them, and lets the demo
 * world live. Any number of servers of a database may do this; of the workers of one server the first process does it for all.
 */
export const workInBackground = async (
  { db, url }: Store,
  { clock, log, horizonDays, isDemo, deliverer, hub, directory }: BackgroundWork,
): Promise<Background> => {
  const onEventsError = reportSeldom((error) => log.failure(error, clock(), 'account events'), clock);
  const stopEvents = await keepEvents(db, { clock, onError: onEventsError, deliverer, hub });
  const stopRolling = keepRolling(db, { horizonDays, log, isDemo, clock });
  const onConnectionsError = (error: unknown): void => log.failure(error, clock(), 'connections');
  const stopKeeping = keepConnections({ db, url, clock, onError: onConnectionsError });
  const stopPruning = keepPageChangesPruned(db, { onError: (error) => log.failure(error, clock(), 'page changes') });
  const liveOn = async (): Promise<() => Promise<void>> => {
    const door = await openStatusDoor(db, directory, clock);
    const [since = dateOfInstant(clock())] = (await expandedDays(db)).keys();
    return keepDemoAlive({
      door,
      clock,
      since,
      onFailure: (error) => log.failure(error, clock(), 'demo life'),
      // A demo world has flown yesterday's flights only once it has caught up with the clock.
      onCaughtUp: async () => {
        await buildOnTime(db, { today: dateOfInstant(clock()) });
      },
    });
  };
  const stopLiving = isDemo ? await liveOn() : async () => {};
  return {
    stopEvents,
    stop: async () => {
      await stopLiving();
      await stopRolling();
      await stopKeeping();
      await stopPruning();
    },
  };
};
