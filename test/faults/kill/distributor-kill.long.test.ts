import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AccountEvent, listAccountEvents } from '../../../src/store/events/account-events.ts';
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
import { createDraw } from '../support/random-draw.ts';
import { formatTimes } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers } from '../support/workers.ts';

const SEED = Number(process.env['DISTRIBUTOR_SEED'] ?? 20_270_301);
const KILLS = Number(process.env['DISTRIBUTOR_KILLS'] ?? 8);
/** The longest delay of a kill after a batch, so that it hits any part of the next batches. */
const MAX_DELAY_MS = 20;
/** Smaller than the number of events between two batches, so that there is always work to do. */
const BATCH = 5;

let fresh: FreshDatabase;
let db: Database;
const workers = createWorkers('distributor');
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.sql;
});
afterEach(async () => {
  await workers.killAll();
  await fresh.drop();
});

const fail = (error: unknown): void => {
  throw error;
};

/** Reads a stream from its start like a subscriber until `isOver`. */
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

/** Waits until all events up to a position have been fanned out. */
const waitUntilDistributed = async (position: number): Promise<void> => {
  for (;;) {
    const [row] = await db<{ last: bigint }[]>`select last_pos as last from event_distribution`;
    if (Number(row?.last) >= position) return;
    await delay(5);
  }
};

const flightOf = ({ flightKey }: AccountEvent): number => Number.parseInt(flightKey, 16);

/** What the test wrote, and what a subscriber of the second account read meanwhile. */
type FanOutRun = {
  /** Accounts whose alerts did not change. */
  readonly accounts: readonly SampleAccount[];
  /** The account whose alerts were created and deleted. */
  readonly changingAccount: SampleAccount;
  /** Accounts whose alert was created during the test, and the first flight whose event was certainly created after it. */
  readonly lateAccounts: ReadonlyMap<SampleAccount, number>;
  /** Deleted alerts, and the first flight whose event was certainly created later. */
  readonly deletedAlerts: ReadonlyMap<string, number>;
  /** The flight numbers of all committed events, in order. */
  readonly numbers: readonly number[];
  readonly followed: readonly AccountEvent[];
};

/** Compares the stored streams with what was written; counts the errors and the delivered events. */
const findStreamErrors = async ({
  accounts,
  changingAccount,
  lateAccounts,
  deletedAlerts,
  numbers,
  followed,
}: FanOutRun) => {
  const errors = { gaps: 0, doubled: 0, disordered: 0, differences: 0, missed: 0, afterDeletion: 0 };
  const filters = [() => true, () => true, (n: number) => n === 2, (n: number) => n === 3];
  let delivered = 0;
  for (const [index, account] of [...accounts, changingAccount, ...lateAccounts.keys()].entries()) {
    const events = await listAllAccountEvents(db, account.stream);
    delivered += events.length;
    for (const [position, event] of events.entries()) {
      if (event.number !== position + 1) errors.gaps += 1;
      const before = events[position - 1];
      if (before && flightOf(before) >= flightOf(event)) errors.disordered += 1;
    }
    errors.doubled += events.length - new Set(events.map(({ id }) => id)).size;
    const after = lateAccounts.get(account);
    if (after !== undefined)
      errors.missed += numbers.length - after - events.filter((event) => flightOf(event) >= after).length;
    if (account === changingAccount)
      errors.afterDeletion += events.filter(
        (event) => flightOf(event) >= (deletedAlerts.get(event.alertId) ?? 0),
      ).length;
    const filter = filters[index];
    if (!filter) continue;
    const expected = numbers.flatMap((number, flight) => (filter(number) ? [flight] : []));
    if (events.map(flightOf).join() !== expected.join()) errors.differences += 1;
    if (account === accounts[1] && JSON.stringify(events.slice(0, followed.length)) !== JSON.stringify(followed))
      errors.differences += 1;
  }
  return { errors, delivered };
};

test(
  'every account gets each event exactly once and in order while fan-out workers are killed',
  async () => {
    const draw = createDraw(SEED);
    const accounts: SampleAccount[] = [];
    // The first two receive all events, the others those of one flight number.
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
    const changingAccount = await insertSampleAccount(db);
    const [, second] = accounts;
    if (!second) throw new Error('too few accounts');

    let isOver = false;
    const stopSequencer = await startEventSequencer(db, { clock: () => noon, onError: fail });
    /** Flights whose event is committed, and those whose transaction has begun. */
    let [committed, begun] = [0, 0];
    const numbers: number[] = [];
    const writing = (async () => {
      while (!isOver) {
        const facts = Array.from({ length: 6 }, () => ({ ...statusEvent, flightNumber: draw(4) }));
        begun += facts.length;
        await insertEventsWithFacts(db, committed, facts);
        committed += facts.length;
        numbers.push(...facts.map(({ flightNumber }) => flightNumber));
        await delay(20);
      }
    })();
    const deletedAlerts = new Map<string, number>();
    const lateAccounts = new Map<SampleAccount, number>();
    const changeAlerts = (async () => {
      while (!isOver) {
        const account = await insertSampleAccount(db);
        await insertSampleAlert(db, account);
        lateAccounts.set(account, begun);
        for (let n = 0; n < 5; n += 1) {
          const id = await insertSampleAlert(db, changingAccount);
          await delay(draw(30));
          await deleteSampleAlert(db, id);
          deletedAlerts.set(id, begun);
        }
      }
    })();
    const following = follow(second, () => isOver);
    const { running, kill, killAll, waitForNextBatch } = workers;
    const start = (): unknown => workers.start(fresh.url, { batch: BATCH, standbyMs: 20 });
    start();
    start();
    const takeoverMs: number[] = [];
    for (let kills = 0; kills < KILLS;) {
      const child = await waitForNextBatch();
      await delay(draw(MAX_DELAY_MS));
      if (!running.has(child)) continue;
      const startedAt = performance.now();
      await kill(child);
      kills += 1;
      start();
      await waitForNextBatch();
      takeoverMs.push(performance.now() - startedAt);
    }
    isOver = true;
    await Promise.all([writing, changeAlerts]);
    const followed = await following;
    await killAll();
    const stop = await startEventFanOut(db, { onError: fail, standbyMs: 5 });
    await waitUntilDistributed(committed);
    await stop();
    await stopSequencer();

    const { errors, delivered } = await findStreamErrors({
      accounts,
      changingAccount,
      lateAccounts,
      deletedAlerts,
      numbers,
      followed,
    });
    const figures = {
      seed: SEED,
      kills: KILLS,
      batches: workers.batches.length,
      committed,
      delivered,
      deletedAlerts: deletedAlerts.size,
      lateAccounts: lateAccounts.size,
    };
    reportFault(4, { ...figures, ...errors, 'takeover after': formatTimes(takeoverMs) }, 'distributor');
    expect(errors).toEqual({ gaps: 0, doubled: 0, disordered: 0, differences: 0, missed: 0, afterDeletion: 0 });
    expect(followed.length).toBeGreaterThan(0);
  },
  60_000 + KILLS * 10_000,
);
