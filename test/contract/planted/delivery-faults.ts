import type { WebhookEndpoint } from '#delivery/webhook/deliverer.ts';
import { createSecret, type OutgoingEvent } from '#delivery/webhook/signatures.ts';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';

/** An attempt to deliver an event to an endpoint, by a deliverer with a clock. */
export type Attempt = {
  readonly endpoint: WebhookEndpoint;
  readonly event: OutgoingEvent;
  readonly isInMilliseconds?: boolean;
};

const editBody =
  (change: (body: string) => string) =>
  ({ endpoint, event }: Attempt): Attempt => ({ endpoint, event: { ...event, body: change(event.body) } });
const editEvent = (change: (event: JsonObject) => JsonObject) =>
  editBody((body) => JSON.stringify(change(toJsonObject(JSON.parse(body)))));

/** Faults of an event in any channel, as changes of its JSON text. */
export const eventFaults: readonly (readonly [
  name: string,
  change: (event: JsonObject) => JsonObject,
  message: RegExp,
])[] = [
  ['no alertId', ({ alertId: _, ...event }) => event, /required property 'alertId'/],
  ['another alertId', (event) => ({ ...event, alertId: event['messageId'] }), /alertId is/],
  ['a number as messageTimestamp', (e) => ({ ...e, messageTimestamp: 1 }), /messageTimestamp must be string/],
  ['no position', ({ position: _, ...event }) => event, /required property 'position'/],
  ['an undeclared property', (event) => ({ ...event, surprise: 1 }), /surprise/],
  ['a state that is not enumerated', (event) => ({ ...event, state: 'Strange' }), /allowed values/],
  [
    'changes against changeIndicator',
    ({ changes, ...event }) => (changes === undefined ? { ...event, changes: [] } : event),
    /changeIndicator/,
  ],
];

export const webhookFaults: readonly (readonly [
  name: string,
  plant: (attempt: Attempt) => Attempt,
  message: RegExp,
])[] = [
  ...eventFaults.map(([name, change, message]) => [name, editEvent(change), message] as const),
  ['half a body', editBody((body) => body.slice(0, 40)), /no webhook has the body/],
  [
    'an undeclared header',
    ({ endpoint, event }) => ({ event, endpoint: { ...endpoint, header: { name: 'x-extra', value: '1' } } }),
    /undeclared header x-extra/,
  ],
  ['a timestamp in milliseconds', (attempt) => ({ ...attempt, isInMilliseconds: true }), /webhook-timestamp \d+, not/],
  ['another id', ({ endpoint, event }) => ({ endpoint, event: { ...event, id: 'other' } }), /webhook-id other/],
  [
    'a signature by another key',
    ({ endpoint, event }) => ({ event, endpoint: { ...endpoint, keys: [createSecret()] } }),
    /another signature/,
  ],
];

/** The name of a fault, what it replaces in a frame by a text of equal length, and the message that must report it. */
type HubFault = readonly [name: string, pattern: RegExp, replacement: string, message: RegExp];

/** Changes of the frames that the service sends to the broker. */
export const hubFaults: readonly HubFault[] = [
  ['no alertId', /"alertId"/, '"alertIx"', /required property 'alertId'/],
  ['a number as messageTimestamp', /"messageTimestamp":"(\d+)"/, '"messageTimestamp": $1 ', /messageTimestamp must be/],
  ['another position', /"position":\d/, '"position":7', /Position \d/],
  ['no version', /"version"/, '"verzion"', /required property 'version'/],
  ['an undeclared header', /Event-Id: /, 'Event-Ix: ', /undeclared header Event-Ix/],
  ['another message ID', /Nats-Msg-Id: ./, 'Nats-Msg-Id: x', /Nats-Msg-Id x/],
  ['a position that is no number', /Position: \d/, 'Position: x', /Position must match/],
  ['another subject', /\.status\./, '.statux.', /subject events.*statux/],
];
