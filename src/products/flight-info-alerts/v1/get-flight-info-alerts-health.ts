import type { Health } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { tellHealth } from '../../../http/tell-health.ts';
import { touchAlerts } from '../../../store/alerts.ts';
import type { Deps } from './deps.ts';

/** GET /flight-info-alerts/health: healthy when alerts can be read. */
export const getFlightInfoAlertsHealth = ({ sql }: Pick<Deps, 'sql'>) =>
  tellHealth(touchAlerts(sql), {
    healthy: { flightInfoAlerts: 'healthy' } satisfies Health,
    unhealthy: { flightInfoAlerts: 'unhealthy' } satisfies Health,
  });
