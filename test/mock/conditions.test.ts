import { expect, test } from 'vitest';
import { serveMock } from './serve-mock.ts';

const { send, get } = serveMock();

const key = { 'Subscription-Key': 'any' };
const ALERT = '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1';

const tagOf = (response: Response): string => response.headers.get('etag') ?? '';

test('returns 304 for a matching If-None-Match', async () => {
  const first = await get('/locations');
  expect(tagOf(first)).toMatch(/^"[\w-]{43}"$/);
  const again = await get('/locations', { 'If-None-Match': tagOf(first) });
  expect([again.status, await again.text(), tagOf(again)]).toEqual([304, '', tagOf(first)]);
  expect((await get('/locations', { 'If-None-Match': '"another"' })).status).toBe(200);
  const preferred = await get('/locations', { Prefer: 'code=304' });
  expect([preferred.status, await preferred.text(), tagOf(preferred)]).toEqual([304, '', tagOf(first)]);
});

test('returns 412 for an outdated If-Match', async () => {
  const path = `/flight-info-alerts/alerts`;
  const tag = tagOf(await get(`${path}/${ALERT}`));
  const change = (ifMatch: string): Promise<Response> =>
    send(path, {
      method: 'PATCH',
      headers: { ...key, 'Content-Type': 'application/json', 'If-Match': ifMatch },
      body: JSON.stringify({ alertId: ALERT, active: false }),
    });
  expect((await change('"another"')).status).toBe(412);
  const changed = await change(tag);
  expect(changed.status).toBe(200);
  expect((await change(tagOf(changed))).status).toBe(200);
});

test('returns no body to HEAD', async () => {
  const response = await send('/locations', { method: 'HEAD', headers: key });
  expect([response.status, await response.text()]).toEqual([200, '']);
});
