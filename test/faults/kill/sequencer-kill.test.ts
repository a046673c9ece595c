import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src/store/pool/database.ts';
import { listEvents, type FlightEvent } from '../../store/events/list-events.ts';
import {
  listAllEvents,
  findLogFaults,
  longText,
  sequence,
  insertStatusEvents,
} from '../../store/events/sample-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { createWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';
import { createDraw, type RandomDraw } from '../support/status-feed.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';

const script = fileURLToPath(new URL('./sequencer-process.ts', import.meta.url));

const KILLS = Number(process.env['SEQUENCER_KILLS'] ?? 12);
const WRITERS = 4;
const FLIGHTS = 40;
/** More events come than are moved between two kills, and the processes that start up have a processor. */
const WRITER_PAUSE_MS = 40;
/** A kill comes so long after a move at most, so that it falls into any part of the next ones. */
const MAX_DELAY_MS = 20;

let fresh: FreshDatabase;
let writers: Database;
let workers: WorkerProcesses | undefined;
beforeEach(async () => {
  fresh = await freshDatabase();
  writers = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: WRITERS });
});
afterEach(async () => {
  await workers?.killAll();
  await writers.end({ timeout: 1 });
  await fresh.drop();
});

/** Sequencers that move so many events at once and rest so long after a turn, in processes of their own; none is started yet. */
const createSequencers = (
  { batch, restMs }: { readonly batch: number; readonly restMs: number },
  onMove?: (child: ChildProcess) => void,
) => {
  workers = createWorkerProcesses(script, onMove);
  const { start } = workers;
  return { ...workers, start: () => start(fresh.url, String(batch), String(restMs)) };
};

