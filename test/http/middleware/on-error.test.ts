import { describe, expect, test } from 'vitest';
import { Problem } from '#http/response/problem.ts';
import { createApiOf, serve, summarizeResponse } from '../tiny-service.ts';

describe('a failure', () => {
  const throwing = (error: Error) => ({
    api: createApiOf(() => {
      throw error;
    }),
  });

  test('that is a Problem is returned as it is', async () => {
    const problem = new Problem('not-found', 'No flight with this key.', { headers: { 'X-Extra': '1' } });
    const response = await serve(throwing(problem)).send('/flight-instances?x=secret');
    const headers = ['content-type', 'x-extra', 'cache-control'].map((name) => response.headers.get(name));
    expect(headers).toEqual(['application/problem+json', '1', 'no-store']);
    expect(await response.json()).toEqual({
      type: '/docs/errors#not-found',
      title: 'Not found',
      status: 404,
      detail: 'No flight with this key.',
      statusCode: 404,
      message: 'No flight with this key.',
      instance: '/flight-instances',
      traceId: response.headers.get('x-request-id'),
    });
  });

  test.each([
    ['https://flights.example/api/', '/api/docs/errors#not-found'],
    ['https://flights.example', '/docs/errors#not-found'],
  ])('below %s has a type that leads to the documentation there', async (publicUrl, type) => {
    const problem = new Problem('not-found', 'No flight with this key.');
    const response = await serve({ ...throwing(problem), publicUrl }).send('/flight-instances');
    expect(await response.json()).toMatchObject({ type });
  });

  test.each([
    ['//flight-instances/?Limit=0', 400],
    ['//flight-instances/?version=v9', 404],
  ])('at %s has the path as it is in the contract', async (path, status) => {
    expect(await (await serve().send(path)).json()).toMatchObject({ status, instance: '/flight-instances' });
  });

  test('that is unexpected is a 500 without details and is logged', async () => {
    const { send, lines } = serve(throwing(new Error('password of the database is hunter2')));
    const response = await send('/flight-instances');
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain('hunter2');
    expect(lines[0]).toContain('hunter2');
    expect(lines[0]).toContain(response.headers.get('x-request-id'));
  });

  test('of a dependency is a 503 with Retry-After and is logged; a temporary rejection is not logged', async () => {
    const unavailable = new Error('ECONNREFUSED');
    const request = async (error: Error): Promise<readonly unknown[]> => {
      const { send, lines } = serve({ ...throwing(error), isUnavailable: (one) => one === unavailable });
      const response = await send('/flight-instances');
      const levels = async () => [await summarizeResponse(response), ...lines.map((line) => JSON.parse(line).level)];
      return [response.headers.get('retry-after'), ...(await levels())];
    };
    expect(await request(unavailable)).toEqual(['5', '503 unavailable', 'error', 'info']);
    const building = new Problem('unavailable', 'It is being built.');
    expect(await request(building)).toEqual([null, '503 unavailable', 'info']);
  });
});
