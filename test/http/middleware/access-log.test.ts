import { describe, expect, test } from 'vitest';
import { serve } from '../tiny-service.ts';

describe('the log', () => {
  test('has one line for each request, without the key', async () => {
    const { send, lines } = serve();
    const response = await send('/flight-instances/?Limit=5&version=V2', {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    });
    const bytes = (await response.arrayBuffer()).byteLength;
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: '2026-04-01T12:00:00.000Z',
      requestId: '0af7651916cd43dd8448eb211c80319c',
      method: 'GET',
      path: '/flight-instances/',
      query: 'Limit=5&version=V2',
      status: 200,
      bytes,
      durationMs: expect.any(Number),
      product: 'flight-info',
      version: 'v2',
      subscriptionId: 7,
      keyHint: 'goo',
    });
  });

  test('of a rejection names the problem, and only the fields known by then', async () => {
    const { send, lines } = serve();
    await send('/nowhere');
    await send('/flight-instances', { key: 'unknown' });
    const [unknown, rejected] = lines.map((line): unknown => JSON.parse(line));
    expect(unknown).toMatchObject({ status: 404, problem: 'unknown-path' });
    expect(unknown).not.toHaveProperty('product');
    expect(rejected).toMatchObject({ status: 401, problem: 'key-invalid', product: 'flight-info', version: 'v3' });
    expect(rejected).not.toHaveProperty('subscriptionId');
  });

  test('has paths and queries as sent where keys are not looked up', async () => {
    const checkKey = async () => ({ subscriptionId: 7, products: ['flight-info'], revoked: false });
    const { send, lines } = serve({ checkKey });
    await send('/flight-instances?CarrierCode=BA');
    expect(JSON.parse(lines.join(''))).toMatchObject({ path: '/flight-instances', query: 'CarrierCode=BA' });
  });

  test('and the responses never contain a key, valid or not, wherever the client sent it', async () => {
    const { send, lines } = serve();
    const key = '0123456789abcdef0123456789abcdef';
    const places = [
      `/flight-instances?Subscription-Key=${key}`,
      `/flight-instances?x=1&subscription%2Dkey=${key}&Limit=0`,
      `/flight-instances?apikey=${key}`,
    ];
    for (const path of places) {
      const response = await send(path, { key });
      expect(await response.text()).not.toContain(key);
      expect([...response.headers].join()).not.toContain(key);
    }
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain(key);
  });

  test('stays one line for any request', async () => {
    const { send, lines } = serve();
    const nasty = [
      '/%0d%0aSet-Cookie:x',
      '/\u001b[31mred',
      '/?a=%0A%7B%22level%22%3A%22fatal%22%7D',
      '/"}\\',
      '/\u2028\u0085',
      `/${'x'.repeat(9000)}`,
    ];
    for (const path of nasty) await send(path);
    expect(lines).toHaveLength(nasty.length);
    for (const line of lines) {
      // oxlint-disable-next-line no-control-regex
      expect(line).toMatch(/^\{[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*\}\n$/);
      expect(line.length).toBeLessThan(3000);
    }
  });
});