/** Writes events of a few flights at a time until it is told to stop; answers how many were committed. */
const writeUntil = async (draw: RandomDraw, isOver: () => boolean, pauseMs = 0): Promise<number> => {
  let committed = 0;
  const write = async (): Promise<void> => {
    while (!isOver()) {
      const flights = [...new Set([draw(FLIGHTS), draw(FLIGHTS), draw(FLIGHTS)])];
      const fails = draw(20) === 0;
      await writers
        .begin(async (sql) => {
          await insertStatusEvents(sql, flights, longText);
          if (fails) throw new RangeError('given up');
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

/** Follows the log as a subscriber does, from its beginning, until it is told to stop. */
const follow = async (isOver: () => boolean): Promise<readonly FlightEvent[]> => {
  const read: FlightEvent[] = [];
  for (;;) {
    const last = isOver();
    const page = await listEvents(fresh.sql, { after: read.at(-1)?.position ?? 0, limit: 500 });
    if (page.kind !== 'events') throw new Error(`the log was ${page.kind}`);
    read.push(...page.events);
    if (page.events.length > 0) continue;
    if (last) return read;
    await delay(2);
  }
};

const drain = async (): Promise<void> => {
  for (;;) {
    const moved = await sequence(fresh.sql);
    if (moved.kind === 'busy') await delay(5);
    else if (moved.events === 0) return;
  }
};

const countWaiting = async (): Promise<number> => {
  const [row] = await fresh.sql<{ count: number }[]>`
    select count(*)::int as count from (select from event_outbox limit 1) as one`;
  return row?.count ?? 0;
};

const serialize = (events: readonly FlightEvent[]): string => JSON.stringify(events.map(({ id, body }) => [id, body]));

test(
  'no position is left out or given twice when the sequencer at work is killed, and another takes over',
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    let over = false;
    const {
      running: children,
      start,
      kill,
      killAll,
      waitForNextMove: atWork,
      countMoves: moves,
    } = createSequencers({ batch: 5, restMs: 20 });
    const writing = writeUntil(createDraw(seed + 1), () => over, WRITER_PAUSE_MS);
    const following = follow(() => over);
    start();
    start();
    const takenOverMs: number[] = [];
    let [kills, midway] = [0, 0];
    while (kills < KILLS) {
      const child = await atWork();
      await delay(draw(MAX_DELAY_MS));
      if (!children.has(child)) continue;
      // It is to be killed with work before it.
      while (children.has(child) && (await countWaiting()) === 0) await delay(1);
      midway += await countWaiting();
      const began = performance.now();
      await kill(child);
      kills += 1;
      start();
      await atWork();
      takenOverMs.push(performance.now() - began);
    }
    over = true;
    const committed = await writing;
    await killAll();
    await drain();
    const followed = await following;
    const events = await listAllEvents(fresh.sql);
    const seen = [...followed, ...(await listAllEvents(fresh.sql, followed.at(-1)?.position ?? 0))];
    const reused = seen.filter(({ id }, index) => events[index]?.id !== id).length;
    const figures = {
      seed,
      kills,
      midway,
      moves: moves(),
      committed,
      lost: committed - events.length,
      reused,
      ...findLogFaults(events),
    };
    const takenOver = `p50 ${Math.round(computeQuantile(takenOverMs, 0.5))} ms, longest ${Math.round(computeQuantile(takenOverMs, 1))} ms`;
    reportFault({
      fault: 4,
      part: 'sequencer',
      figure: { ...figures, 'another moves after': takenOver },
      bound: 'lost 0, reused 0, gaps 0, inversions 0, doubled 0',
    });
    expect(figures).toMatchObject({ kills: KILLS, lost: 0, reused: 0, gaps: 0, inversions: 0, doubled: 0 });
    expect([midway > KILLS / 2, serialize(seen) === serialize(events)]).toEqual([true, true]);

    const cursors = Array.from({ length: 40 }, () => draw(events.length));
    const replays = await Promise.all(
      [...cursors, ...cursors].map(async (cursor) => {
        const again = await listAllEvents(fresh.sql, cursor, 1 + draw(1000));
        return serialize(again) === serialize(events.slice(cursor));
      }),
    );
    const different = replays.filter((isSame) => !isSame).length;
    reportFault({
      fault: 18,
      part: 'of the log',
      figure: { positions: cursors.length, different },
      bound: 'different 0',
    });
    expect(different).toBe(0);
  },
  240_000 + KILLS * 30_000,
);

test('of two sequencers one works while the other rests, and takes over when that one is gone', async () => {
  const seed = randomInt(2 ** 31);
  let over = false;
  const moved: ChildProcess[] = [];
  const enough = Promise.withResolvers<void>();
  let onNext = (_child: ChildProcess): void => {};
  const { start, kill, killAll } = createSequencers({ batch: 1000, restMs: 500 }, (child) => {
    moved.push(child);
    if (moved.length > 100) enough.resolve();
    onNext(child);
  });
  start();
  start();
  const writing = writeUntil(createDraw(seed), () => over);
  await enough.promise;
  const atWork = moved.at(-1);
  const changes = moved.filter((child, index) => index > 0 && child !== moved[index - 1]).length;
  const other = Promise.withResolvers<void>();
  onNext = (child) => {
    if (child !== atWork) other.resolve();
  };
  const began = performance.now();
  if (atWork) await kill(atWork);
  await other.promise;
  const takenOverMs = Math.round(performance.now() - began);
  over = true;
  const committed = await writing;
  await killAll();
  await drain();
  const events = await listAllEvents(fresh.sql);
  const figures = {
    seed,
    moves: moved.length,
    changes,
    takenOverMs,
    committed,
    lost: committed - events.length,
    ...findLogFaults(events),
  };
  reportFault({ fault: 5, part: 'sequencers', figure: figures, bound: 'lost 0, gaps 0, inversions 0, doubled 0' });
  expect(figures).toMatchObject({ lost: 0, gaps: 0, inversions: 0, doubled: 0 });
  // A machine that stands still for as long as a sequencer rests makes them change places.
  expect(changes).toBeLessThan(10);
}, 240_000);
