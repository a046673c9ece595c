import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, nanos } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { provisionHubAccess } from '#delivery/hub/hub-access.ts';
import { listAllAccountEvents, insertSampleAccount, type SampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { longText, sequence, insertStatusEvents } from '#test/store/events/sample-events.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { fanOutToAll } from '#test/support/fan-out-events.ts';
import { connectAsService, readHubMessages } from '#test/support/hub/hub-messages.ts';
import {
  hasBrokerCluster,
  hasNatsServer,
  startBroker,
  startBrokerCluster,
  type Broker,
} from '#test/support/hub/nats-server.ts';
import { formatTimes } from '#test/support/quantile.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers } from '../support/workers.ts';

/** Kills alternate between the broker and the active publisher. */
const KILLS = Number(process.env['HUB_KILLS'] ?? 6);
/** Kills of a cluster of three brokers alternate between a broker that follows and the leader of the stream. */
const NODE_KILLS = Number(process.env['HUB_NODE_KILLS'] ?? 2);
const SEED = Number(process.env['HUB_SEED'] ?? 20_270_301);
const FLIGHTS = 40;
/** The longest delay of a kill after a publish, so that it hits any part of the next batch. */
const MAX_DELAY_MS = 40;

const secret = randomBytes(32);
let fresh: FreshDatabase;
let accounts: readonly SampleAccount[];
const publishers = createWorkers('hub');

/** A broker or a cluster of them, and how many of them store each message. */
type Hub = Pick<Broker, 'url' | 'keys'> & { readonly replicas?: number };

const startPublisher = ({ url, replicas = 1 }: Hub): unknown =>
  publishers.start(fresh.url, { url, replicas, secret: secret.toString('hex') });

const readStream = (hub: Hub) =>
  connectAsService(hub, async (service) => (await jetstreamManager(service)).streams.info('FLIGHT_EVENTS'));

/** Consumes the events of an account and counts repeated ones. */
const consume = async (hub: Hub, account: SampleAccount) => {
  const options = { url: hub.url, keys: hub.keys, secret, clock: () => new Date() };
  const access = await provisionHubAccess(options, { accountId: account.id, group: 'default', days: 1 });
  // Redelivery after a lost connection takes this long; 30 s in production.
  await connectAsService(hub, async (service) =>
    (await jetstreamManager(service)).consumers.update(access.stream, access.consumer, { ack_wait: nanos(1000) }),
  );
  const connection = await connect({
    servers: access.url,
    authenticator: credsAuthenticator(Buffer.from(access.credentials)),
    inboxPrefix: access.inboxPrefix,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 20,
  });
  const seen = new Set<string>();
  let repeats = 0;
  const { consumers } = jetstream(connection, { apiPrefix: access.apiPrefix });
  const consumer = await consumers.get(access.stream, access.consumer);
  const messages = await consumer.consume({ max_messages: 100, idle_heartbeat: 500, expires: 2000 });
  const consuming = (async () => {
    for await (const message of messages) {
      const id = message.headers?.get('Event-Id') ?? '';
      if (seen.has(id)) repeats += 1;
      seen.add(id);
      message.ack();
    }
  })();
  return {
    seen,
    countRepeats: () => repeats,
    close: async () => {
      await messages.close();
      await consuming;
      await connection.close();
    },
  };
};

/** Writes events of all accounts until stopped. */
const startWriting = () => {
  const draw = createDraw(SEED);
  const streams = accounts.map(({ stream }) => stream);
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      const flights = [...new Set([draw(FLIGHTS), draw(FLIGHTS), draw(FLIGHTS), draw(FLIGHTS)])];
      await fresh.sql.begin((sql) => insertStatusEvents(sql, flights, longText));
      await sequence(fresh.sql);
      await fanOutToAll(fresh.sql, streams);
      await delay(5);
    }
  })();
  return async (): Promise<void> => {
    isOver = true;
    await writing;
  };
};

/**
 * Publishes events while `killRepeatedly` runs; then compares the stream with the events of the accounts. Returns figures, and the positions and
 * IDs in the stream and in the database.
 */
