import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { createEventReader, readInstances } from '#test/jobs/expand/schedule-events/stored-schedule.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { feedSchedule, startFeedImport } from '../support/status-feed.ts';

const KILLS = Number(process.env['SCHEDULE_MESSAGE_KILLS'] ?? 2);
const FLIGHTS_PER_ROUND = 15;
const MESSAGES_PER_ROUND = 2 * FLIGHTS_PER_ROUND;
const LINES = 8;
const CHUNK = 5;
const MAX_DELAY_MS = 60;

const createSeededDatabase = async (): Promise<{ readonly sql: Database; readonly url: string }> => {
  const fresh = await sharedDatabase();
  await saveTinyMasterData(fresh.sql);
  await publishText(fresh.sql, feedSchedule, { today: localDate('2026-06-01'), horizonDays: 3 });
  return fresh;
};

/** Half retime a flight of their own, and half cancel or reinstate one, so that each has exactly one event. All have the same number of lines. */
const formatMessages = (round: number): readonly string[] =>
  Array.from({ length: MESSAGES_PER_ROUND }, (_, index) => {
    const number = String(round * MESSAGES_PER_ROUND + index + 1).padStart(5, '0');
    const minute = String(10 + (round % 40)).padStart(2, '0');
    const flight = `XX${1000 + (index % FLIGHTS_PER_ROUND)}`;
    const second = String(index).padStart(2, '0');
    const hour = String(Math.floor(round / 60)).padStart(2, '0');
    const lines =
      index < FLIGHTS_PER_ROUND
        ? ['TIM', `${flight}/02JUN26`, `LHR11${minute} JFK14${minute}`]
        : [round % 2 === 0 ? 'CNL' : 'RIN', `${flight}/01JUN26`, `SI ${second}`];
    const origin = `.LHROOXX 01${hour}${String(round % 60).padStart(2, '0')}`;
    return [origin, 'ASM', 'LT', `01JUN${number}E001`, ...lines, '', ''].join('\n');
  });

/** Starts an import; returns the replies by reference, which come with the acknowledgements. */
const startImport = (url: string, onLine: (line: number) => void = () => {}) => {
  const replies: string[] = [];
  const feed = startFeedImport(
    'schedule-messages',
    { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-01' },
    { onAcknowledged: ({ line }) => onLine(line), onReply: ({ text }) => void replies.push(text) },
  );
  return { ...feed, replies };
};

/** Sends all messages of a round; returns the replies. */
const sendRound = async (url: string, messages: readonly string[]): Promise<readonly string[]> => {
  const feed = startImport(url);
  feed.stdin.end(messages.join(''));
  await feed.closed;
  expect([feed.child.exitCode, feed.errorOutput()]).toEqual([0, expect.any(String)]);
  return feed.replies.toSorted();
};

const dump = async (sql: Database): Promise<string> => {
  const instances = [...(await readInstances(sql))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const statuses = await sql<object[]>`
    select departs_on::text, encode(key, 'hex') as key, state, doc, scheduled_out from flight_status order by 1, 2`;
  const open = await sql<object[]>`
    select 'update' as open from status_update union all select state from schedule_cancellation where state <> 'stored'`;
  return JSON.stringify([instances, statuses, open]);
};

test(
  'loses no acknowledged schedule message, status or reply and applies nothing twice when the process is killed',
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    const [killed, reference] = [await createSeededDatabase(), await createSeededDatabase()];
    let [kills, midway, lost] = [0, 0, 0];
    for (let round = 0; round < KILLS; round += 1) {
      const messages = formatMessages(round);
      let acknowledged = 0;
      const target = 1 + LINES * draw(MESSAGES_PER_ROUND - 2 * CHUNK);
      let written = 0;
      const send = (): void => {
        if (feed.stdin.writable) feed.stdin.write(messages.slice(written, written + CHUNK).join(''));
        written += CHUNK;
      };
      const feed = startImport(killed.url, (line) => {
        acknowledged = Math.ceil(line / LINES);
        if (acknowledged === written) send();
        // The kill hits the chunk that was just sent.
        if (line >= target) setTimeout(() => feed.child.kill('SIGKILL'), draw(MAX_DELAY_MS));
      });
      send();
      await feed.closed;
      kills += 1;
      const first = String(round * MESSAGES_PER_ROUND).padStart(5, '0');
      const [stored] = await killed.sql<{ count: number; unfinished: number }[]>`
        select count(*)::int as count, (select count(*)::int from status_update) as unfinished
        from schedule_amendment where state = 'applied' and group_number > ${first}`;
      midway += (stored?.count ?? 0) < MESSAGES_PER_ROUND ? 1 : 0;
      lost += stored?.unfinished ?? 0;
      expect(stored?.count ?? 0).toBeGreaterThanOrEqual(acknowledged);
      // The sender repeats the whole round: each message has exactly one reply, that of the first time.
      const replies = await sendRound(killed.url, messages);
      expect(replies).toHaveLength(MESSAGES_PER_ROUND);
      expect(replies).toEqual(await sendRound(reference.url, messages));
      expect(replies).toEqual(expect.arrayContaining([...new Set(feed.replies)]));
      expect(await dump(killed.sql)).toBe(await dump(reference.sql));
    }
    reportFault(1, { seed, kills, midway, unfinished: lost }, 'schedule messages');
    expect(midway).toBeGreaterThan(KILLS / 4);
    const amendments = await killed.sql<{ state: string; count: number }[]>`
      select state, count(*)::int as count from schedule_amendment group by state`;
    expect([...amendments]).toEqual([{ state: 'applied', count: KILLS * MESSAGES_PER_ROUND }]);
    const versions = (await createEventReader(killed.sql)()).map(({ key, version }) => `${key} ${version}`);
    expect([versions.length, new Set(versions).size]).toEqual([KILLS * MESSAGES_PER_ROUND, KILLS * MESSAGES_PER_ROUND]);
  },
  120_000 + KILLS * 60_000,
);
