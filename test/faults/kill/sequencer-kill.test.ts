import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src/store/pool/database.ts';
import {
  listAllEvents,
  listEvents,
  type FlightEvent,
  findLogFaults,
  longText,
  sequence,
  insertStatusEvents,
} from '../../store/events/sample-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { createDraw, type RandomDraw } from '../support/random-draw.ts';
import { formatTimes } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers, type Workers } from '../support/workers.ts';

const KILLS = Number(process.env['SEQUENCER_KILLS'] ?? 3);
const WRITERS = 4;
const FLIGHTS = 40;
/** Short enough that events always wait, long enough to leave processor time for the starting processes. */
const WRITER_PAUSE_MS = 40;
/** The longest delay of a kill after a batch, so that it hits any part of the next batches. */
const MAX_DELAY_MS = 20;

let fresh: FreshDatabase;
let writers: Database;
let sequencers: Workers;
beforeEach(async () => {
  fresh = await freshDatabase();
  sequencers = createWorkers('sequencer');
  writers = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: WRITERS });
});
afterEach(async () => {
  await sequencers.killAll();
  await writers.end({ timeout: 1 });
  await fresh.drop();
});

/** Writes events of a few flights at a time until `isOver`; returns the number of committed events. */
const writeUntil = async (draw: RandomDraw, isOver: () => boolean, pauseMs = 0): Promise<number> => {
  let committed = 0;
  const write = async (): Promise<void> => {
    while (!isOver()) {
      const flights = [...new Set([draw(FLIGHTS), draw(FLIGHTS), draw(FLIGHTS)])];
      const rollsBack = draw(20) === 0;
      await writers
        .begin(async (sql) => {
          await insertStatusEvents(sql, flights, longText);
          if (rollsBack) throw new RangeError('rolled back');
        })
        .then(
          () => (committed += flights.length),
          (error: unknown) => {
            if (!(error instanceof RangeError)) throw error;
          },
        );
      await delay(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return committed;
};

/** Reads the log from its start like a subscriber until `isOver`. */
const follow = async (isOver: () => boolean): Promise<readonly FlightEvent[]> => {
  const events: FlightEvent[] = [];
  for (;;) {
    const isLast = isOver();
    const page = await listEvents(fresh.sql, { after: events.at(-1)?.position ?? 0, limit: 500 });
    events.push(...page);
    if (page.length > 0) continue;
    if (isLast) return events;
    await delay(2);
  }
};

const drain = async (): Promise<void> => {
  for (;;) {
    const result = await sequence(fresh.sql);
    if (result.kind === 'busy') await delay(5);
    else if (result.events === 0) return;
  }
};

const countWaiting = async (): Promise<number> => {
  const [row] = await fresh.sql<{ count: number }[]>`
    select count(*)::int as count from (select from event_outbox limit 1) as one`;
  return row?.count ?? 0;
};

const serialize = (events: readonly FlightEvent[]): string => JSON.stringify(events.map(({ id, body }) => [id, body]));

test(
  'assigns every position once when the active sequencer is killed and another takes over',
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    let isOver = false;
    const { running, kill, killAll, waitForNextBatch } = sequencers;
    const start = (): unknown => sequencers.start(fresh.url, { batch: 5, standbyMs: 20 });
    const writing = writeUntil(createDraw(seed + 1), () => isOver, WRITER_PAUSE_MS);
    const following = follow(() => isOver);
    start();
    start();
    const takeoverMs: number[] = [];
    let [kills, midway] = [0, 0];
    while (kills < KILLS) {
      const child = await waitForNextBatch();
      await delay(draw(MAX_DELAY_MS));
      if (!running.has(child)) continue;
      // Kill it only while events are waiting.
      while (running.has(child) && (await countWaiting()) === 0) await delay(1);
      midway += await countWaiting();
      const startedAt = performance.now();
      await kill(child);
      kills += 1;
      start();
      await waitForNextBatch();
      takeoverMs.push(performance.now() - startedAt);
    }
    isOver = true;
    const committed = await writing;
    await killAll();
    await drain();
    const followed = await following;
    const events = await listAllEvents(fresh.sql);
    const observed = [...followed, ...(await listAllEvents(fresh.sql, followed.at(-1)?.position ?? 0))];
    const reused = observed.filter(({ id }, index) => events[index]?.id !== id).length;
    const figures = {
      seed,
      kills,
      midway,
      batches: sequencers.batches.length,
      committed,
      lost: committed - events.length,
      reused,
      ...findLogFaults(events),
    };
    reportFault(4, { ...figures, 'takeover after': formatTimes(takeoverMs) }, 'sequencer');
    expect(figures).toMatchObject({ kills: KILLS, lost: 0, reused: 0, gaps: 0, inversions: 0, doubled: 0 });
    expect([midway > 0, serialize(observed) === serialize(events)]).toEqual([true, true]);

    const cursors = Array.from({ length: 40 }, () => draw(events.length));
    const replays = await Promise.all(
      [...cursors, ...cursors].map(async (cursor) => {
        const page = await listAllEvents(fresh.sql, cursor, 1 + draw(1000));
        return serialize(page) === serialize(events.slice(cursor));
      }),
    );
    const different = replays.filter((isSame) => !isSame).length;
    reportFault(18, { positions: cursors.length, different }, 'of the log');
    expect(different).toBe(0);
  },
  240_000 + KILLS * 30_000,
);

test('one of two sequencers works; the other takes over when it is killed', async () => {
  const seed = randomInt(2 ** 31);
  let isOver = false;
  const { batches, kill, killAll } = sequencers;
  for (let n = 0; n < 2; n += 1) await sequencers.start(fresh.url, { batch: 1000, standbyMs: 500 });
  const writing = writeUntil(createDraw(seed), () => isOver);
  await expect.poll(() => batches.length).toBeGreaterThan(100);
  const active = batches.at(-1);
  const before = [...batches];
  const changes = before.filter((child, index) => index > 0 && child !== before[index - 1]).length;
  const startedAt = performance.now();
  if (active) await kill(active);
  await expect.poll(() => batches.at(-1) === active, { interval: 5 }).toBe(false);
  const takeoverMs = Math.round(performance.now() - startedAt);
  isOver = true;
  const committed = await writing;
  await killAll();
  await drain();
  const events = await listAllEvents(fresh.sql);
  const figures = { batches: before.length, changes, takeoverMs, committed, lost: committed - events.length };
  reportFault(5, { seed, ...figures, ...findLogFaults(events) }, 'sequencers');
  expect({ lost: figures.lost, ...findLogFaults(events) }).toEqual({ lost: 0, gaps: 0, inversions: 0, doubled: 0 });
  // They also switch when the machine stalls for the standby time; two that work in turn would switch at every other batch.
  expect(changes).toBeLessThan(before.length / 4);
}, 240_000);
