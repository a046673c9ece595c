import { randomBytes, randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provisionHubAccess, type HubAccess } from '#delivery/hub/hub-access.ts';
import { openHub } from '#delivery/hub/hub-connection.ts';
import { connectAsService } from '#test/support/hub/hub-messages.ts';
import { hasNatsServer, startBroker, type Broker } from '#test/support/hub/nats-server.ts';

const secret = randomBytes(32);
const [ada, bob] = [randomUUID(), randomUUID()];
const clock = (): Date => new Date();

let broker: Broker;
let adas: HubAccess;
let bobs: HubAccess;
let connection: NatsConnection;

const log = (access: HubAccess): Promise<NatsConnection> =>
  connect({
    servers: access.url,
    authenticator: credsAuthenticator(Buffer.from(access.credentials)),
    inboxPrefix: access.inboxPrefix,
    reconnect: false,
  });

const eventsOf = (accountId: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    subject: `events.${accountId}.status.ZX.1`,
    id: `${accountId}.${from + index}`,
    headers: { 'Event-Id': randomUUID(), Position: String(from + index) },
    text: `{"position":${from + index}}`,
  }));

/** Returns the messages of the stream, and the positions of the consumers. */
const state = (): Promise<object> =>
  connectAsService(broker, async (service) => {
    const jsm = await jetstreamManager(service);
    const { state, config } = await jsm.streams.info('FLIGHT_EVENTS');
    const consumers = await jsm.consumers.list('FLIGHT_EVENTS').next();
    return {
      messages: state.messages,
      last: state.last_seq,
      subjects: config.subjects,
      consumers: new Map(consumers.map(({ name, num_ack_pending: pending }) => [name, pending])),
    };
  });

