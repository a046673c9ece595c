import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { findLogFaults, insertStatusEvents, listAllEvents, listEvents } from '#test/store/events/sample-events.ts';
import { longText, noFaults, sequence } from '#test/store/events/sample-events.ts';
import type { FlightEvent } from '#test/store/events/sample-events.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createDraw, type RandomDraw } from '../support/random-draw.ts';
import { formatTimes } from '#test/support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers, killRepeatedly } from '../support/workers.ts';

const KILLS = Number(process.env['SEQUENCER_KILLS'] ?? 3);
const WRITERS = 4;
const FLIGHTS = 40;
/** Short enough that events always wait, long enough to leave processor time for the starting processes. */
const WRITER_PAUSE_MS = 40;

const { sql: db, url } = await sharedDatabase();
const sequencers = createWorkers('sequencer');
afterAll(sequencers.killAll);

/** Writes events of a few flights at a time until `isOver`; returns the number of committed events. */
const writeUntil = async (draw: RandomDraw, isOver: () => boolean): Promise<number> => {
  let committed = 0;
  const write = async (): Promise<void> => {
    while (!isOver()) {
      const flights = [...new Set([draw(FLIGHTS), draw(FLIGHTS), draw(FLIGHTS)])];
      await db.begin((sql) => insertStatusEvents(sql, flights, longText));
      committed += flights.length;
      await delay(WRITER_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return committed;
};

/** Reads the log from its start like a subscriber until `isOver`. */
const follow = async (isOver: () => boolean): Promise<readonly FlightEvent[]> => {
  const events: FlightEvent[] = [];
  while (!isOver()) {
    events.push(...(await listEvents(db, { after: events.at(-1)?.position ?? 0, limit: 500 })));
    await delay(2);
  }
  return events;
};

const listWaiting = () => db`select from event_outbox limit 1`;

test(
  'assigns every position once when the active sequencer is killed and another takes over',
  async () => {
    const seed = randomInt(2 ** 31);
    let isOver = false;
    const writing = writeUntil(createDraw(seed + 1), () => isOver);
    const following = follow(() => isOver);
    const takeoverMs = await killRepeatedly(sequencers, {
      url,
      kills: KILLS,
      draw: createDraw(seed),
      beforeKill: async () => {
        await expect.poll(listWaiting, { interval: 1 }).not.toHaveLength(0);
      },
    });
    isOver = true;
    const [committed, followed] = [await writing, await following];
    await sequencers.killAll();
    await expect.poll(async () => (await sequence(db), await listWaiting()), { interval: 5 }).toHaveLength(0);
    const events = await listAllEvents(db);
    const observed = [...followed, ...(await listAllEvents(db, followed.at(-1)?.position ?? 0))];
    const figures = { committed, lost: committed - events.length, ...findLogFaults(events) };
    const run = { seed, kills: KILLS, batches: sequencers.batches.length, 'takeover after': formatTimes(takeoverMs) };
    reportFault(4, { ...run, ...figures }, 'sequencer');
    expect(figures).toEqual({ committed, lost: 0, ...noFaults });
    // A position that a reader has read never gets another event.
    expect(JSON.stringify(observed)).toBe(JSON.stringify(events));
  },
  240_000 + KILLS * 30_000,
);
