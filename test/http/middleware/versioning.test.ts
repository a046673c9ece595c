import { describe, expect, test } from 'vitest';
import { serve } from '../tiny-service.ts';

describe('headers', () => {
  test('of a current version have its name and no end dates', async () => {
    const { headers } = await serve().send('/flight-instances', {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    });
    expect(Object.fromEntries(headers)).toEqual({
      'api-version': 'v3',
      'cache-control': 'private, no-cache',
      'content-length': '158',
      'content-type': 'application/json',
      vary: 'Subscription-Key, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': '0af7651916cd43dd8448eb211c80319c',
    });
  });

  test('of a deprecated version have its end date and successor, also in problems', async () => {
    const { headers } = await serve().send('//flight-instances/?version=v2&Limit=0');
    expect(['api-version', 'deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual([
      'v2',
      'true',
      'Tue, 02 Mar 2027 00:00:00 GMT',
      '</flight-instances?version=v3>; rel="successor-version", </docs/flight-info/v2>; rel="deprecation"; type="text/html"',
    ]);
  });

  test('never contain CORS headers', async () => {
    const { send } = serve();
    const preflight = { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'GET' };
    for (const path of ['/flight-instances', '/flights/health', '/nowhere', '/flight-instances?version=v1'])
      for (const method of ['GET', 'OPTIONS', 'HEAD']) {
        const { headers } = await send(path, { method, headers: preflight });
        expect([...headers.keys()].join()).not.toContain('access-control');
      }
  });
});