const publishDuring = async (hub: Hub, killRepeatedly: () => Promise<void>) => {
  const [first] = accounts;
  if (!first) throw new Error('no account');
  const stopWriting = startWriting();
  startPublisher(hub);
  startPublisher(hub);
  await publishers.waitForNextBatch();
  const consumer = await consume(hub, first);
  await killRepeatedly();
  await stopWriting();
  const expected = (await Promise.all(accounts.map(({ stream }) => listAllAccountEvents(fresh.sql, stream)))).map(
    (events) => events.map(({ id, number }) => `${number} ${id}`),
  );
  const total = expected.reduce((sum, { length }) => sum + length, 0);
  const countMessages = async () => (await readStream(hub)).state.messages;
  await expect.poll(countMessages, { timeout: 60_000, interval: 200 }).toBeGreaterThanOrEqual(total);
  await expect.poll(() => consumer.seen.size, { timeout: 60_000 }).toBe(expected[0]?.length);
  await consumer.close();
  const stored = await readHubMessages(hub);
  const published = accounts.map(({ id }) =>
    stored
      .filter(({ subject }) => subject.startsWith(`events.${id}.`))
      .map(({ position, eventId }) => `${position} ${eventId}`),
  );
  const distinct = new Set(stored.map(({ id }) => id)).size;
  const figures = {
    messages: total,
    lost: total - distinct,
    doubled: stored.length - distinct,
    'received by a consumer': `${consumer.seen.size}, ${consumer.countRepeats()} repeated`,
  };
  return { figures, published, expected };
};

describe.skipIf(!hasNatsServer)('the hub', () => {
  beforeEach(async () => {
    fresh = await freshDatabase();
    accounts = await Promise.all([1, 2, 3].map(() => insertSampleAccount(fresh.sql)));
  });
  afterEach(async () => {
    await publishers.killAll();
    await fresh.drop();
  });

  test(
    'stores every event once and in order while broker and publishers are killed',
    async () => {
      const broker = await startBroker(secret);
      onTestFinished(broker.drop);
      const draw = createDraw(SEED + 1);
      const resumedMs = { broker: [] as number[], publisher: [] as number[] };
      const { figures, published, expected } = await publishDuring(broker, async () => {
        for (let kills = 0; kills < KILLS; kills += 1) {
          const active = await publishers.waitForNextBatch();
          await delay(draw(MAX_DELAY_MS));
          const startedAt = performance.now();
          const isBroker = kills % 2 === 0;
          if (isBroker) await broker.kill().then(broker.start);
          else await publishers.kill(active);
          await publishers.waitForNextBatch();
          resumedMs[isBroker ? 'broker' : 'publisher'].push(performance.now() - startedAt);
          if (!isBroker) startPublisher(broker);
        }
      });
      const [afterBroker, afterPublisher] = [formatTimes(resumedMs.broker), formatTimes(resumedMs.publisher)];
      const times = { 'published after a broker kill': afterBroker, 'after a publisher kill': afterPublisher };
      reportFault(3, { kills: KILLS, ...figures, ...times }, 'hub');
      // The order of each account, too.
      expect(published).toEqual(expected);
    },
    240_000 + KILLS * 30_000,
  );

  test.skipIf(!hasBrokerCluster)(
    'stores every event once and in order while brokers of a cluster of three are killed',
    async () => {
      const cluster = await startBrokerCluster(secret);
      onTestFinished(cluster.drop);
      const hub = { ...cluster, replicas: 3 };
      const draw = createDraw(SEED + 1);
      const resumedMs = { leader: [] as number[], follower: [] as number[] };
      const countFollowers = async (): Promise<number | undefined> =>
        (await readStream(hub)).cluster?.replicas?.filter(({ current }) => current).length;
      const waitForFollowers = async (): Promise<void> => {
        await expect.poll(countFollowers, { timeout: 60_000, interval: 200 }).toBe(2);
      };
      const { figures, published, expected } = await publishDuring(hub, async () => {
        for (let kills = 0; kills < NODE_KILLS; kills += 1) {
          await waitForFollowers();
          const { leader } = (await readStream(hub)).cluster ?? {};
          const isLeader = kills % 2 === 1;
          const broker = cluster.brokers.find(({ name }) => (name === leader) === isLeader);
          if (!broker) throw new Error(`no broker is ${leader}`);
          await publishers.waitForNextBatch();
          await delay(draw(MAX_DELAY_MS));
          const startedAt = performance.now();
          await broker.kill();
          await publishers.waitForNextBatch();
          resumedMs[isLeader ? 'leader' : 'follower'].push(performance.now() - startedAt);
          await broker.start();
        }
        await waitForFollowers();
      });
      const times = {
        'published after the kill of a follower': formatTimes(resumedMs.follower),
        'of the leader': formatTimes(resumedMs.leader),
      };
      reportFault(3, { kills: NODE_KILLS, ...figures, ...times }, 'hub of three brokers');
      expect(published).toEqual(expected);
    },
    240_000 + NODE_KILLS * 60_000,
  );
});
