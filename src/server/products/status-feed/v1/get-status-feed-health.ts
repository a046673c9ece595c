import type { getStatusFeedHealthRoute } from '#generated/status-feed/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { sendUnhealthy } from '#http/handler/health.ts';
import { assertStatusesReadable } from '#store/status/flight-statuses.ts';
import type { Sql } from '#store/pool/database.ts';
import type { Deps } from './deps.ts';

/** Creates the handler of GET /status-feed/health: whether messages can be stored, and the age of the public feeds. */
export const createStatusFeedHealth = ({ health, listFeedAges }: Deps) => {
  const readAges = async (sql: Sql) => {
    await assertStatusesReadable(sql);
    return listFeedAges(sql);
  };
  const check = health.createCheck(readAges, { needsPrimary: true });
  return async (c: OperationContext<typeof getStatusFeedHealthRoute>) => {
    const success = await check(c);
    if (!success) return sendUnhealthy(c, { statusFeed: 'unhealthy' });
    const sources = success.value.map(({ name, ageSeconds, stale }) => ({
      name,
      ...(ageSeconds !== undefined && { ageSeconds }),
      stale: stale !== undefined,
    }));
    return c.json({ statusFeed: 'healthy' as const, ...(sources.length > 0 && { sources }) }, 200);
  };
};
