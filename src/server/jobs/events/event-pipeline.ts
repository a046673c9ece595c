import type { Deliverer } from '#delivery/webhook/deliverer.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { HubAddress } from '#delivery/hub/hub-connection.ts';
import type { Database } from '#store/pool/database.ts';
import { startEventDelivery } from '../deliveries/deliver-events.ts';
import type { BackgroundDriver } from '../driver.ts';
import { startEventDataPruning } from '../retention/prune-events.ts';
import { startEventFanOut } from './fan-out-events.ts';
import { startHubPublisher } from './publish-to-hub.ts';
import { startEventSequencer } from './sequence-events.ts';

export type EventPipelineOptions = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** Posts events to webhook endpoints. */
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  /** The broker to which events are published; undefined where none is configured. */
  readonly hub?: HubAddress | undefined;
  /** The most account events of a subscription that the fan-out adds in one transaction; 0 means no limit. */
  readonly fanOutLimit?: number | undefined;
  /** How long servers may serve cached pages from before a commit, milliseconds; events become visible that much later. */
  readonly cacheLeaseMs?: number | undefined;
  readonly driver: BackgroundDriver;
  /** Decrypts the secrets of endpoints. */
  readonly secrets: SecretBox;
};

/**
 * Starts the tasks that take an event from the change that made it to its receivers: outbox -> log -> accounts -> endpoints and hub; and the
 * pruning of events. Any number of processes may run it. Returns a function that stops all of them after their current runs.
 */
export const startEventPipeline = async (
  db: Database,
  { clock, onError, deliverer, hub, fanOutLimit, cacheLeaseMs, driver, secrets }: EventPipelineOptions,
): Promise<() => Promise<void>> => {
  const starts = [
    () => startEventDataPruning(db, { clock, onError, driver }),
    () => startEventDelivery(db, { deliverer, clock, onError, driver, secrets }),
    ...(hub ? [() => startHubPublisher(db, { ...hub, onError, driver })] : []),
    () => startEventFanOut(db, { onError, maxAddedOfSubscription: fanOutLimit, driver }),
    () => startEventSequencer(db, { clock, onError, cacheLeaseMs, driver }),
  ];
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    await Promise.all(stops.map((stop) => stop()));
  };
  try {
    for (const start of starts) stops.push(await start());
  } catch (error) {
    // Tasks that go on would keep the process from ending.
    await stopAll().catch(onError);
    throw error;
  }
  return stopAll;
};
