import type { Health } from '../../../../generated/connections/v1/types.gen.ts';
import { toHealthResponse } from '../../../http/handler/health.ts';
import type { Deps } from './deps.ts';

/** GET /flight-connections/health: healthy when a set of connections is published. Searches do not query the database. */
export const getConnectionsHealth = async ({ connections }: Pick<Deps, 'connections'>) =>
  toHealthResponse(connections() !== undefined, {
    healthy: { connections: 'healthy' } satisfies Health,
    unhealthy: { connections: 'unhealthy' } satisfies Health,
  });
