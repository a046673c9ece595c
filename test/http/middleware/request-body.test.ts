import { expect, test } from 'vitest';
import { createApi } from '#http/handler/create-api.ts';
import { serve } from '../tiny-service.ts';

test('a body without compression is passed on, and a compressed one is rejected', async () => {
  const api = createApi({ reads: 'primary' });
  api.post('/flight-instances', async (c) => c.json(await c.req.json(), 200));
  const { send } = serve({ api });
  const post = async (encoding: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json', ...encoding };
    const response = await send('/flight-instances', { method: 'POST', body: '{"legs":[]}', headers });
    return response.json();
  };
  const detail = "Send the body without compression, not with Content-Encoding 'gzip'.";
  expect(await post({})).toEqual({ legs: [] });
  expect(await post({ 'Content-Encoding': 'Identity' })).toEqual({ legs: [] });
  expect(await post({ 'Content-Encoding': 'gzip' })).toMatchObject({ status: 415, detail });
});
