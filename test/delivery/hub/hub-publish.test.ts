import { randomBytes, randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkHub, ForeignStreamError, openHub } from '#delivery/hub/hub-connection.ts';
import type { HubConnection, HubMessage } from '#delivery/hub/hub-connection.ts';
import { deriveHubKeys } from '#delivery/hub/hub-keys.ts';
import { connectAsService, readHubMessages } from '#test/support/hub/hub-messages.ts';
import { hasNatsServer, startBroker, type Broker } from '#test/support/hub/nats-server.ts';

let broker: Broker;
let hub: HubConnection;

const message = (position: number, text = String(position)): HubMessage => ({
  subject: 'events.a.status.ZX.1',
  id: `a.${position}`,
  headers: { 'Event-Id': randomUUID(), Position: String(position) },
  text,
});
const stored = async (): Promise<readonly number[]> => (await readHubMessages(broker)).map(({ position }) => position);

describe.skipIf(!hasNatsServer)('messages of the hub', () => {
  beforeAll(async () => {
    broker = await startBroker(randomBytes(32));
    hub = await openHub({ url: broker.url, keys: broker.keys, clock: () => new Date() });
    await hub.prepareStream();
  });
  afterAll(async () => {
    await hub.close();
    await broker.drop();
  });

  test('rejects all messages after a failed one', async () => {
    // The broker accepts messages up to 1 MiB.
    const messages = [message(1), message(2), message(3, 'x'.repeat(2 ** 20 + 1)), message(4), message(5)];
    const rejected = { count: 2, sequence: 2, failure: expect.any(Error), isRejected: true };
    expect(await hub.publish(messages, 0)).toEqual(rejected);
    expect(await stored()).toEqual([1, 2]);
    expect(await hub.publish([message(3), message(4), message(5)], 2)).toEqual({ count: 3, sequence: 5 });
    expect(await stored()).toEqual([1, 2, 3, 4, 5]);
  });

  test('rejects a publisher with an outdated sequence', async () => {
    expect(await hub.prepareStream()).toMatchObject({ sequence: 5 });
    const stale = await openHub({ url: broker.url, keys: broker.keys, clock: () => new Date() });
    await hub.publish([message(6), message(7)], 5);
    const outdated = { count: 0, sequence: 5, failure: expect.any(Error) };
    expect(await stale.publish([message(8), message(9)], 5)).toEqual(outdated);
    await stale.close();
    expect(await stored()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await hub.findLastId()).toBe('a.7');
  });

  test('restores the settings of the stream, and keeps its messages', async () => {
    const day = 86_400_000_000_000;
    const own = { subjects: ['events.>'], max_age: 7 * day, duplicate_window: 120_000_000_000 };
    const read = () =>
      connectAsService(broker, async (service) => (await jetstreamManager(service)).streams.info('FLIGHT_EVENTS'));
    const before = await hub.prepareStream();
    expect((await read()).config).toMatchObject(own);
    for (const changed of [{ max_age: day }, { duplicate_window: day }, { subjects: ['events.>', 'others.>'] }]) {
      await connectAsService(broker, async (service) =>
        (await jetstreamManager(service)).streams.update('FLIGHT_EVENTS', { ...own, ...changed }),
      );
      expect(await hub.prepareStream()).toEqual(before);
      expect((await read()).config).toMatchObject(own);
    }
  });

  test('counts a duplicate without storing it again', async () => {
    expect(await hub.publish([message(6), message(7)], 7)).toEqual({ count: 2, sequence: 7 });
    expect(await stored()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe.skipIf(!hasNatsServer)('deployments that share a broker account', () => {
  let shared: Broker;
  beforeAll(async () => {
    shared = await startBroker(randomBytes(32), 'user: a, password: b');
  });
  afterAll(() => shared.drop());

  const keys = [deriveHubKeys(Buffer.alloc(32, 1)), deriveHubKeys(Buffer.alloc(32, 2))];
  const connectTo = (deployment: number, stream?: string) => {
    const url = shared.url.replace('//', '//a:b@');
    return {
      url,
      keys: keys[deployment] ?? shared.keys,
      clock: () => new Date(),
      ...(stream !== undefined && { stream }),
    };
  };
  const readStreams = async () => {
    const connection = await connect({ servers: shared.url, user: 'a', pass: 'b' });
    const streams = await (await jetstreamManager(connection)).streams.list().next();
    await connection.close();
    return streams.map(({ config: { name, subjects, description }, state }) => [
      name,
      subjects,
      description,
      state.messages,
    ]);
  };

  test('do not write to the stream of each other, and have streams of their own', async () => {
    const [first, second] = [await openHub(connectTo(0)), await openHub(connectTo(1))];
    await first.prepareStream();
    const reason =
      /^the stream FLIGHT_EVENTS of the broker belongs to another deployment \(A[A-Z2-7]{55}\); set HUB_STREAM/;
    await expect(second.prepareStream()).rejects.toThrow(reason);
    await expect(checkHub(connectTo(1))).rejects.toThrow(ForeignStreamError);
    await checkHub(connectTo(0));
    await checkHub(connectTo(1, 'north'));
    const north = await openHub(connectTo(1, 'north'));
    expect(await north.prepareStream()).toMatchObject({ sequence: 0 });
    expect(await north.publish([message(1)], 0)).toEqual({ count: 1, sequence: 1 });
    expect(await north.findLastId()).toBe('a.1');
    await north.createConsumer('a', 'reader');
    for (const hub of [first, second, north]) await hub.close();
    const owner = (deployment: number) => `flightdata store ${keys[deployment]?.events.getPublicKey()}`;
    expect(await readStreams()).toEqual([
      ['FLIGHT_EVENTS', ['events.>'], owner(0), 0],
      ['north', ['north.events.>'], owner(1), 1],
    ]);
  });

  test('take over a stream without an owner and keep its description', async () => {
    const connection = await connect({ servers: shared.url, user: 'a', pass: 'b' });
    const jsm = await jetstreamManager(connection);
    await jsm.streams.update('FLIGHT_EVENTS', { description: 'of the operator' });
    await connection.close();
    const hub = await openHub(connectTo(1));
    await hub.prepareStream();
    await hub.close();
    const description = `of the operator flightdata store ${keys[1]?.events.getPublicKey()}`;
    expect((await readStreams())[0]).toEqual(['FLIGHT_EVENTS', ['events.>'], description, 0]);
  });
});
