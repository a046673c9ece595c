import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { startCommand } from '#test/cli/run-command.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { createDraw, type RandomDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { feedSchedule } from '../support/status-feed.ts';

const FILES = Number(process.env['SPOOL_FILES'] ?? 60);
const FLIGHTS = 33;
/** Names repeat, so that a file often has the name of an earlier one. */
const NAMES = Math.ceil(FILES * 0.9);

const toNumber = (index: number): string => String(index + 1).padStart(5, '0');

const formatFile = (index: number): string => {
  const minute = String(10 + (index % 49)).padStart(2, '0');
  const flight = `XX${1000 + (index % FLIGHTS)}`;
  return `ASM\nLT\n01JUN${toNumber(index)}E001\nTIM\n${flight}/02JUN26\nLHR11${minute} JFK14${minute}\n\n`;
};

const isPoison = (index: number): boolean => index % 100 === 50;

/** Random bytes, a NUL, or a cut gzip file; each contains the number of its file. */
const formatPoison = (draw: RandomDraw, index: number): Buffer => {
  const name = Buffer.from(`POISON${index}\n`);
  const cases = [
    Buffer.from(Array.from({ length: 3000 }, () => draw(256))),
    Buffer.from([0, 10, 0]),
    Buffer.from([0x1f, 0x8b, 8, 0, 0]),
  ];
  const bytes = cases[draw(cases.length)] ?? name;
  return bytes[0] === 0x1f ? Buffer.concat([bytes, name]) : Buffer.concat([name, bytes]);
};

const readAll = async (folder: string): Promise<readonly Buffer[]> =>
  Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));

test(
  `two watchers import ${FILES} files with poison while they are killed: nothing is lost, repeated or overwritten`,
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    const { sql, url } = await sharedDatabase();
    await saveTinyMasterData(sql);
    await publishText(sql, feedSchedule, { today: localDate('2026-06-01'), horizonDays: 3 });
    const directory = await mkdtemp(join(tmpdir(), 'spool-soak-'));
    let kills = 0;
    const failures: string[] = [];
    let isOver = false;
    const start = (): ChildProcess =>
      startCommand(['import', 'schedule-messages', '--watch', directory], {
        DATABASE_URL: url,
        FLIGHTDATA_TODAY: '2026-06-01',
      });
    /** Runs a watcher, and kills it again and again until all files were written. */
    const runWatcher = async (): Promise<void> => {
      while (!isOver) {
        const watcher = start();
        watcher.stdout?.resume();
        watcher.stderr?.resume();
        const closed = once(watcher, 'close');
        await Promise.race([closed, delay(2_500 + draw(4_000))]);
        if (isOver) watcher.kill('SIGTERM');
        else if (watcher.exitCode === null) {
          watcher.kill('SIGKILL');
          kills += 1;
        } else failures.push(`a watcher ended with ${watcher.exitCode}`);
        await closed;
      }
    };
    const countOf = async (...names: readonly string[]): Promise<number> => {
      const lists = await Promise.all(names.map((name) => readdir(join(directory, name)).catch(() => [])));
      return lists.flat().length;
    };
    const watchers = [runWatcher(), runWatcher()];
    await mkdir(join(directory, 'incoming.part'));
    for (let index = 0; index < FILES; index += 1) {
      // A fast machine must not be through before the first kill.
      while (index >= FILES / 2 && kills === 0) await delay(50);
      const name = `${String(index % NAMES).padStart(5, '0')}.txt`;
      const path = join(directory, 'incoming.part', name);
      await writeFile(path, isPoison(index) ? formatPoison(draw, index) : formatFile(index));
      // As a gateway does: never over a file that is not taken yet.
      while ((await readdir(directory)).includes(name)) await delay(50);
      await rename(path, join(directory, name));
    }
    const deadline = performance.now() + 30_000 + FILES * 200;
    while ((await countOf('done', 'failed')) < FILES && performance.now() < deadline) await delay(500);
    isOver = true;
    await Promise.all(watchers);
    // Takes over what the last kill left.
    const last = start();
    const lastClosed = once(last, 'close');
    await delay(6_000);
    last.kill('SIGTERM');
    await lastClosed;
    const [done, failed, replies] = await Promise.all(
      ['done', 'failed', 'replies'].map((folder) => readAll(join(directory, folder))),
    );
    const expected = Array.from({ length: FILES }, (_, index) => index).filter((index) => !isPoison(index));
    const texts = (done ?? []).map((bytes) => bytes.toString('latin1')).filter((text) => !text.startsWith('POISON'));
    reportFault(5, { seed, files: FILES, kills, done: done?.length, failed: failed?.length }, 'two spool watchers');
    expect(failures).toEqual([]);
    expect(kills).toBeGreaterThan(0);
    expect((done?.length ?? 0) + (failed?.length ?? 0)).toBe(FILES);
    expect(texts.toSorted()).toEqual(expected.map(formatFile).toSorted());
    expect((replies ?? []).map(String).toSorted()).toEqual(
      expected.map((index) => `ASM\r\n01JUN${toNumber(index)}E001\r\nACK\r\n`).toSorted(),
    );
    expect(await readdir(join(directory, 'working'))).toEqual([]);
    const [row] = await sql<{ count: number; applied: number }[]>`
      select count(*)::int as count, (count(*) filter (where state = 'applied'))::int as applied from schedule_amendment`;
    expect(row).toEqual({ count: expected.length, applied: expected.length });
    await rm(directory, { recursive: true });
  },
  180_000 + FILES * 400,
);
