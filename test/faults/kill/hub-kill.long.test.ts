import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, nanos, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { provisionHubAccess } from '../../../src/delivery/hub/hub-access.ts';
import { listAllAccountEvents, insertSampleAccount, type SampleAccount } from '../../store/alerts/sample-accounts.ts';
import { longText, sequence, insertStatusEvents } from '../../store/events/sample-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { fanOutToAll } from '../../support/fan-out-events.ts';
import { connectAsService, readHubMessages } from '../../support/hub/hub-messages.ts';
import { hasNatsServer, startBroker, type Broker } from '../../support/hub/nats-server.ts';
import { formatTimes } from '../../support/quantile.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers } from '../support/workers.ts';

/** Kills alternate between the broker and the active publisher. */
const KILLS = Number(process.env['HUB_KILLS'] ?? 6);
const SEED = Number(process.env['HUB_SEED'] ?? 20_270_301);
const FLIGHTS = 40;
/** The longest delay of a kill after a publish, so that it hits any part of the next batch. */
const MAX_DELAY_MS = 40;

const secret = randomBytes(32);
let fresh: FreshDatabase;
let broker: Broker;
let accounts: readonly SampleAccount[];
const publishers = createWorkers('hub');
const startPublisher = (): unknown => publishers.start(fresh.url, { url: broker.url, secret: secret.toString('hex') });

/** A consumer of the events of one account that counts duplicates. */
type Consumer = {
  readonly seen: ReadonlySet<string>;
  readonly countRepeats: () => number;
  readonly close: () => Promise<void>;
};

const consume = async (account: SampleAccount): Promise<Consumer> => {
  const options = { url: broker.url, keys: broker.keys, secret, clock: () => new Date() };
  const access = await provisionHubAccess(options, { accountId: account.id, group: 'default', days: 1 });
  // Redelivery after a lost connection takes this long; 30 s in production.
  await connectAsService(broker, async (service) =>
    (await jetstreamManager(service)).consumers.update(access.stream, access.consumer, { ack_wait: nanos(1000) }),
  );
  const connection: NatsConnection = await connect({
    servers: access.url,
    authenticator: credsAuthenticator(Buffer.from(access.credentials)),
    inboxPrefix: access.inboxPrefix,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 20,
  });
  const seen = new Set<string>();
  let repeats = 0;
  const consumer = await jetstream(connection, { apiPrefix: access.apiPrefix }).consumers.get(
    access.stream,
    access.consumer,
  );
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

describe.skipIf(!hasNatsServer)('the hub', () => {
  beforeEach(async () => {
    [fresh, broker] = await Promise.all([freshDatabase(), startBroker(secret)]);
    accounts = [
      await insertSampleAccount(fresh.sql),
      await insertSampleAccount(fresh.sql),
      await insertSampleAccount(fresh.sql),
    ];
  });
  afterEach(async () => {
    await publishers.killAll();
    await broker.drop();
    await fresh.drop();
  });

  test(
    'stores every event once and in order while broker and publishers are killed',
    async () => {
      const draw = createDraw(SEED);
      const [first] = accounts;
      if (!first) throw new Error('no account');
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
      startPublisher();
      startPublisher();
      await publishers.waitForNextBatch();
      const consumer = await consume(first);
      const resumedMs = { broker: [] as number[], publisher: [] as number[] };
      for (let kills = 0; kills < KILLS; kills += 1) {
        const active = await publishers.waitForNextBatch();
        await delay(draw(MAX_DELAY_MS));
        const startedAt = performance.now();
        if (kills % 2 === 0) {
          await broker.kill();
          await broker.start();
          await publishers.waitForNextBatch();
          resumedMs.broker.push(performance.now() - startedAt);
        } else {
          await publishers.kill(active);
          await publishers.waitForNextBatch();
          resumedMs.publisher.push(performance.now() - startedAt);
          startPublisher();
        }
      }
      isOver = true;
      await writing;
      const expected = (await Promise.all(streams.map((stream) => listAllAccountEvents(fresh.sql, stream)))).map(
        (events) => events.map(({ id, number }) => `${number} ${id}`),
      );
      const total = expected.reduce((sum, { length }) => sum + length, 0);
      await expect
        .poll(
          () =>
            connectAsService(broker, async (service) => {
              const { state } = await (await jetstreamManager(service)).streams.info('FLIGHT_EVENTS');
              return state.messages;
            }),
          { timeout: 60_000, interval: 200 },
        )
        .toBeGreaterThanOrEqual(total);
      await expect.poll(() => consumer.seen.size, { timeout: 60_000 }).toBe(expected[0]?.length);
      await consumer.close();
      const stored = await readHubMessages(broker);
      const publishedEvents = accounts.map(({ id }) =>
        stored
          .filter(({ subject }) => subject.startsWith(`events.${id}.`))
          .map(({ position, eventId }) => `${position} ${eventId}`),
      );
      const doubled = stored.length - new Set(stored.map(({ id }) => id)).size;
      const lost = total - new Set(stored.map(({ id }) => id)).size;
      const outOfOrder = publishedEvents
        .map(
          (events) =>
            events.filter(
              (event, at) => at > 0 && Number.parseInt(event, 10) < Number.parseInt(events[at - 1] ?? '', 10),
            ).length,
        )
        .reduce((sum, count) => sum + count, 0);
      reportFault(
        3,
        {
          kills: KILLS,
          messages: total,
          lost,
          doubled,
          outOfOrder,
          'received by a consumer': `${consumer.seen.size}, ${consumer.countRepeats()} repeated`,
          'published after a broker kill': formatTimes(resumedMs.broker),
          'after a publisher kill': formatTimes(resumedMs.publisher),
        },
        'hub',
      );
      expect({ lost, doubled, outOfOrder }).toEqual({ lost: 0, doubled: 0, outOfOrder: 0 });
      expect(publishedEvents).toEqual(expected);
    },
    240_000 + KILLS * 30_000,
  );
});
