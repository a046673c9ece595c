import type { IncomingHttpHeaders } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { Webhook } from 'standardwebhooks';
import { root } from '#contract/run-tool.ts';
import { resolveReference, toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import type { ReceivedRequest } from '#test/delivery/webhook/receivers.ts';
import { Contract, parseJson } from '../contract.ts';
import { countChecked } from '../responses/checker-counts.ts';

export const contract = new Contract('flight-info-alerts/v1');

export type Recipient = {
  readonly accountId: string;
  readonly alertId: string;
  /** Whether its alert has `changeIndicator`. */
  readonly hasChanges: boolean;
  /** Whether the `content` of its alert is `seats`. */
  readonly hasSeats: boolean;
  readonly secret: string;
};

/** Parses a JSON object; an invalid text has no members. */
const parseObject = (text: string): JsonObject => toJsonObject(parseJson(text)?.value);

const webhookNames: Readonly<Record<string, string>> = {
  FlightStatus: 'statusEvent',
  ScheduleInstance: 'scheduleEvent',
  Test: 'testEvent',
};

/** Returns errors of an event: its schema, its alert, and changes only for alerts that request them. */
export const checkEvent = (event: unknown, { alertId, hasChanges, hasSeats }: Recipient): readonly string[] => {
  countChecked('event');
  const { documentType, alertId: selected, ...members } = toJsonObject(event);
  const schema = documentType === 'FlightStatus' ? 'StatusEvent' : 'ScheduleEvent';
  return [
    ...contract.check(`#/components/schemas/${schema}`, event),
    // Closed as a whole: a part of it is open.
    ...contract.check('#/components/schemas/Event', event),
    ...(selected === alertId ? [] : [`alertId is ${String(selected)}, not ${alertId}`]),
    ...('seatingCapacity' in members && !hasSeats ? ['seatingCapacity without seats'] : []),
    ...('changes' in members === hasChanges
      ? []
      : [`changes: ${'changes' in members}, changeIndicator: ${hasChanges}`]),
  ];
};

const operationOf = (webhook: string): JsonObject =>
  toJsonObject(toJsonObject(toJsonObject(contract.document['webhooks'])[webhook])['post']);

const httpHeaders = new Set(['host', 'connection', 'content-type', 'content-length', 'accept-encoding', 'user-agent']);

const checkWebhookHeaders = (webhook: string, headers: IncomingHttpHeaders): readonly string[] => {
  const declared = toList(operationOf(webhook)['parameters']).map((one) =>
    toJsonObject(resolveReference(contract.document, one)),
  );
  const names = new Set(declared.map(({ name }) => String(name)));
  const undeclared = Object.keys(headers).filter((name) => !names.has(name) && !httpHeaders.has(name));
  const invalid = declared.filter(
    ({ name, schema }) =>
      !new RegExp(String(toJsonObject(schema)['pattern'])).test([headers[String(name)]].flat().join(', ')),
  );
  return [
    ...undeclared.map((name) => `undeclared header ${name}`),
    ...invalid.map(({ name }) => `invalid header ${String(name)}`),
  ];
};

/** Returns errors of a request that a webhook receiver got at a time. */
export const checkWebhook = ({ headers, body }: ReceivedRequest, recipient: Recipient, now: Date) => {
  countChecked('webhook');
  const event = parseObject(body);
  const webhook = webhookNames[String(event['documentType'])];
  if (webhook === undefined) return [`no webhook has the body ${body.slice(0, 100)}`];
  const pointer = `#/webhooks/${webhook}/post/requestBody/content/application~1json/schema`;
  const id = String(headers['webhook-id']);
  const seconds = String(Math.floor(now.getTime() / 1000));
  const signature = new Webhook(recipient.secret).sign(id, now, body);
  return [
    ...checkWebhookHeaders(webhook, headers),
    ...(headers['content-type'] === 'application/json' ? [] : [`content-type ${String(headers['content-type'])}`]),
    ...(headers['webhook-timestamp'] === seconds
      ? []
      : [`webhook-timestamp ${String(headers['webhook-timestamp'])}, not ${seconds} seconds`]),
    ...(id === event['messageId'] ? [] : [`webhook-id ${id} of the message ${String(event['messageId'])}`]),
    ...(String(headers['webhook-signature']).split(' ').includes(signature) ? [] : ['another signature']),
    ...contract.check(pointer, event),
    ...(webhook === 'testEvent' ? [] : checkEvent(event, recipient)),
  ];
};

/** Returns errors of a stream of server-sent events; `text` is complete up to its last event. */
export const checkStream = (text: string, recipient: Recipient): readonly string[] =>
  text
    .split('\n\n')
    .map((block) => new Map(block.split('\n').map((line) => [line.replace(/: ?.*/, ''), line.replace(/^\w*: ?/, '')])))
    .filter((fields) => fields.has('data'))
    // The start of the stream.
    .filter((fields) => fields.get('event') !== 'position' || fields.get('data') !== `{"position":${fields.get('id')}}`)
    .flatMap((fields) => {
      countChecked('server-sent event');
      const event = parseObject(fields.get('data') ?? '');
      const undeclared = [...fields.keys()].filter((name) => !['id', 'event', 'data'].includes(name));
      return [
        ...undeclared.map((name) => `undeclared field ${name}`),
        ...(fields.get('id') === String(event['position']) ? [] : [`id ${fields.get('id')}`]),
        ...(fields.get('event') === event['documentType'] ? [] : [`event ${fields.get('event')}`]),
        ...checkEvent(event, recipient),
      ];
    });

/** A message as a consumer of the hub receives it. */
export type ConsumedMessage = {
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

export const asyncApi = toJsonObject(
  JSON.parse(readFileSync(join(root, 'generated/flight-info-alerts/v1/asyncapi.json'), 'utf8')),
);

/** Compiles a schema of the AsyncAPI document as a consumer without OpenAPI does: with JSON Schema draft 7. */
export const compile = (schema: unknown): ((value: unknown) => readonly string[]) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile({ ...toJsonObject(schema), components: asyncApi['components'] });
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const messageSchemas = new Map(
  ['statusEvent', 'scheduleEvent'].map((name) => {
    const { payload, headers } = toJsonObject(toJsonObject(toJsonObject(asyncApi['components'])['messages'])[name]);
    const names = Object.keys(toJsonObject(toJsonObject(headers)['properties']));
    return [name, { checkPayload: compile(payload), checkHeaders: compile(headers), names }];
  }),
);

/** Returns the subject of an event by the address of the channel. */
const subjectOf = (event: JsonObject, accountId: string): string => {
  const { iata, icao } = toJsonObject(event['carrierCode']);
  const values: Readonly<Record<string, string>> = {
    accountId,
    product: event['documentType'] === 'FlightStatus' ? 'status' : 'schedules',
    carrier: [iata, icao, '_'].find((code) => typeof code === 'string') ?? '_',
    flight: String(Number(event['flightNumber'])),
  };
  const { address } = toJsonObject(toJsonObject(asyncApi['channels'])['events']);
  return String(address).replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
};

export const checkHubMessage = (message: ConsumedMessage, recipient: Recipient): readonly string[] => {
  countChecked('hub message');
  const { subject, headers, text } = message;
  const event = parseObject(text);
  const schemas = messageSchemas.get(webhookNames[String(event['documentType'])] ?? '');
  if (!schemas) return [`no message has the payload ${text.slice(0, 100)}`];
  const expected = subjectOf(event, recipient.accountId);
  const known = new Set(schemas.names);
  return [
    // The client library adds what the broker checks when it stores a message.
    ...Object.keys(headers)
      .filter((name) => !known.has(name) && !name.startsWith('Nats-Expected-'))
      .map((name) => `undeclared header ${name}`),
    ...schemas.checkHeaders(headers),
    ...schemas.checkPayload(event),
    ...(subject === expected ? [] : [`subject ${subject}, not ${expected}`]),
    ...(headers['Event-Id'] === event['messageId'] ? [] : [`Event-Id ${headers['Event-Id']}`]),
    ...(headers['Position'] === String(event['position']) ? [] : [`Position ${headers['Position']}`]),
    ...(headers['Nats-Msg-Id'] === `${recipient.accountId}.${String(event['messageId'])}`
      ? []
      : [`Nats-Msg-Id ${headers['Nats-Msg-Id']}`]),
    ...checkEvent(event, recipient),
  ];
};
