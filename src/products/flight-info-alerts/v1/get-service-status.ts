import type { ServiceStatus } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { assertAlertsReadable } from '../../../store/alerts/alerts.ts';
import type { Deps } from './shared/deps.ts';

/** GET /flight-info-alerts/status: fails like every other operation if alerts cannot be read. */
export const getServiceStatus = async ({ sql }: Pick<Deps, 'sql'>): Promise<ServiceStatus> => {
  await assertAlertsReadable(sql);
  return 'available';
};
