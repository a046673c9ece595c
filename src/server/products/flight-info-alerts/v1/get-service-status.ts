import type { getServiceStatusRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { assertAlertsReadable } from '#store/alerts/alerts.ts';
import type { Deps } from './shared/deps.ts';

/** GET /flight-info-alerts/status: fails like every other operation if alerts cannot be read. */
export const getServiceStatus = async (
  c: OperationContext<typeof getServiceStatusRoute>,
  { sql }: Pick<Deps, 'sql'>,
) => {
  await assertAlertsReadable(sql);
  return c.json('available' as const, 200);
};
