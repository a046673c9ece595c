import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Env } from '#http/context/env.ts';
import { inOrder, type Step } from '#http/middleware/in-order.ts';

/** Sends a request through steps of these names, and returns what ran and the status. A step can wait, reject or throw. */
const sendThrough = async (steps: Readonly<Record<string, Step>>) => {
  const ran: string[] = [];
  const app = new Hono<Env>();
  const noted = Object.entries(steps).map(([name, step]): Step => (c) => {
    ran.push(name);
    return step(c);
  });
  app.use(inOrder(...noted));
  app.get('/', (c) => {
    ran.push('handler');
    return c.text('');
  });
  app.onError((error, c) => c.text(error.message, 400));
  const response = await app.request('/');
  return { ran, response: `${response.status} ${await response.text()}`.trim() };
};

const pass: Step = () => {};
const wait: Step = () => Promise.resolve();

test('steps run one after the other, those after a step that waits too, and then the handler', async () => {
  expect(await sendThrough({ a: pass, b: wait, c: pass, d: wait })).toEqual({
    ran: ['a', 'b', 'c', 'd', 'handler'],
    response: '200',
  });
});

test.each<[string, Step]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects after it waited', () => Promise.reject(new Error('no'))],
])('a step that %s ends the request', async (_, step) => {
  expect(await sendThrough({ a: wait, b: step, c: pass })).toEqual({ ran: ['a', 'b'], response: '400 no' });
});