describe.skipIf(!hasNatsServer)('credentials for the hub', () => {
  beforeAll(async () => {
    broker = await startBroker(secret);
    const options = { url: broker.url, keys: broker.keys, clock, secret };
    adas = await provisionHubAccess(options, { accountId: ada, group: 'default', days: 1 });
    bobs = await provisionHubAccess(options, { accountId: bob, group: 'default', days: 1 });
    const hub = await openHub(options);
    await hub.publish([...eventsOf(ada, 1, 3), ...eventsOf(bob, 1, 3)], 0);
    await hub.close();
    connection = await log(adas);
  });
  afterAll(async () => {
    await connection.close();
    await broker.drop();
  });

  test('an account receives its own events in order, with their number', async () => {
    const consumer = await jetstream(connection, { apiPrefix: 'hub' }).consumers.get(adas.stream, adas.consumer);
    expect(await consumer.info()).toMatchObject({ num_pending: 3, config: { filter_subject: `events.${ada}.>` } });
    const received: string[] = [];
    for await (const message of await consumer.fetch({ max_messages: 10, expires: 1000 })) {
      received.push(message.string());
      expect(await message.ackAck()).toBe(true);
    }
    expect(received).toEqual(['{"position":1}', '{"position":2}', '{"position":3}']);
  });

  const forbidden = (): readonly (readonly [what: string, subject: string, body: object | undefined])[] => {
    const config = (filter: string) => ({
      stream_name: 'FLIGHT_EVENTS',
      config: { durable_name: 'mine', filter_subject: filter, ack_policy: 'explicit' },
    });
    const apis = (name: string, body?: object) =>
      ['$JS.API', 'hub'].map((prefix) => [name, `${prefix}.${name}`, body] as const);
    return [
      ['publish an event of its own', `events.${ada}.status.ZX.1`, {}],
      ['publish an event of another account', `events.${bob}.status.ZX.1`, {}],
      ...apis('CONSUMER.CREATE.FLIGHT_EVENTS.mine', config(`events.${ada}.>`)),
      ...apis(`CONSUMER.CREATE.FLIGHT_EVENTS.mine.events.${bob}.>`, config(`events.${bob}.>`)),
      ...apis('CONSUMER.DURABLE.CREATE.FLIGHT_EVENTS.mine', config(`events.${bob}.>`)),
      ...apis(`CONSUMER.INFO.FLIGHT_EVENTS.${bobs.consumer}`),
      ...apis(`CONSUMER.MSG.NEXT.FLIGHT_EVENTS.${bobs.consumer}`, { batch: 1 }),
      ...apis(`CONSUMER.DELETE.FLIGHT_EVENTS.${adas.consumer}`),
      ...apis('CONSUMER.NAMES.FLIGHT_EVENTS'),
      ...apis('STREAM.INFO.FLIGHT_EVENTS'),
      ...apis('STREAM.MSG.GET.FLIGHT_EVENTS', { seq: 4 }),
      ...apis('DIRECT.GET.FLIGHT_EVENTS', { seq: 4 }),
      ...apis('STREAM.PURGE.FLIGHT_EVENTS'),
      ...apis('STREAM.DELETE.FLIGHT_EVENTS'),
      ...apis('STREAM.CREATE.COPY', { name: 'COPY', sources: [{ name: 'FLIGHT_EVENTS' }] }),
      ['acknowledge for another account', `$JS.ACK.FLIGHT_EVENTS.${bobs.consumer}.1.4.1.1.0`, undefined],
    ];
  };

  test('rejects every other request without an effect', async () => {
    const before = await state();
    for (const [what, subject, body] of forbidden())
      await expect(
        connection.request(subject, body && JSON.stringify(body), { timeout: 2000 }),
        `${what}: ${subject}`,
      ).rejects.toThrow(/Permissions Violation/);
    expect(await state()).toEqual(before);
  });

  test('receives only responses to its own requests', async () => {
    const ofOthers = [`events.${ada}.>`, `events.${bob}.>`, `${bobs.inboxPrefix}.>`];
    const acknowledgements = `$JS.ACK.FLIGHT_EVENTS.${bobs.consumer}.>`;
    for (const subject of ['>', 'events.>', ...ofOthers, '_INBOX.>', '$JS.>', '$SYS.>', acknowledgements]) {
      const rejected = Promise.withResolvers<Error>();
      connection.subscribe(subject, { callback: (error) => void (error && rejected.resolve(error)) });
      expect((await rejected.promise).message, subject).toContain('Permissions Violation');
    }
  });

  test('reply subjects cannot address the stream or another account', async () => {
    const before = await state();
    const bobsMessage = await connectAsService(broker, async (service) => {
      const consumer = await jetstream(service).consumers.get('FLIGHT_EVENTS', bobs.consumer);
      return consumer.next();
    });
    if (!bobsMessage) throw new Error('there is no message');
    const withBobsPending = await state();
    expect(withBobsPending).not.toEqual(before);
    for (const reply of [
      `events.${bob}.status.ZX.1`,
      `events.${ada}.status.ZX.1`,
      '$JS.API.STREAM.PURGE.FLIGHT_EVENTS',
      '$JS.API.STREAM.DELETE.FLIGHT_EVENTS',
      `$JS.API.CONSUMER.DELETE.FLIGHT_EVENTS.${bobs.consumer}`,
      `$JS.ACK.FLIGHT_EVENTS.${bobs.consumer}.1.4.1.1.0`,
    ]) {
      const next = `hub.CONSUMER.MSG.NEXT.FLIGHT_EVENTS.${adas.consumer}`;
      connection.publish(`hub.CONSUMER.INFO.FLIGHT_EVENTS.${adas.consumer}`, '', { reply });
      connection.publish(next, '{"batch":1,"no_wait":true}', { reply });
      // An acknowledgement has a response too, and can request the next message.
      const ack = `$JS.ACK.FLIGHT_EVENTS.${adas.consumer}.1.1.1.1.0`;
      connection.publish(ack, '', { reply });
      connection.publish(ack, '+NXT {"batch":1,"no_wait":true}', { reply });
      await connection.flush();
    }
    // A response to the last request arrives after the effects of the earlier ones.
    await connection.request(`hub.CONSUMER.INFO.FLIGHT_EVENTS.${adas.consumer}`);
    expect(await state()).toEqual(withBobsPending);
  });

  test('rejects expired credentials and those of another hub', async () => {
    const options = { url: broker.url, keys: broker.keys, secret };
    const past = await provisionHubAccess({ ...options, clock }, { accountId: ada, group: 'default', days: -1 });
    await expect(log(past)).rejects.toThrow(/Authorization Violation|expired/i);
    const { credentials } = adas;
    const altered = credentials.replace(/eyJ[^\n]+/, (token) => {
      const [head, claims = '', signature] = token.split('.');
      const other = Buffer.from(claims, 'base64url').toString().replaceAll(ada, bob);
      return [head, Buffer.from(other).toString('base64url'), signature].join('.');
    });
    expect(altered).not.toBe(credentials);
    await expect(log({ ...adas, credentials: altered })).rejects.toThrow(/Authorization Violation/);
  });

  test('groups of an account read independently, with credentials of their own', async () => {
    const options = { url: broker.url, keys: broker.keys, clock, secret };
    const reports = await provisionHubAccess(options, { accountId: ada, group: 'reports', days: 1 });
    const there = await log(reports);
    const consumer = await jetstream(there, { apiPrefix: 'hub' }).consumers.get(reports.stream, reports.consumer);
    expect((await consumer.info()).num_pending).toBe(3);
    await expect(there.request(`hub.CONSUMER.INFO.FLIGHT_EVENTS.${adas.consumer}`)).rejects.toThrow(
      /Permissions Violation/,
    );
    await there.close();
  });
});
