import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveReference, toList, toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';
import { createKeyPair, createSecret } from '../../src/delivery/webhook/signatures.ts';
import { fullScheduleContent, fullStatusContent } from '../domain/events/event-contents.ts';
import { createPlainEndpoint, startPlainReceiver, createTestDeliverer } from '../delivery/webhook/receivers.ts';
import { Contract } from './contract.ts';
import { renderScheduleDeliveries, renderStatusDeliveries } from './services/delivered-events.ts';

const contract = new Contract('flight-info-alerts/v1');
const deliverer = createTestDeliverer();
afterAll(() => deliverer.close());

const operationOf = (webhook: string): JsonObject =>
  toJsonObject(toJsonObject(toJsonObject(contract.document['webhooks'])[webhook])['post']);

/** Returns the violations of a webhook request: its headers and its body. */
const findViolations = (webhook: string, headers: IncomingHttpHeaders, body: string): readonly string[] => {
  const operation = operationOf(webhook);
  const declared = toList(operation['parameters']).map((one) => toJsonObject(resolveReference(contract.document, one)));
  const invalid = declared.filter(({ name, schema }) => {
    const { pattern } = toJsonObject(schema);
    return !new RegExp(String(pattern)).test([headers[String(name)]].flat().join(', '));
  });
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = Object.keys(headers).filter((name) => name.startsWith('webhook-') && !names.has(name));
  const pointer = `#/webhooks/${webhook}/post/requestBody/content/application~1json/schema`;
  return [...invalid.map(({ name }) => String(name)), ...undeclared, ...contract.check(pointer, JSON.parse(body))];
};

const events = {
  statusEvent: renderStatusDeliveries(undefined, fullStatusContent)[0],
  scheduleEvent: renderScheduleDeliveries({ kind: 'never' }, fullScheduleContent)[0],
};

test.each(Object.entries(events))('sends a %s as the document says', async (webhook, event) => {
  const receiver = await startPlainReceiver((_, response) => void response.writeHead(204).end());
  const body = JSON.stringify(event);
  const id = String(toJsonObject(event)['messageId']);
  const keys = [createSecret(), createSecret(), createKeyPair().privateKey];
  const result = await deliverer.deliver({ ...createPlainEndpoint(receiver), keys }, { id, body });
  const [{ headers, body: sent } = { headers: {}, body: '' }] = receiver.received;
  await receiver.close();
  expect([result.kind, receiver.received.length, sent, headers['webhook-id'], headers['content-type']]).toEqual([
    'delivered',
    1,
    body,
    id,
    'application/json',
  ]);
  expect(findViolations(webhook, headers, sent)).toEqual([]);
  expect(findViolations(webhook, { ...headers, 'webhook-signature': 'none', 'webhook-extra': '' }, sent)).toEqual([
    'webhook-signature',
    'webhook-extra',
  ]);
});

/** Returns the delivery result for a response of the receiver. */
const deliverTo = async (status: number, headers: Readonly<Record<string, string>> = {}) => {
  const receiver = await startPlainReceiver((_, response) => void response.writeHead(status, headers).end());
  const result = await deliverer.deliver(createPlainEndpoint(receiver), { id: 'e', body: '{}' });
  await receiver.close();
  return result;
};

describe('receiver responses have the documented effect', () => {
  test('every webhook declares the same responses', () => {
    const responses = Object.keys(toJsonObject(contract.document['webhooks'])).map(
      (webhook) => operationOf(webhook)['responses'],
    );
    expect(responses.length).toBeGreaterThan(1);
    expect(responses).toEqual(responses.map(() => responses[0]));
    expect(Object.keys(toJsonObject(responses[0])).toSorted()).toEqual(['2XX', '410', '429', '503', 'default']);
  });

  test('2XX is delivered; 410 disables the endpoint', async () => {
    const kinds = [];
    for (const status of [200, 202, 204, 299, 410]) kinds.push((await deliverTo(status)).kind);
    expect(kinds).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'gone']);
  });

  test('429 and 503 pause the endpoint until the time in Retry-After', async () => {
    expect([await deliverTo(429, { 'retry-after': '120' }), await deliverTo(503, { 'retry-after': '120' })]).toEqual([
      expect.objectContaining({ kind: 'retry', retryAfterSeconds: 120 }),
      expect.objectContaining({ kind: 'retry', retryAfterSeconds: 120 }),
    ]);
  });

  test('any other status is a failure and is retried', async () => {
    const kinds = [];
    for (const status of [301, 400, 401, 404, 413, 501]) kinds.push((await deliverTo(status)).kind);
    expect(kinds.filter((kind) => kind !== 'failed' && kind !== 'retry')).toEqual([]);
  });
});
