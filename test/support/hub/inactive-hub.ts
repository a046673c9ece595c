import { createHubAccess, type HubAccess, type HubAccessRequest } from '#delivery/hub/hub-access.ts';
import { deriveHubKeys } from '#delivery/hub/hub-keys.ts';

const secret = Buffer.alloc(32, 5);

/** Creates access to a hub without a broker; everything but the consumer is real. */
export const inactiveHub = async (request: HubAccessRequest): Promise<HubAccess> =>
  createHubAccess(
    {
      url: 'nats://hub.test:4222',
      secret,
      keys: deriveHubKeys(secret),
      clock: () => new Date('2026-06-01T12:00:00Z'),
    },
    request,
  );
