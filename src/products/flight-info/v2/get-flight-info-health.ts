import type { Health } from '#generated/flight-info/v2/types.gen.ts';
import { assertInstancesReadable } from '#store/flights/flight-instances.ts';
import type { Deps } from './deps.ts';

/** GET /flights/health: healthy when the flight instances can be read. */
export const createHealthHandler = ({ health }: Pick<Deps, 'health'>) =>
  health.createHandler(assertInstancesReadable, {
    healthy: { flightInfo: 'healthy' } satisfies Health,
    unhealthy: { flightInfo: 'unhealthy' } satisfies Health,
  });
