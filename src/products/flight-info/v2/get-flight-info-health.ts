import type { Health } from '../../../../generated/flight-info/v2/types.gen.ts';
import { respondToHealthCheck } from '../../../http/handler/health.ts';
import { assertInstancesReadable } from '../../../store/flights/flight-instances.ts';
import type { Deps } from './deps.ts';

/** GET /flights/health: healthy when the flight instances can be read. */
export const getFlightInfoHealth = ({ sql }: Deps) =>
  respondToHealthCheck(assertInstancesReadable(sql), {
    healthy: { flightInfo: 'healthy' } satisfies Health,
    unhealthy: { flightInfo: 'unhealthy' } satisfies Health,
  });
