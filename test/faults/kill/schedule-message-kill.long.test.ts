import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { createEventReader, readInstances } from '../../jobs/expand/schedule-events/stored-schedule.ts';
import { sharedDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData } from '../../support/tiny-world.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { feedSchedule, startFeedImport } from '../support/status-feed.ts';

const KILLS = Number(process.env['SCHEDULE_MESSAGE_KILLS'] ?? 2);
const MESSAGES_PER_ROUND = 30;
const LINES = 7;
const CHUNK = 5;
const MAX_DELAY_MS = 60;

const createSeededDatabase = async (): Promise<{ readonly sql: Database; readonly url: string }> => {
  const fresh = await sharedDatabase();
  await saveTinyMasterData(fresh.sql);
  await publishText(fresh.sql, feedSchedule, { today: localDate('2026-06-01'), horizonDays: 3 });
  return fresh;
};

/** Each retimes its own flight, so that each has exactly one event. */
const formatMessages = (round: number): readonly string[] =>
  Array.from({ length: MESSAGES_PER_ROUND }, (_, index) => {
    const number = String(round * MESSAGES_PER_ROUND + index + 1).padStart(5, '0');
    const minute = String(10 + (round % 40)).padStart(2, '0');
    return `ASM\nLT\n01JUN${number}E001\nTIM\nXX${1000 + index}/02JUN26\nLHR11${minute} JFK14${minute}\n\n`;
  });

const startImport = (url: string, onLine: (line: number) => void = () => {}) =>
  startFeedImport('schedule-messages', { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-01' }, ({ line }) =>
    onLine(line),
  );

const dump = async (sql: Database): Promise<string> =>
  JSON.stringify([...(await readInstances(sql))].toSorted(([a], [b]) => (a < b ? -1 : 1)));

test(
  'loses no acknowledged schedule message and applies none twice when the process is killed',
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    const [killed, reference] = [await createSeededDatabase(), await createSeededDatabase()];
    let kills = 0;
    let midway = 0;
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
        acknowledged = line;
        if ((line - 1) / LINES + 1 === written) send();
        // The kill hits the chunk that was just sent.
        if (line >= target) setTimeout(() => feed.child.kill('SIGKILL'), draw(MAX_DELAY_MS));
      });
      send();
      await feed.closed;
      kills += 1;
      const [stored] = await killed.sql<{ count: number }[]>`
        select count(*)::int as count from schedule_amendment where state = 'applied' and group_number > ${String(round * MESSAGES_PER_ROUND).padStart(5, '0')}`;
      const sent = acknowledged === 0 ? 0 : (acknowledged - 1) / LINES + 1;
      midway += (stored?.count ?? 0) < MESSAGES_PER_ROUND ? 1 : 0;
      expect(stored?.count ?? 0).toBeGreaterThanOrEqual(sent);
      // The sender repeats the whole round.
      const again = startImport(killed.url);
      again.stdin.end(messages.join(''));
      await again.closed;
      const whole = startImport(reference.url);
      whole.stdin.end(messages.join(''));
      await whole.closed;
      expect([again.child.exitCode, whole.child.exitCode]).toEqual([0, 0]);
    }
    reportFault(1, { seed, kills, midway }, 'schedule messages');
    expect(midway).toBeGreaterThan(KILLS / 4);
    expect(await dump(killed.sql)).toBe(await dump(reference.sql));
    const amendments = await killed.sql<{ state: string; count: number }[]>`
      select state, count(*)::int as count from schedule_amendment group by state`;
    expect([...amendments]).toEqual([{ state: 'applied', count: KILLS * MESSAGES_PER_ROUND }]);
    const versions = (await createEventReader(killed.sql)()).map(({ key, version }) => `${key} ${version}`);
    expect([versions.length, new Set(versions).size]).toEqual([KILLS * MESSAGES_PER_ROUND, KILLS * MESSAGES_PER_ROUND]);
  },
  120_000 + KILLS * 60_000,
);
