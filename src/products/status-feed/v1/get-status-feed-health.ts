import type { Health } from '#generated/status-feed/v1/types.gen.ts';
import { assertStatusesReadable } from '#store/status/flight-statuses.ts';
import type { Deps } from './deps.ts';

/** GET /status-feed/health: healthy when the statuses of flights can be read. */
export const createHealthHandler = ({ health }: Pick<Deps, 'health'>) =>
  health.createHandler(assertStatusesReadable, {
    needsPrimary: true,
    healthy: { statusFeed: 'healthy' } satisfies Health,
    unhealthy: { statusFeed: 'unhealthy' } satisfies Health,
  });
