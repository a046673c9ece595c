import type { getFlightInfoHealthRoute } from '#generated/flight-info/v2/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { sendUnhealthy } from '#http/handler/health.ts';
import { assertInstancesReadable } from '#store/flights/flight-instances.ts';
import type { Deps } from './deps.ts';

/** Creates the handler of GET /flights/health: whether searches work, and the age of the public feeds. */
export const createFlightInfoHealth = ({ health, listFeedAges }: Deps) => {
  const check = health.createCheck(async (sql) => {
    await assertInstancesReadable(sql);
    return listFeedAges(sql);
  });
  return async (c: OperationContext<typeof getFlightInfoHealthRoute>) => {
    const success = await check(c);
    if (!success) return sendUnhealthy(c, { flightInfo: 'unhealthy' });
    const sources = success.value.map(({ name, ageSeconds, stale }) => ({
      name,
      ...(ageSeconds !== undefined && { ageSeconds }),
      stale: stale !== undefined,
    }));
    return c.json({ flightInfo: 'healthy' as const, ...(sources.length > 0 && { sources }) }, 200);
  };
};
