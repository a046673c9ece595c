import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { createEnvironment } from '../../cli/run-command.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData } from '../../support/tiny-world.ts';
import { dumpStatuses } from '../../jobs/status/messages.ts';
import { listFlightsWithVersionGaps, listStatusEvents } from '../../jobs/status/emitted-events.ts';
import { createDraw, formatFeedLines, feedSchedule, type FeedLine } from '../support/status-feed.ts';
import { reportFault } from '../support/report-fault.ts';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

const ROUNDS = Number(process.env['STATUS_KILL_ROUNDS'] ?? 5);
const LINES_PER_ROUND = 600;
/** A kill comes some time after so many lines of a round were acknowledged, so that it falls into its middle on slow machines too. */
const MAX_ACKNOWLEDGED = 100;
const MAX_DELAY_MS = 20;

const createSeededDatabase = async (): Promise<FreshDatabase> => {
  const fresh = await freshDatabase();
  await saveTinyMasterData(fresh.sql);
  await publishText(fresh.sql, feedSchedule, { today: localDate('2026-06-02'), horizonDays: 3 });
  return fresh;
};

let killed: FreshDatabase;
let whole: FreshDatabase;
beforeAll(async () => {
  [killed, whole] = [await createSeededDatabase(), await createSeededDatabase()];
});
afterAll(() => Promise.all([killed.drop(), whole.drop()]));

/** `flightdata import status -`, which is fed, and tells up to which of its lines everything is stored. */
const startFeed = (url: string) => {
  const child = spawn(process.execPath, [main, 'import', 'status', '-'], {
    // Flights of long ago have no events; a midnight that comes while feeds are running makes none of these such a flight.
    env: createEnvironment({ DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-06' }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A feed whose reader has been killed is told so; that is what is wanted here.
  child.stdin.on('error', () => {});
  let acknowledged = 0;
  let complaint = '';
  child.stderr.on('data', (piece: Buffer) => {
    complaint += piece.toString();
  });
  const listening = createInterface({ input: child.stdout });
  listening.on('line', (line) => {
    const said: { acknowledged?: { line: number } } = JSON.parse(line);
    acknowledged = said.acknowledged?.line ?? acknowledged;
    if (said.acknowledged) child.emit('acknowledged');
  });
  const ended = Promise.all([once(child, 'close'), once(listening, 'close')]);
  const send = async (lines: readonly FeedLine[], atOnce: number, pauseMs = 1): Promise<void> => {
    for (let from = 0; from < lines.length && child.stdin.writable; from += atOnce) {
      const part = lines.slice(from, from + atOnce);
      child.stdin.write(part.map(({ text }) => `${text}\n`).join(''));
      await delay(pauseMs);
    }
  };
  const untilAcknowledged = async (line: number): Promise<void> => {
    while (acknowledged < line) await once(child, 'acknowledged');
  };
  return { child, send, ended, untilAcknowledged, acknowledged: () => acknowledged, complaint: () => complaint };
};
type Feed = ReturnType<typeof startFeed>;

/** Ends a feed that was sent so many lines, and waits until they are taken. */
const closeFeed = async (feed: Feed, lines: readonly FeedLine[]): Promise<void> => {
  feed.child.stdin.end();
  await feed.ended;
  expect([feed.child.exitCode, feed.acknowledged(), feed.complaint()]).toEqual([
    3,
    lines.length,
    expect.stringContaining('stream ended'),
  ]);
};

const countStoredCopies = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  const rows = await db<{ id: string; times: bigint }[]>`
    select id, count(*) as times from (select id from status_message union all select id from status_quarantine) as kept group by id`;
  return new Map(rows.map(({ id, times }) => [id, Number(times)]));
};

/** What the last event of each flight tells of it: which messages came together differs from feed to feed, where they lead does not. */
const listLastEvents = async (db: Database): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await listStatusEvents(db)).map(({ flightKey, body: { flightVersion: _, changes: __, ...told } }) => [
      flightKey,
      JSON.stringify(told),
    ]),
  );

test(
  'nothing that was acknowledged is lost when the process is killed, and sending again completes the rest',
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    const sent: FeedLine[] = [];
    const acknowledged: string[] = [];
    const totals = { seed, kills: 0, midway: 0, acknowledged: 0, lost: 0, doubled: 0 };
    const uninterrupted = startFeed(whole.url);
    let next = startFeed(killed.url);
    let round = 0;
    // Chance decides which kills come midway; where the machine is busy with other things few do, and more rounds are needed.
    const isEnough = (): boolean => round >= ROUNDS && (totals.midway > ROUNDS / 4 || round >= 4 * ROUNDS);
    for (; !isEnough(); round += 1) {
      const feed = next;
      const lines = formatFeedLines(round, LINES_PER_ROUND, draw);
      await feed.send(lines.slice(0, 1), 1);
      await feed.untilAcknowledged(1);
      // The next process starts up while this one works.
      next = startFeed(killed.url);
      const sending = feed.send(lines.slice(1), 20 + draw(40), 5 + draw(15));
      await feed.untilAcknowledged(1 + draw(MAX_ACKNOWLEDGED));
      await delay(draw(MAX_DELAY_MS));
      totals.kills += feed.child.kill('SIGKILL') ? 1 : 0;
      await Promise.all([feed.ended, sending]);
      sent.push(...lines);
      await uninterrupted.send(lines, 500);
      acknowledged.push(...lines.slice(0, feed.acknowledged()).flatMap(({ id }) => id ?? []));
      totals.midway += feed.acknowledged() < lines.length ? 1 : 0;
      const kept = await countStoredCopies(killed.sql);
      totals.lost += acknowledged.filter((id) => !kept.has(id)).length;
      totals.doubled += [...kept.values()].filter((times) => times > 1).length;
    }
    totals.acknowledged = acknowledged.length;
    reportFault({ fault: 2, part: 'messages', figure: totals, bound: 'lost 0, doubled 0' });
    expect(totals).toMatchObject({ kills: round, lost: 0, doubled: 0 });
    expect(totals.midway).toBeGreaterThan(ROUNDS / 4);
    await next.send(sent, 500);
    await Promise.all([closeFeed(next, sent), closeFeed(uninterrupted, sent)]);
    expect((await dumpStatuses(killed.sql)) === (await dumpStatuses(whole.sql))).toBe(true);
    const kept = await countStoredCopies(killed.sql);
    expect([kept.size, [...kept.values()].every((times) => times === 1)]).toEqual([
      sent.filter(({ id }) => id !== undefined).length,
      true,
    ]);
    const [told, expected] = [await listLastEvents(killed.sql), await listLastEvents(whole.sql)];
    // A flight of which only one of them tells is astray, too.
    const astray = [...new Set([...told.keys(), ...expected.keys()])].filter(
      (key) => told.get(key) !== expected.get(key),
    );
    const figure = { flights: told.size, 'of the whole feed': expected.size, astray: astray.length };
    reportFault({ fault: 2, part: 'events', figure, bound: 'as many flights, astray 0' });
    expect([told.size > 50, astray, await listFlightsWithVersionGaps(killed.sql)]).toEqual([true, [], []]);
  },
  600_000 + ROUNDS * 120_000,
);
