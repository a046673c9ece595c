import type { ServiceStatus } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { assertAlertsReadable } from '../../../store/alerts/alerts.ts';
import type { Deps } from './shared/deps.ts';

/** GET /flight-info-alerts/status: when alerts cannot be read, this fails as every other operation does. */
export const getServiceStatus = async ({ sql }: Pick<Deps, 'sql'>): Promise<ServiceStatus> => {
  await assertAlertsReadable(sql);
  return 'available';
};
