import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '#http/context/env.ts';
import { HealthProber } from '#http/handler/health.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql } = await sharedDatabase();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('returns the last success for a second, and then the result of the running check', async () => {
  const checks: PromiseWithResolvers<unknown>[] = [];
  const query = (): Promise<unknown> => {
    const check = Promise.withResolvers<unknown>();
    checks.push(check);
    return check.promise;
  };
  const handle = new HealthProber(sql).createHandler('schedules', query);
  const app = new Hono<Env>().get('/health', handle);
  const respond = async (): Promise<readonly unknown[]> => {
    const response = await app.request('/health');
    return [response.status, response.headers.get('retry-after'), await response.json()];
  };
  const healthy = [200, null, { schedules: 'healthy' }];
  const [first, second] = [respond(), respond()];
  checks[0]?.resolve(1);
  expect([await first, await second, checks.length]).toEqual([healthy, healthy, 1]);
  await vi.advanceTimersByTimeAsync(900);
  // The next check started in the background, and hangs.
  expect([await respond(), checks.length]).toEqual([healthy, 2]);
  await vi.advanceTimersByTimeAsync(100);
  const late = respond();
  checks[1]?.reject(new Error('gone'));
  expect(await late).toEqual([503, '5', { schedules: 'unhealthy' }]);
});
