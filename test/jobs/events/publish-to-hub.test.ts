import { randomBytes } from 'node:crypto';
import { jetstreamManager, type StreamAPI } from '@nats-io/jetstream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { renderEvent } from '#products/flight-info-alerts/v1/events/render-event.ts';
import { startHubPublisher, type HubPublisherOptions } from '#jobs/events/publish-to-hub.ts';
import { scheduleEvent, statusEvent } from '#test/domain/alerts/sample-events.ts';
import { listAllAccountEvents, insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { insertEventsWithFacts } from '#test/store/alerts/sample-accounts.ts';
import type { SampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { deleteAllEvents, sequence, insertStatusEvents } from '#test/store/events/sample-events.ts';
import { fanOutToAll } from '#test/support/fan-out-events.ts';
import { connectAsService, readHubMessages } from '#test/support/hub/hub-messages.ts';
import { hasNatsServer, startBroker, type Broker } from '#test/support/hub/nats-server.ts';
import { db, openPool, stops, useDatabase } from '../job-database.ts';

let broker: Broker;
let ada: SampleAccount;
let bob: SampleAccount;

const give = async (flights: readonly number[], accounts: readonly SampleAccount[] = [ada]): Promise<void> => {
  for (const flight of flights) await db.begin((sql) => insertStatusEvents(sql, [flight]));
  await sequence(db);
  const streams = accounts.map(({ stream }) => stream);
  await fanOutToAll(db, streams);
};

const start = async (options: Partial<HubPublisherOptions> = {}, on = db) => {
  let published = 0;
  const errors: string[] = [];
  const stop = await startHubPublisher(on, {
    url: broker.url,
    keys: broker.keys,
    clock: () => new Date(),
    onError: (error) => void errors.push(error instanceof Error ? error.message : String(error)),
    onPublished: (events) => void (published += events),
    pollMs: 20,
    leaseMs: 200,
    ...options,
  });
  let stopped: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => (stopped ??= stop());
  stops.push(stopOnce);
  const until = async (events: number): Promise<void> => {
    await expect.poll(() => published, { interval: 2 }).toBeGreaterThanOrEqual(events);
  };
  return { stop: stopOnce, until, errors };
};

const publishAndStop = async (events: number): Promise<void> => {
  const { until, stop } = await start();
  await until(events);
  await stop();
};
/** Restarts the broker with its current data; `restore` discards what it stores afterwards. */
const save = async (): Promise<void> => {
  await broker.kill();
  broker.save();
  await broker.start();
};
const restore = async (): Promise<void> => {
  await broker.kill();
  broker.restore();
  await broker.start();
};
const changeStream = (change: (streams: StreamAPI) => Promise<unknown>): Promise<unknown> =>
  connectAsService(broker, async (connection) => change((await jetstreamManager(connection)).streams));

const positionsOf = async ({ id }: SampleAccount): Promise<readonly number[]> =>
  (await readHubMessages(broker))
    .filter(({ subject }) => subject.startsWith(`events.${id}.`))
    .map(({ position }) => position);

describe.skipIf(!hasNatsServer)('the hub', () => {
  useDatabase({ reset: deleteAllEvents });
  beforeAll(async () => {
    broker = await startBroker(randomBytes(32));
  });
  afterAll(() => broker.drop());
  beforeEach(async () => {
    await db`truncate hub_progress, hub_hold`;
    await db`insert into hub_progress default values`;
    await changeStream((streams) => streams.delete('FLIGHT_EVENTS').catch(() => false));
    [ada, bob] = [await insertSampleAccount(db), await insertSampleAccount(db)];
  });

  test('each account has its events under its own subjects, with the same bytes as over other channels', async () => {
    await insertEventsWithFacts(db, 1, [statusEvent, { ...scheduleEvent, iataCarrierCode: '', flightNumber: 7 }]);
    await sequence(db);
    await fanOutToAll(db, [ada.stream, bob.stream]);
    const { until, errors } = await start();
    await until(4);
    const events = await listAllAccountEvents(db, ada.stream);
    const expected = events.flatMap((event, index) =>
      [ada, bob].map(({ id }) => ({
        sequence: 0,
        subject: `events.${id}.${index === 0 ? 'status.ZZ.101' : 'schedules.ZZA.7'}`,
        id: `${id}.${event.id}`,
        eventId: event.id,
        position: event.number,
        text: renderEvent(event),
      })),
    );
    expect(await readHubMessages(broker)).toEqual(expected.map((one, index) => ({ ...one, sequence: index + 1 })));
    expect(errors).toEqual([]);
  });

  test('two concurrent instances publish each event once, and one continues when the other ends', async () => {
    // A lease is long on a busy machine, and must not be lost by an active worker.
    const [first, second] = [await start({ leaseMs: 10_000 }), await start({ leaseMs: 10_000 }, openPool(2))];
    for (let flight = 0; flight < 10; flight += 1) await give([flight]);
    await first.stop();
    await give([10]);
    await expect.poll(async () => (await positionsOf(ada)).length, { timeout: 60_000 }).toBe(11);
    await second.stop();
    expect(await positionsOf(ada)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  test('does not publish an unrecorded event again, however long ago it was published', async () => {
    await give([1, 2, 3]);
    await publishAndStop(3);
    // As after a kill between the last acknowledgement and its record; outside its window the broker does not recognize IDs.
    await db`update hub_progress set pos = 1, hub_sequence = 1`;
    await changeStream((streams) => streams.update('FLIGHT_EVENTS', { duplicate_window: 100_000_000 }));
    await give([4]);
    const second = await start();
    await second.until(1);
    expect(await positionsOf(ada)).toEqual([1, 2, 3, 4]);
  });

  test('recreates a deleted stream, with all retained events', async () => {
    await give([1, 2]);
    const { until, errors } = await start();
    await until(2);
    await changeStream((streams) => streams.delete('FLIGHT_EVENTS'));
    await give([3]);
    await until(5);
    expect(await positionsOf(ada)).toEqual([1, 2, 3]);
    expect(errors).toEqual(['the hub rejected an event']);
  });

  test('republishes messages that the broker lost from the end of its stream', async () => {
    await give([1, 2]);
    const first = await start();
    await first.until(2);
    await save();
    await give([3, 4]);
    await first.until(4);
    await first.stop();
    await restore();
    await give([5]);
    const second = await start();
    await second.until(3);
    expect(await positionsOf(ada)).toEqual([1, 2, 3, 4, 5]);
    expect(second.errors).toEqual([]);
  });

  test('republishes them without a new event, after an outage of the broker', async () => {
    await give([1]);
    const { until } = await start();
    await until(1);
    await save();
    await give([2, 3]);
    await until(3);
    await restore();
    await until(5);
    expect(await positionsOf(ada)).toEqual([1, 2, 3]);
  });

  test('reports and skips an event that exceeds the limit of the broker, and publishes later events', async () => {
    await give([1]);
    // The broker accepts messages up to 1 MiB.
    await db.begin((sql) => insertStatusEvents(sql, [2], 'x'.repeat(2 ** 20)));
    await give([3, 4]);
    const { until, errors } = await start();
    await until(3);
    expect(await positionsOf(ada)).toEqual([1, 3, 4]);
    const [, large] = await listAllAccountEvents(db, ada.stream);
    expect(errors).toEqual([`skipped event ${large?.id}, position 2 of account ${ada.id}: the hub rejects it`]);
  });

  test('reports and skips an event that exceeds the limit of its stream, even the last one', async () => {
    await give([1]);
    const { until, errors } = await start();
    await until(1);
    await changeStream((streams) => streams.update('FLIGHT_EVENTS', { max_msg_size: 2000 }));
    await db.begin((sql) => insertStatusEvents(sql, [2], 'x'.repeat(3000)));
    await sequence(db);
    await fanOutToAll(db, [ada.stream]);
    await expect.poll(() => errors).toEqual([expect.stringContaining('the hub rejects it')]);
    await give([3]);
    await until(2);
    expect([await positionsOf(ada), errors.length]).toEqual([[1, 3], 1]);
  });

  test('reports events that are no longer retained, and publishes later ones', async () => {
    await give([1]);
    await publishAndStop(1);
    await give([2, 3, 4]);
    await db`delete from account_event where pos < 4`;
    await db`delete from event_log where pos < 4`;
    const second = await start();
    await second.until(1);
    expect(await positionsOf(ada)).toEqual([1, 4]);
    const lost = 'the retention of events 2 to 3 ended before they were published to the hub';
    expect(second.errors).toEqual([lost]);
  });

  test('a process that cannot reach the hub reports that without its password, and releases the lease', async () => {
    await give([1, 2]);
    const cutOff = await start({ url: broker.url.replace('//', '//user:geheim@') });
    await expect.poll(() => cutOff.errors.length).toBeGreaterThan(1);
    const { until } = await start();
    await until(2);
    expect(await positionsOf(ada)).toEqual([1, 2]);
    expect(cutOff.errors.join()).not.toContain('geheim');
  });

  describe('an account whose subscription has no valid key', () => {
    const setRevoked = (isRevoked: boolean) =>
      db`update subscription_key set revoked_at = ${isRevoked ? new Date() : null} where subscription_id = ${ada.subscriptionId}`;
    const both = (): readonly SampleAccount[] => [ada, bob];
    beforeEach(async () => {
      bob = await insertSampleAccount(db, 'other');
    });

    test('is skipped, and receives all its events in order after it has a valid key again', async () => {
      const { until } = await start({ batch: 2 });
      await give([1], both());
      await until(2);
      await setRevoked(true);
      await give([2, 3, 4], both());
      await until(5);
      expect([await positionsOf(ada), await positionsOf(bob)]).toEqual([[1], [1, 2, 3, 4]]);
      await setRevoked(false);
      await until(8);
      await give([5], both());
      await until(10);
      const all = [1, 2, 3, 4, 5];
      expect([await positionsOf(ada), await positionsOf(bob)]).toEqual([all, all]);
      expect([...(await db`select * from hub_hold`)]).toEqual([]);
    });

    test('gets each held event once when publishers are killed before they record them', async () => {
      await setRevoked(true);
      await give([1, 2, 3], both());
      await publishAndStop(3);
      await setRevoked(false);
      const [before] = await db`select * from hub_progress`;
      const holds = await db`select * from hub_hold`;
      const first = await start({ batch: 2 });
      await first.until(2);
      await first.stop();
      // As after a kill between the last acknowledgement and its record.
      await db`truncate hub_hold`;
      await db`insert into hub_hold ${db(holds)}`;
      await db`update hub_progress set hub_sequence = ${Number(before?.['hub_sequence'])}`;
      await give([4], both());
      const second = await start({ batch: 2 });
      await expect.poll(() => positionsOf(bob)).toEqual([1, 2, 3, 4]);
      await expect.poll(() => positionsOf(ada)).toEqual([1, 2, 3, 4]);
      expect(second.errors).toEqual([]);
    });
  });
});
