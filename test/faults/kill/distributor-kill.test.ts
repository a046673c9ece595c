import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAccountEvents, type AccountEvent } from '../../../src/store/events/account-events.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { startEventFanOut } from '../../../src/jobs/events/fan-out-events.ts';
import { startEventSequencer } from '../../../src/jobs/events/sequence-events.ts';
import { statusEvent } from '../../domain/alerts/sample-events.ts';
import { noon } from '../../store/events/sample-events.ts';
import {
  deleteSampleAlert,
  listAllAccountEvents,
  insertSampleAccount,
  insertSampleAlert,
  insertEventsWithFacts,
  type SampleAccount,
} from '../../store/alerts/sample-accounts.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { createWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';
import { createDraw } from '../support/status-feed.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';

const SEED = Number(process.env['DISTRIBUTOR_SEED'] ?? 20_270_301);
const KILLS = Number(process.env['DISTRIBUTOR_KILLS'] ?? 8);
/** A kill comes so long after a move at most, so that it falls into any part of the next ones. */
const MAX_DELAY_MS = 20;
/** Fewer events are taken at once than come between two moves, so that there is always work under way. */
const BATCH = 5;

const script = fileURLToPath(new URL('./distributor-process.ts', import.meta.url));

let fresh: FreshDatabase;
let db: Database;
let workers: WorkerProcesses;
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.sql;
  workers = createWorkerProcesses(script);
});
afterEach(async () => {
  await workers.killAll();
  await fresh.drop();
});

const fail = (error: unknown): void => {
  throw error;
};

/** Follows a stream as a subscriber does, from its beginning, until it is told to stop. */
const follow = async ({ stream }: SampleAccount, isOver: () => boolean): Promise<readonly AccountEvent[]> => {
  const read: AccountEvent[] = [];
  while (!isOver()) {
    const page = await listAccountEvents(db, { stream, after: read.at(-1)?.number ?? 0, limit: 50 });
    if (page.kind !== 'events') throw new Error(`the stream was ${page.kind}`);
    read.push(...page.events);
    if (page.events.length === 0) await delay(10);
  }
  return read;
};

/** Resolves when accounts were given all events up to a position. */
const waitUntilDistributed = async (position: number): Promise<void> => {
  for (;;) {
    const [row] = await db<{ last: bigint }[]>`select last_pos as last from event_distribution`;
    if (Number(row?.last) >= position) return;
    await delay(5);
  }
};

const flightOf = ({ flightKey }: AccountEvent): number => Number.parseInt(flightKey, 16);

test(
  'no account is given an event twice or not at all, or a number twice, when who gives them is killed again and again',
  async () => {
    const draw = createDraw(SEED);
    const accounts: SampleAccount[] = [];
    // The first two want all events, the others those of some numbers.
    for (let n = 0; n < 4; n += 1) {
      const account = await insertSampleAccount(db);
      accounts.push(account);
      await insertSampleAlert(
        db,
        account,
        n === 0 ? {} : { alertType: 'Port', departureAirport: 'AAA', flightNumber: n },
      );
      if (n === 1) await insertSampleAlert(db, account, { schedules: true, changeIndicator: true, codeshare: false });
    }
    const restless = await insertSampleAccount(db);
    const [, second] = accounts;
    if (!second) throw new Error('there are too few accounts');

    let over = false;
    const stopSequencer = await startEventSequencer(db, { clock: () => noon, onError: fail });
    /** Flights whose event is committed, and those for which the transaction has begun. */
    let [told, begun] = [0, 0];
    const numbers: number[] = [];
    const write = (async () => {
      while (!over) {
        const facts = Array.from({ length: 6 }, () => ({ ...statusEvent, flightNumber: draw(4) }));
        begun += facts.length;
        await insertEventsWithFacts(db, told, facts);
        told += facts.length;
        numbers.push(...facts.map(({ flightNumber }) => flightNumber));
        await delay(20);
      }
    })();
    /** Alerts that are gone, and the first flight whose event was surely made after that. */
    const ended = new Map<string, number>();
    /** Accounts whose alert came later, and the first flight whose event was surely made after it. */
    const late = new Map<SampleAccount, number>();
    const churn = (async () => {
      while (!over) {
        const account = await insertSampleAccount(db);
        await insertSampleAlert(db, account);
        late.set(account, begun);
        for (let n = 0; n < 5; n += 1) {
          const id = await insertSampleAlert(db, restless);
          await delay(draw(30));
          await deleteSampleAlert(db, id);
          ended.set(id, begun);
        }
      }
    })();
    const following = follow(second, () => over);
    const { running: children, kill, killAll, waitForNextMove: atWork, countMoves: moves } = workers;
    const start = (): void => workers.start(fresh.url, String(BATCH), '20');
    start();
    start();
    const takenOverMs: number[] = [];
    for (let kills = 0; kills < KILLS;) {
      const child = await atWork();
      await delay(draw(MAX_DELAY_MS));
      if (!children.has(child)) continue;
      const began = performance.now();
      await kill(child);
      kills += 1;
      start();
      await atWork();
      takenOverMs.push(performance.now() - began);
    }
    over = true;
    await Promise.all([write, churn]);
    const followed = await following;
    await killAll();
    const stop = await startEventFanOut(db, { onError: fail, standbyMs: 5 });
    await waitUntilDistributed(told);
    await stop();
    await stopSequencer();

    const faults = { gaps: 0, doubled: 0, disordered: 0, differences: 0, missed: 0, afterTheEnd: 0 };
    const wanted = [() => true, () => true, (n: number) => n === 2, (n: number) => n === 3];
    let given = 0;
    for (const [index, account] of [...accounts, restless, ...late.keys()].entries()) {
      const events = await listAllAccountEvents(db, account.stream);
      given += events.length;
      for (const [place, event] of events.entries()) {
        if (event.number !== place + 1) faults.gaps += 1;
        const before = events[place - 1];
        if (before && flightOf(before) >= flightOf(event)) faults.disordered += 1;
      }
      faults.doubled += events.length - new Set(events.map(({ id }) => id)).size;
      const after = late.get(account);
      if (after !== undefined)
        faults.missed += told - after - events.filter((event) => flightOf(event) >= after).length;
      if (account === restless)
        faults.afterTheEnd += events.filter((event) => flightOf(event) >= (ended.get(event.alertId) ?? 0)).length;
      const wants = wanted[index];
      if (!wants) continue;
      const expected = numbers.flatMap((number, flight) => (wants(number) ? [flight] : []));
      if (events.map(flightOf).join() !== expected.join()) faults.differences += 1;
      if (account === second && JSON.stringify(events.slice(0, followed.length)) !== JSON.stringify(followed))
        faults.differences += 1;
    }
    const figures = { seed: SEED, kills: KILLS, moves: moves(), told, given, ended: ended.size, late: late.size };
    const takenOver = `p50 ${Math.round(computeQuantile(takenOverMs, 0.5))} ms, longest ${Math.round(computeQuantile(takenOverMs, 1))} ms`;
    reportFault({
      fault: 4,
      part: 'distributor',
      figure: { ...figures, ...faults, 'another moves after': takenOver },
      bound: 'gaps, doubled, disordered, differences, missed and afterTheEnd 0',
    });
    expect(faults).toEqual({ gaps: 0, doubled: 0, disordered: 0, differences: 0, missed: 0, afterTheEnd: 0 });
    expect(followed.length).toBeGreaterThan(0);
  },
  60_000 + KILLS * 10_000,
);
