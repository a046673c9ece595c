import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { DeliveryResult } from '../../../src/delivery/webhook/delivery-result.ts';
import { createSecret } from '../../../src/delivery/webhook/signatures.ts';
import { HOST, startSecureReceiver, createTestDeliverer } from '../../delivery/webhook/receivers.ts';
import { reportFault } from '../support/report-fault.ts';

const ROTATIONS = 20;
/** Concurrent events of a batch; a rotation sends three batches. */
const CONCURRENT_EVENTS = 10;

test('17: a receiver verifies every event during twenty secret rotations under load', async () => {
  let currentSecret = createSecret();
  let keys: readonly string[] = [currentSecret];
  let verified = 0;
  const failures: unknown[] = [];
  const receiver = await startSecureReceiver((request, response) => {
    const { body } = receiver.received.find(({ headers }) => headers === request.headers) ?? { body: '' };
    try {
      new Webhook(currentSecret).verify(body, request.headers as Record<string, string>);
      verified += 1;
      response.end();
    } catch (error) {
      failures.push(error);
      response.writeHead(401).end();
    }
  });
  const deliverer = createTestDeliverer();
  let nextId = 0;
  const sendBatch = (): readonly Promise<DeliveryResult>[] =>
    Array.from({ length: CONCURRENT_EVENTS }, () => {
      nextId += 1;
      const event = { id: `event-${nextId}`, body: JSON.stringify({ count: nextId }) };
      return deliverer.deliver({ url: `https://${HOST}:${receiver.port}/`, keys }, event);
    });

  const outcomes: Promise<DeliveryResult>[] = [];
  for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
    const signedOld = sendBatch();
    const secret = createSecret();
    keys = [secret, ...keys];
    const signedBoth = sendBatch();
    // The receiver switches some time after signing with the new secret starts, while events are in flight.
    await Promise.all(signedOld);
    currentSecret = secret;
    const signedBothAgain = sendBatch();
    outcomes.push(...signedOld, ...signedBoth, ...signedBothAgain);
    keys = [secret];
  }
  const undelivered = (await Promise.all(outcomes)).filter(({ kind }) => kind !== 'delivered');
  deliverer.close();
  await receiver.close();
  const figure = { rotations: ROTATIONS, verified, unverified: failures.length };
  reportFault({ fault: 17, part: 'signatures', figure, bound: 'unverified 0' });
  expect([undelivered, failures, verified]).toEqual([[], [], ROTATIONS * CONCURRENT_EVENTS * 3]);
});
