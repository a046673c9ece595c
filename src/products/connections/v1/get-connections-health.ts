import type { Health } from '../../../../generated/connections/v1/types.gen.ts';
import { respondToHealthCheck } from '../../../http/handler/health.ts';
import type { Deps } from './deps.ts';
import { getCurrentSet } from './current-set.ts';

/** Searches do not query the database: they work as soon as a set is in memory. */
const assertSetLoaded = async (deps: Pick<Deps, 'connections'>): Promise<void> => {
  getCurrentSet(deps);
};

/** GET /flight-connections/health: healthy when a set of connections is published. */
export const getConnectionsHealth = (deps: Pick<Deps, 'connections'>) =>
  respondToHealthCheck(assertSetLoaded(deps), {
    healthy: { connections: 'healthy' } satisfies Health,
    unhealthy: { connections: 'unhealthy' } satisfies Health,
  });
