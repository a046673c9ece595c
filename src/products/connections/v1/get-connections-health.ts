import type { getConnectionsHealthRoute } from '#generated/connections/v1/routes.gen.ts';
import type { Health } from '#generated/connections/v1/types.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { sendHealth } from '#http/handler/health.ts';
import type { Deps } from './deps.ts';

/** GET /flight-connections/health: healthy when a set of connections is published. Searches do not query the database. */
export const getConnectionsHealth = async (
  c: OperationContext<typeof getConnectionsHealthRoute>,
  { connections }: Pick<Deps, 'connections'>,
) =>
  sendHealth(c, connections() !== undefined, {
    healthy: { connections: 'healthy' } satisfies Health,
    unhealthy: { connections: 'unhealthy' } satisfies Health,
  });
