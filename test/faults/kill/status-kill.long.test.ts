import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { dumpStatuses } from '#test/jobs/status/messages.ts';
import { listFlightsWithVersionGaps, listStatusEvents } from '#test/jobs/status/emitted-events.ts';
import { createDraw } from '../support/random-draw.ts';
import { formatFeedLines, feedSchedule, startStatusImport, type FeedLine } from '../support/status-feed.ts';
import { reportFault } from '../support/report-fault.ts';

const ROUNDS = Number(process.env['STATUS_KILL_ROUNDS'] ?? 2);
const LINES_PER_ROUND = 1500;
/** The kill follows up to this many acknowledged lines, so that it hits the middle of a round on slow machines too. */
const MAX_ACKNOWLEDGED = 100;
const MAX_DELAY_MS = 20;

const createSeededDatabase = async () => {
  const fresh = await sharedDatabase();
  await saveTinyMasterData(fresh.sql);
  await publishText(fresh.sql, feedSchedule, { today: localDate('2026-06-02'), horizonDays: 3 });
  return fresh;
};

const [killed, reference] = [await createSeededDatabase(), await createSeededDatabase()];

const startFeed = (url: string) => {
  let acknowledged = 0;
  // Old flights have no events; a fixed date keeps these flights recent if midnight passes during the test.
  const { child, stdin, closed, errorOutput } = startStatusImport(
    { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-06' },
    ({ line }) => {
      acknowledged = line;
      child.emit('acknowledged');
    },
  );
  return {
    child,
    closed,
    acknowledged: () => acknowledged,
    send: async (lines: readonly FeedLine[], batchSize: number, pauseMs = 1): Promise<void> => {
      for (let from = 0; from < lines.length && stdin.writable; from += batchSize) {
        const part = lines.slice(from, from + batchSize);
        stdin.write(part.map(({ text }) => `${text}\n`).join(''));
        await delay(pauseMs);
      }
    },
    untilAcknowledged: async (line: number): Promise<void> => {
      while (acknowledged < line) await once(child, 'acknowledged');
    },
    /** Closes the feed and asserts that all lines were acknowledged. */
    close: async (lines: readonly FeedLine[]): Promise<void> => {
      stdin.end();
      await closed;
      expect([child.exitCode, acknowledged, errorOutput()]).toEqual([
        3,
        lines.length,
        expect.stringContaining('stream ended'),
      ]);
    },
  };
};

const countStoredCopies = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  const rows = await db<{ id: string; times: bigint }[]>`
    select id, count(*) as times from (select id from status_message union all select id from status_quarantine) as stored group by id`;
  return new Map(rows.map(({ id, times }) => [id, Number(times)]));
};

/** Lists the last event of each flight. Batches differ between the feeds, but their final state does not. */
const listLastEvents = async (db: Database): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await listStatusEvents(db)).map(({ flightKey, body: { flightVersion: _, changes: __, ...last } }) => [
      flightKey,
      JSON.stringify(last),
    ]),
  );

test(
  'loses no acknowledged message when the process is killed; sending again completes the rest',
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    const sent: FeedLine[] = [];
    const acknowledged: string[] = [];
    const totals = { seed, kills: 0, midway: 0, acknowledged: 0, lost: 0, doubled: 0 };
    const uninterrupted = startFeed(reference.url);
    let next = startFeed(killed.url);
    let round = 0;
    // Kills hit the middle of a round by chance; on a busy machine more rounds are needed.
    const isComplete = (): boolean => round >= ROUNDS && (totals.midway > ROUNDS / 4 || round >= 4 * ROUNDS);
    for (; !isComplete(); round += 1) {
      const feed = next;
      const lines = formatFeedLines(round, LINES_PER_ROUND, draw);
      await feed.send(lines.slice(0, 1), 1);
      await feed.untilAcknowledged(1);
      // The next process starts while this one works.
      next = startFeed(killed.url);
      const sending = feed.send(lines.slice(1), 20 + draw(40), 5 + draw(15));
      await feed.untilAcknowledged(1 + draw(MAX_ACKNOWLEDGED));
      await delay(draw(MAX_DELAY_MS));
      totals.kills += feed.child.kill('SIGKILL') ? 1 : 0;
      await Promise.all([feed.closed, sending]);
      sent.push(...lines);
      await uninterrupted.send(lines, 500);
      acknowledged.push(...lines.slice(0, feed.acknowledged()).flatMap(({ id }) => id ?? []));
      totals.midway += feed.acknowledged() < lines.length ? 1 : 0;
      const copies = await countStoredCopies(killed.sql);
      totals.lost += acknowledged.filter((id) => !copies.has(id)).length;
      totals.doubled += [...copies.values()].filter((times) => times > 1).length;
    }
    totals.acknowledged = acknowledged.length;
    reportFault(2, totals, 'messages');
    expect(totals).toMatchObject({ kills: round, lost: 0, doubled: 0 });
    expect(totals.midway).toBeGreaterThan(ROUNDS / 4);
    await next.send(sent, 500);
    await Promise.all([next.close(sent), uninterrupted.close(sent)]);
    expect((await dumpStatuses(killed.sql)) === (await dumpStatuses(reference.sql))).toBe(true);
    const copies = await countStoredCopies(killed.sql);
    expect([copies.size, [...copies.values()].every((times) => times === 1)]).toEqual([
      sent.filter(({ id }) => id !== undefined).length,
      true,
    ]);
    const [last, expected] = [await listLastEvents(killed.sql), await listLastEvents(reference.sql)];
    // A flight with an event in only one of them differs, too.
    const differing = [...new Set([...last.keys(), ...expected.keys()])].filter(
      (key) => last.get(key) !== expected.get(key),
    );
    const figure = { flights: last.size, 'of the whole feed': expected.size, different: differing.length };
    reportFault(2, figure, 'events');
    expect([last.size > 50, differing, await listFlightsWithVersionGaps(killed.sql)]).toEqual([true, [], []]);
  },
  600_000 + ROUNDS * 120_000,
);
