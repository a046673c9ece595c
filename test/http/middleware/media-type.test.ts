import { expect, test } from 'vitest';
import { serve, summarizeResponse } from '../tiny-service.ts';

test('a request that accepts JSON is served; the problem of another one names what it excludes', async () => {
  const { send } = serve();
  const request = (accept: string) => send('/flight-instances', { headers: { Accept: accept } });
  expect(await summarizeResponse(await request('application/json'))).toBe('200 v3');
  expect(await (await request('text/html')).json()).toMatchObject({
    status: 406,
    detail: 'The response is application/json, which the header Accept excludes.',
  });
});
