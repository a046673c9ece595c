import type { Deliverer } from '../../delivery/webhook/deliver.ts';
import type { HubAddress } from '../../delivery/hub/hub-connection.ts';
import type { Database } from '../../store/pool/database.ts';
import { distributeEvents } from './fan-out-events.ts';
import { keepEventsPruned } from '../retention/prune-events.ts';
import { publishToHub } from './publish-to-hub.ts';
import { pushEvents } from '../deliveries/push-events.ts';
import { sequenceEvents } from './sequence-events.ts';

export type EventKeeping = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** Posts events to endpoints. */
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  /** The broker to which events are published; undefined where there is none. */
  readonly hub?: HubAddress | undefined;
};

/**
 * Takes events from the changes that made them to whoever asked for them: into the log, to the accounts, to their endpoints and to the
 * hub; and deletes what is no longer kept. Any number of processes may do this. Answers how to stop; what is under way is ended first.
 */
export const keepEvents = async (
  db: Database,
  { clock, onError, deliverer, hub }: EventKeeping,
): Promise<() => Promise<void>> => {
  const begin = [
    async () => keepEventsPruned(db, { clock, onError }),
    () => pushEvents(db, { deliverer, clock, onError }),
    ...(hub ? [() => publishToHub(db, { ...hub, onError })] : []),
    () => distributeEvents(db, { onError }),
    () => sequenceEvents(db, { clock, onError }),
  ];
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((stopOne) => stopOne()));
  };
  try {
    for (const one of begin) stops.push(await one());
  } catch (error) {
    // What goes on would keep the process from ending.
    await stop().catch(onError);
    throw error;
  }
  return stop;
};
