import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type AccountEvent, listAccountEvents } from '#store/events/account-events.ts';
import type { Alert } from '#domain/alerts/alert.ts';
import { startEventFanOut } from '#jobs/events/fan-out-events.ts';
import { startEventSequencer } from '#jobs/events/sequence-events.ts';
import { statusEvent } from '#test/domain/alerts/sample-events.ts';
import { noon } from '#test/store/events/sample-events.ts';
import { deleteSampleAlert, listAllAccountEvents, insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { insertSampleAlert, insertEventsWithFacts } from '#test/store/alerts/sample-accounts.ts';
import type { SampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createDraw } from '../support/random-draw.ts';
import { formatTimes } from '#test/support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers, killRepeatedly } from '../support/workers.ts';

const SEED = Number(process.env['DISTRIBUTOR_SEED'] ?? 20_270_301);
const KILLS = Number(process.env['DISTRIBUTOR_KILLS'] ?? 8);

const { sql: db, url } = await sharedDatabase();
const workers = createWorkers('distributor');
afterAll(workers.killAll);

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

const readDistributed = async (): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`
    select case when exists (select from fan_out_backlog) then 0 else last_pos end as last from event_distribution`;
  return Number(row?.last);
};

/** The number of the flight of an event; each has one event. */
const flightOf = ({ flightKey }: AccountEvent): number => Number.parseInt(flightKey, 16);

/** Which events an account must have, by their flights, and which not. */
type ExpectedStream = {
  readonly account: SampleAccount;
  readonly required: (flight: number) => boolean;
  readonly forbidden: (event: AccountEvent) => boolean;
};

/** Counts the errors and the events of the stored streams. A repeated event is out of order. */
const findStreamErrors = async (streams: readonly ExpectedStream[], flights: readonly number[]) => {
  const errors = { gaps: 0, disordered: 0, missed: 0, unexpected: 0 };
  let delivered = 0;
  for (const { account, required, forbidden } of streams) {
    const events = await listAllAccountEvents(db, account.stream);
    const received = events.map(flightOf);
    delivered += events.length;
    errors.gaps += events.filter(({ number }, index) => number !== index + 1).length;
    errors.disordered += received.filter((flight, index) => flight <= (received[index - 1] ?? -1)).length;
    errors.missed += new Set(flights.filter(required)).difference(new Set(received)).size;
    errors.unexpected += events.filter(forbidden).length;
  }
  return { errors, delivered };
};

/** Creates accounts whose alerts do not change: the first two receive all events, the others those of flight number 2 and 3. */
const insertAccounts = async (numbers: readonly number[]): Promise<readonly ExpectedStream[]> => {
  const streams: ExpectedStream[] = [];
  for (let n = 0; n < 4; n += 1) {
    const account = await insertSampleAccount(db);
    const route: Partial<Alert> = { alertType: 'Port', departureAirport: 'AAA', flightNumber: n };
    await insertSampleAlert(db, account, n === 0 ? {} : route);
    if (n === 1) await insertSampleAlert(db, account, { schedules: true, changeIndicator: true, codeshare: false });
    const required = (flight: number): boolean => n < 2 || numbers[flight] === n;
    streams.push({ account, required, forbidden: (event) => !required(flightOf(event)) });
  }
  return streams;
};

test(
  'every account gets each event exactly once and in order while fan-out workers are killed',
  async () => {
    const draw = createDraw(SEED);
    /** The flight numbers of all committed events, in order. */
    const numbers: number[] = [];
    const streams = [...(await insertAccounts(numbers))];
    const changingAccount = await insertSampleAccount(db);
    /** Deleted alerts, and the first flight whose event was certainly created later. */
    const deletedAlerts = new Map<string, number>();
    streams.push({
      account: changingAccount,
      required: () => false,
      forbidden: (event) => flightOf(event) >= (deletedAlerts.get(event.alertId) ?? 0),
    });

    let [isOver, begun] = [false, 0];
    const stopSequencer = await startEventSequencer(db, { clock: () => noon, onError: fail });
    const writing = (async () => {
      while (!isOver) {
        const facts = Array.from({ length: 6 }, () => ({ ...statusEvent, flightNumber: draw(4) }));
        begun += facts.length;
        await insertEventsWithFacts(db, numbers.length, facts);
        numbers.push(...facts.map(({ flightNumber }) => flightNumber));
        await delay(20);
      }
    })();
    const changeAlerts = (async () => {
      while (!isOver) {
        const account = await insertSampleAccount(db);
        await insertSampleAlert(db, account);
        const first = begun;
        streams.push({ account, required: (flight) => flight >= first, forbidden: () => false });
        for (let n = 0; n < 5; n += 1) {
          const id = await insertSampleAlert(db, changingAccount);
          await delay(draw(30));
          await deleteSampleAlert(db, id);
          deletedAlerts.set(id, begun);
        }
      }
    })();
    const second = streams[1]?.account ?? changingAccount;
    const following = follow(second, () => isOver);
    const takeoverMs = await killRepeatedly(workers, { url, kills: KILLS, draw });
    isOver = true;
    await Promise.all([writing, changeAlerts]);
    const followed = await following;
    await workers.killAll();
    const stop = await startEventFanOut(db, { onError: fail, standbyMs: 5 });
    await expect.poll(readDistributed).toBeGreaterThanOrEqual(numbers.length);
    await stop();
    await stopSequencer();

    const { errors, delivered } = await findStreamErrors(streams, [...numbers.keys()]);
    const counts = { batches: workers.batches.length, committed: numbers.length, delivered };
    const figures = { seed: SEED, kills: KILLS, ...counts, streams: streams.length, deletedAlerts: deletedAlerts.size };
    reportFault(4, { ...figures, ...errors, 'takeover after': formatTimes(takeoverMs) }, 'distributor');
    expect(errors).toEqual({ gaps: 0, disordered: 0, missed: 0, unexpected: 0 });
    const stored = await listAllAccountEvents(db, second.stream);
    expect(JSON.stringify(followed)).toBe(JSON.stringify(stored.slice(0, followed.length)));
    expect(followed.length).toBeGreaterThan(0);
  },
  60_000 + KILLS * 10_000,
);
