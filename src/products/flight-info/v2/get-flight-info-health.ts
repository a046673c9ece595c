import type { Health } from '../../../../generated/flight-info/v2/types.gen.ts';
import { tellHealth } from '../../../http/handler/health.ts';
import { touchInstances } from '../../../store/flights/flight-instances.ts';
import type { Deps } from './deps.ts';

/** GET /flights/health: healthy when the flight instances can be read. */
export const getFlightInfoHealth = ({ sql }: Deps) =>
  tellHealth(touchInstances(sql), {
    healthy: { flightInfo: 'healthy' } satisfies Health,
    unhealthy: { flightInfo: 'unhealthy' } satisfies Health,
  });
