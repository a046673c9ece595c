import { expect, test } from 'vitest';
import type { PageContext } from '#http/context/env.ts';
import { sendRendered } from '#http/context/body.ts';
import { createApiOf, serve } from '../tiny-service.ts';

test('sends the headers that a handler sets with c.header, whatever it returns', async () => {
  const returned = {
    rendered: (c: PageContext) => sendRendered(c, Buffer.from('{}')),
    json: (c: PageContext) => c.json({}, 200, { 'X-Given': 'yes' }),
    nothing: (c: PageContext) => c.body(null, 204),
  };
  const seen: Record<string, unknown> = {};
  for (const [name, respond] of Object.entries(returned)) {
    const api = createApiOf((c) => {
      c.header('X-One', 'first');
      c.header('X-One', 'second', { append: true });
      c.header('X-Two', 'dropped');
      c.header('X-Two', undefined);
      c.header('Cache-Control', 'no-store');
      return respond(c);
    });
    const { headers } = await serve({ api }).send('/flight-instances');
    seen[name] = ['x-one', 'x-two', 'cache-control', 'x-given'].map((header) => headers.get(header));
  }
  expect(seen).toEqual({
    rendered: ['first, second', null, 'no-store', null],
    json: ['first, second', null, 'no-store', 'yes'],
    nothing: ['first, second', null, 'no-store', null],
  });
});
