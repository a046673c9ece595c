import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveReference, toList, toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';
import { createKeyPair, createSecret } from '../../src/delivery/webhook/signing-keys.ts';
import { fullScheduleContent, fullStatusContent } from '../domain/events/event-contents.ts';
import { plainEndpoint, plainReceiver, testDeliverer } from '../delivery/webhook/receivers.ts';
import { Contract } from './contract.ts';
import { renderScheduleDeliveries, renderStatusDeliveries } from './services/delivered-events.ts';

const contract = new Contract('flight-info-alerts/v1');
const deliverer = testDeliverer();
afterAll(() => deliverer.close());

const operationOf = (webhook: string): JsonObject =>
  toJsonObject(toJsonObject(toJsonObject(contract.document['webhooks'])[webhook])['post']);

/** In what a request breaks what the document says of a webhook: its headers and its body. */
const complaints = (webhook: string, headers: IncomingHttpHeaders, body: string): readonly string[] => {
  const operation = operationOf(webhook);
  const declared = toList(operation['parameters']).map((one) => toJsonObject(resolveReference(contract.document, one)));
  const wrong = declared.filter(({ name, schema }) => {
    const { pattern } = toJsonObject(schema);
    return !new RegExp(String(pattern)).test([headers[String(name)]].flat().join(', '));
  });
  const names = new Set(declared.map(({ name }) => name));
  const stray = Object.keys(headers).filter((name) => name.startsWith('webhook-') && !names.has(name));
  const pointer = `#/webhooks/${webhook}/post/requestBody/content/application~1json/schema`;
  return [...wrong.map(({ name }) => String(name)), ...stray, ...contract.check(pointer, JSON.parse(body))];
};

const events = {
  statusEvent: renderStatusDeliveries(undefined, fullStatusContent)[0],
  scheduleEvent: renderScheduleDeliveries({ kind: 'never' }, fullScheduleContent)[0],
};

test.each(Object.entries(events))('a %s is sent as the document says', async (webhook, event) => {
  const receiver = await plainReceiver((_, response) => void response.writeHead(204).end());
  const body = JSON.stringify(event);
  const id = String(toJsonObject(event)['messageId']);
  const keys = [createSecret(), createSecret(), createKeyPair().privateKey];
  const outcome = await deliverer.deliver({ ...plainEndpoint(receiver), keys }, { id, body });
  const [{ headers, body: sent } = { headers: {}, body: '' }] = receiver.received;
  await receiver.close();
  expect([outcome.kind, receiver.received.length, sent, headers['webhook-id'], headers['content-type']]).toEqual([
    'delivered',
    1,
    body,
    id,
    'application/json',
  ]);
  expect(complaints(webhook, headers, sent)).toEqual([]);
  expect(complaints(webhook, { ...headers, 'webhook-signature': 'none', 'webhook-extra': '' }, sent)).toEqual([
    'webhook-signature',
    'webhook-extra',
  ]);
});

/** What becomes of an event by the answer of its receiver. */
const outcomeOf = async (status: number, headers: Readonly<Record<string, string>> = {}) => {
  const receiver = await plainReceiver((_, response) => void response.writeHead(status, headers).end());
  const outcome = await deliverer.deliver(plainEndpoint(receiver), { id: 'e', body: '{}' });
  await receiver.close();
  return outcome;
};

describe('answers mean what the document says', () => {
  test('of each webhook the same', () => {
    const answers = Object.keys(toJsonObject(contract.document['webhooks'])).map(
      (webhook) => operationOf(webhook)['responses'],
    );
    expect(answers.length).toBeGreaterThan(1);
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(Object.keys(toJsonObject(answers[0])).toSorted()).toEqual(['2XX', '410', '429', '503', 'default']);
  });

  test('2XX: taken; 410: no more', async () => {
    const kinds = [];
    for (const status of [200, 202, 204, 299, 410]) kinds.push((await outcomeOf(status)).kind);
    expect(kinds).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'gone']);
  });

  test('429 and 503: not now, and not before the time in Retry-After', async () => {
    expect([await outcomeOf(429, { 'retry-after': '120' }), await outcomeOf(503, { 'retry-after': '120' })]).toEqual([
      expect.objectContaining({ kind: 'retry', retryAfterSeconds: 120 }),
      expect.objectContaining({ kind: 'retry', retryAfterSeconds: 120 }),
    ]);
  });

  test('any other: a failure, after which it is sent again', async () => {
    const kinds = [];
    for (const status of [301, 400, 401, 404, 413, 501]) kinds.push((await outcomeOf(status)).kind);
    expect(kinds.filter((kind) => kind !== 'failed' && kind !== 'retry')).toEqual([]);
  });
});
