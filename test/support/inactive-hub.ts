import { hubAccessOf, type HubAccess, type WantedAccess } from '../../src/delivery/hub/hub-access.ts';
import { hubKeysOf } from '../../src/delivery/hub/hub-keys.ts';

const secret = Buffer.alloc(32, 5);

/** Gives access to a hub that is not there: all of it is real but the consumer. */
export const inactiveHub = async (wanted: WantedAccess): Promise<HubAccess> =>
  hubAccessOf(
    {
      url: 'nats://hub.test:4222',
      secret,
      keys: hubKeysOf(secret),
      clock: () => new Date('2026-06-01T12:00:00Z'),
    },
    wanted,
  );
