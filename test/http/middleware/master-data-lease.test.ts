import { expect, test } from 'vitest';
import { serve } from '../tiny-service.ts';

test('requests wait for current master data, and responses with older ones say as of when; health checks do neither', async () => {
  let checks = 0;
  const { send } = serve({
    staleness: { maxStalenessMs: 2000 },
    masterDataLease: {
      isCaughtUp: () => false,
      catchUp: async () => void (checks += 1),
      staleAsOf: () => new Date('2026-04-01T11:59:58.500Z'),
    },
  });
  const request = async (path: string): Promise<readonly unknown[]> => {
    const { status, headers } = await send(path);
    return [status, headers.get('age'), headers.get('data-as-of'), checks];
  };
  expect(await request('/flights/health')).toEqual([200, null, null, 0]);
  expect(await request('/flight-instances')).toEqual([200, '2', '2026-04-01T11:59:58.500Z', 1]);
});
