import { describe, expect, test } from 'vitest';
import { Problem } from '#http/response/problem.ts';
import type { Admission } from '#http/rate-limit/rate-limiter.ts';
import { createApiOf, summarizeResponse, serve } from '../tiny-service.ts';

describe('rate limit headers', () => {
  const limitHeaders = { 'RateLimit-Policy': '"minute";q=9;w=60', RateLimit: '"minute";r=8;t=60' };
  const seen = ({ status, headers }: Response) => [status, headers.get('ratelimit-policy'), headers.get('ratelimit')];

  const counting = (admit: () => Admission) => {
    const state = { open: 0, subscriptions: [] as number[] };
    const { send, lines } = serve({
      admit: async ({ subscriptionId }) => {
        state.subscriptions.push(subscriptionId);
        const admission = admit();
        state.open += 1;
        return {
          ...admission,
          release: () => {
            state.open -= 1;
          },
        };
      },
    });
    return { state, send, lines };
  };
  const generous = () => counting(() => ({ headers: limitHeaders, release: () => undefined }));

  test('are in every response to a known key, and the concurrency slot is released', async () => {
    const { state, send } = generous();
    const limits = Object.values(limitHeaders);
    expect(seen(await send('/flight-instances'))).toEqual([200, ...limits]);
    expect(seen(await send('/flight-instances', { method: 'HEAD' }))).toEqual([200, ...limits]);
    expect(seen(await send('/flight-instances?Limit=0'))).toEqual([400, ...limits]);
    expect(seen(await send('/flight-instances', { headers: { Accept: 'text/html' } }))).toEqual([406, ...limits]);
    expect(state).toEqual({ open: 0, subscriptions: [7, 7, 7, 7] });
  });

  test('are absent without a valid key, and no request is counted', async () => {
    const { state, send } = generous();
    const none = [null, null];
    expect(seen(await send('/flights/health', { key: null }))).toEqual([200, ...none]);
    expect(seen(await send('/flight-instances', { key: 'unknown' }))).toEqual([401, ...none]);
    expect(seen(await send('/flight-instances', { key: 'expired' }))).toEqual([403, ...none]);
    expect(seen(await send('/flight-instances?version=v9'))).toEqual([404, ...none]);
    expect(state.subscriptions).toEqual([]);
  });

  test('are absent from an internal error of an admitted request', async () => {
    const api = createApiOf(() => {
      throw new Error('broken');
    });
    const { send } = serve({ api, admit: async () => ({ headers: limitHeaders, release: () => undefined }) });
    expect(seen(await send('/flight-instances'))).toEqual([500, null, null]);
  });

  test('are in a rate limit problem too, and the log names that problem', async () => {
    const { send, lines } = counting(() => {
      throw new Problem('rate-limited', 'Later.', { headers: { ...limitHeaders, 'Retry-After': '3' } });
    });
    const response = await send('/flight-instances?Limit=0');
    expect([...seen(response), response.headers.get('retry-after')]).toEqual([
      429,
      ...Object.values(limitHeaders),
      '3',
    ]);
    expect(await summarizeResponse(response)).toBe('429 rate-limited');
    expect(lines.at(-1)).toContain('"problem":"rate-limited"');
  });
});
