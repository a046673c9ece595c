import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { DeliveryResult } from '../../../src/delivery/webhook/delivery-result.ts';
import { createSecret } from '../../../src/delivery/webhook/signing-keys.ts';
import { HOST, startSecureReceiver, createTestDeliverer } from '../../delivery/webhook/receivers.ts';
import { reportFault } from '../support/report-fault.ts';

const ROTATIONS = 20;
/** Events that are sent at once; three times as many in a rotation. */
const CONCURRENT_EVENTS = 10;

test('17: a receiver verifies every event while its secret is replaced twenty times under load', async () => {
  let held = createSecret();
  let keys: readonly string[] = [held];
  let verified = 0;
  const failures: unknown[] = [];
  const receiver = await startSecureReceiver((request, response) => {
    const { body } = receiver.received.find(({ headers }) => headers === request.headers) ?? { body: '' };
    try {
      new Webhook(held).verify(body, request.headers as Record<string, string>);
      verified += 1;
      response.end();
    } catch (error) {
      failures.push(error);
      response.writeHead(401).end();
    }
  });
  const deliverer = createTestDeliverer();
  let count = 0;
  const sendSome = (): readonly Promise<DeliveryResult>[] =>
    Array.from({ length: CONCURRENT_EVENTS }, () => {
      count += 1;
      const event = { id: `event-${count}`, body: JSON.stringify({ count }) };
      return deliverer.deliver({ url: `https://${HOST}:${receiver.port}/`, keys }, event);
    });

  const outcomes: Promise<DeliveryResult>[] = [];
  for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
    const underOld = sendSome();
    const secret = createSecret();
    keys = [secret, ...keys];
    const underBoth = sendSome();
    // The receiver changes over some time after the new secret is signed with, while events are under way.
    await Promise.all(underOld);
    held = secret;
    const underBothStill = sendSome();
    outcomes.push(...underOld, ...underBoth, ...underBothStill);
    keys = [secret];
  }
  const undelivered = (await Promise.all(outcomes)).filter(({ kind }) => kind !== 'delivered');
  deliverer.close();
  await receiver.close();
  const figure = { rotations: ROTATIONS, verified, not: failures.length };
  reportFault({ fault: 17, part: 'signatures', figure, bound: 'not verified 0' });
  expect([undelivered, failures, verified]).toEqual([[], [], ROTATIONS * CONCURRENT_EVENTS * 3]);
});
