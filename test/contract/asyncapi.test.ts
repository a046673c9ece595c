import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { buildAsyncApi } from '#contract/generate-asyncapi.ts';
import { resolveReference, toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { formatStreamSubjects, formatSubject, formatAccountSubjects } from '#delivery/hub/hub-names.ts';
import { fullScheduleContent, fullStatusContent } from '../products/flight-info-alerts/v1/events/event-contents.ts';
import { scheduleEvent, statusEvent } from '../domain/alerts/sample-events.ts';
import { asyncApi, compile, contract } from './live/check-delivery.ts';
import { renderScheduleDeliveries, renderStatusDeliveries } from './services/delivered-events.ts';

const part = (...keys: readonly string[]): JsonObject =>
  keys.reduce<JsonObject>((node, key) => toJsonObject(node[key]), asyncApi);

const require = createRequire(import.meta.url);

/** The official JSON Schema of AsyncAPI 3.0.0. It embeds a copy of a schema that the validator already has. */
const official = (() => {
  const { definitions, ...rest } = toJsonObject(
    JSON.parse(readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0.json'), 'utf8')),
  );
  const { 'http://json-schema.org/draft-07/schema': _, ...others } = toJsonObject(definitions);
  return { ...rest, definitions: others };
})();

describe('the document', () => {
  const faults = compile(official);

  test('conforms to the official schema of AsyncAPI 3', () => {
    expect(faults(asyncApi)).toEqual([]);
  });

  test('has no broken reference', () => {
    const references = [...JSON.stringify(asyncApi).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => ({
      $ref: reference,
    }));
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((one) => resolveReference(asyncApi, one) === undefined)).toEqual([]);
  });
});

test('types within a schema have titles of their own, which generators use as names', () => {
  const listTypes = (value: unknown): readonly JsonObject[] =>
    Object.values(toJsonObject(value)).flatMap((one) => {
      const member = toJsonObject(one);
      const isType = ['properties', 'enum', 'allOf'].some((name) => name in member);
      return [...(isType ? [member] : []), ...listTypes(member)];
    });
  const nested = Object.values(part('components', 'schemas')).flatMap(listTypes);
  const titles = nested.map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(50);
  expect(titles.filter((title, index) => title === undefined || titles.indexOf(title) !== index)).toEqual([]);
  expect(titles).toContain('EventStatusDepartureTimesEstimated');
});

describe('the messages', () => {
  const status = compile(part('components', 'messages', 'statusEvent')['payload']);
  const schedule = compile(part('components', 'messages', 'scheduleEvent')['payload']);

  test('reject other events', () => {
    const [one] = renderStatusDeliveries(undefined, fullStatusContent);
    const [another] = renderScheduleDeliveries({ kind: 'never' }, fullScheduleContent);
    expect([
      status(another).length > 0,
      schedule(one).length > 0,
      status({ ...toJsonObject(one), state: 'Late' }),
    ]).toEqual([true, true, ['/state must be equal to one of the allowed values']]);
  });

  test('have the members of the OpenAPI document', () => {
    for (const name of ['StatusEvent', 'ScheduleEvent']) {
      const { required, properties } = contract.schema(name);
      const own = part('components', 'schemas', name);
      expect([own['required'], Object.keys(toJsonObject(own['properties']))]).toEqual([
        required,
        Object.keys(toJsonObject(properties)),
      ]);
    }
  });

  test('have valid event examples', () => {
    const examplesOf = (name: string) => toList(part('components', 'messages', name)['examples']).map(toJsonObject);
    const [first, second] = [examplesOf('statusEvent'), examplesOf('scheduleEvent')];
    expect([...first, ...second].map(({ name }) => name)).toEqual(['tookOff', 'diverted', 'retimed', 'deleted']);
    const errors = [...first.map((one) => status(one['payload'])), ...second.map((one) => schedule(one['payload']))];
    expect(errors.flat()).toEqual([]);
  });
});

test('the channel address is the subject under which events are published', () => {
  const { address, parameters, description } = part('channels', 'events');
  const { product } = toJsonObject(parameters);
  const subjects = toList(toJsonObject(product)['enum']).map((name) =>
    String(address).replace('{product}', String(name)).replace('{carrier}', 'ZZ').replace('{flight}', '101'),
  );
  expect([statusEvent, scheduleEvent].map((event) => formatSubject('{accountId}', event))).toEqual(subjects);
  expect(String(description)).toContain(formatAccountSubjects('FLIGHT_EVENTS', '<accountId>'));
  expect([formatStreamSubjects('FLIGHT_EVENTS'), formatStreamSubjects('A')]).toEqual(['events.>', 'A.events.>']);
});

test('building an AsyncAPI document rejects an unknown schema and a message without a webhook', () => {
  const message = { payload: { $ref: '#/components/schemas/Thing' } };
  const channels = { components: { messages: { thing: message } } };
  const content = { 'application/json': { schema: message.payload, examples: { one: { summary: 'One', value: {} } } } };
  const webhooks = { thing: { post: { requestBody: { content } } } };
  expect(() => buildAsyncApi(channels, { webhooks })).toThrow(/'Thing' of a message is none/);
  const components = { schemas: { Thing: { type: 'object' } } };
  expect(() => buildAsyncApi(channels, { components })).toThrow(/no webhook has examples of the message 'thing'/);
});
