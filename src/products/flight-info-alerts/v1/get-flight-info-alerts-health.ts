import type { Health } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { assertAlertsReadable } from '#store/alerts/alerts.ts';
import type { Deps } from './shared/deps.ts';

/** GET /flight-info-alerts/health: healthy when alerts can be read. */
export const createHealthHandler = ({ health }: Pick<Deps, 'health'>) =>
  health.createHandler(assertAlertsReadable, {
    healthy: { flightInfoAlerts: 'healthy' } satisfies Health,
    unhealthy: { flightInfoAlerts: 'unhealthy' } satisfies Health,
  });
