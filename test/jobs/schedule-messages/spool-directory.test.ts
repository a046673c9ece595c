import { once } from 'node:events';
import { writeFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FeedError } from '#feeds/feed-error.ts';
import { importSpooledFiles, type SpoolOptions } from '#jobs/schedule-messages/spool-directory.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { clearSchedules } from '../expand/schedule-events/stored-schedule.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({
  prepare: saveTinyMasterData,
  reset: async (sql) => {
    await clearSchedules(sql);
    await sql`truncate flight_status, status_message, status_quarantine`;
  },
});

let directory = '';
let lines: string[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
  lines = [];
  await publishText(db, buildFile(buildLeg({ 6: '0999' }), buildLeg()), { horizonDays: 5 });
});
afterEach(() => rm(directory, { recursive: true }));

const clock = (): Date => new Date('2026-06-01T12:00:00Z');
const onFile: SpoolOptions['onFile'] = (name, result) => {
  const kinds = result instanceof FeedError ? result.reason : result.outcomes.map(({ kind }) => kind).join(' ');
  lines.push(`${name}: ${kinds}`);
};
const run = (options: Partial<SpoolOptions> = {}): Promise<number> =>
  importSpooledFiles(directory, { db, clock, onFile, ...options });
const put = (name: string, text: string | Buffer): Promise<void> => writeFile(join(directory, name), text);
const list = async (folder: string): Promise<readonly string[]> => (await readdir(join(directory, folder))).toSorted();
const read = (path: string): Promise<string> => readFile(join(directory, path), 'utf8');

const retime = (number: number, minute = 10): string =>
  `ASM\nLT\n01JUN${String(number).padStart(5, '0')}E001\nTIM\nXX101/03JUN\nLHR12${minute} JFK15${minute}\n\n`;
const ack = (number: number): string => `ASM\r\n01JUN${String(number).padStart(5, '0')}E001\r\nACK\r\n`;

test('imports files in the order of their names, moves them and writes their replies', async () => {
  await put('b.txt', retime(2, 20));
  await put('a.txt', retime(1));
  await put('.hidden', retime(3));
  await put('c.part', retime(3));
  expect(await run()).toBe(2);
  expect(lines).toEqual(['a.txt: applied', 'b.txt: applied']);
  expect([await list('done'), await list('replies'), await list('working')]).toEqual([
    ['a.txt', 'b.txt'],
    ['a.txt', 'b.txt'],
    [],
  ]);
  expect(await read('replies/b.txt')).toBe(ack(2));
  expect(await run()).toBe(0);
});

test('overwrites nothing when a name comes again', async () => {
  await put('a.txt', retime(1));
  await run();
  await put('a.txt', retime(2, 20));
  await run();
  expect([await list('done'), await list('replies')]).toEqual([
    ['a.txt', 'a.txt.1'],
    ['a.txt', 'a.txt.1'],
  ]);
  expect([await read('replies/a.txt'), await read('replies/a.txt.1'), await read('done/a.txt')]).toEqual([
    ack(1),
    ack(2),
    retime(1),
  ]);
});

test('a file that is written again while it is imported is imported as well', async () => {
  await put('a.txt', retime(1));
  await run();
  let isWritten = false;
  await put('a.txt', retime(2, 20));
  const replace = (): Date => {
    if (!isWritten) writeFileSync(join(directory, 'a.txt'), retime(3, 30));
    isWritten = true;
    return clock();
  };
  await run({ clock: replace });
  await run();
  expect((await list('done')).length).toBe(3);
  expect(await read('done/a.txt.2')).toBe(retime(3, 30));
});

test('poison does not stop the others', async () => {
  const random = createRandom(7);
  await put('1-nul.txt', `ASM\nLT\n01JUN00001E001\nTIM\nXX101/03JUN\0\nLHR1210 JFK1510\n\n`);
  await put('2-random.txt', Buffer.from(Array.from({ length: 3000 }, () => random.integer(0, 255))));
  await put('3-cut.gz', gzipSync(retime(2)).subarray(0, 40));
  await put('4-good.txt', retime(3));
  await put('5-empty.txt', '');
  await run();
  expect(lines.map((line) => line.replace(/: quarantined .*/, ': quarantined'))).toEqual([
    '1-nul.txt: quarantined',
    '2-random.txt: quarantined',
    '3-cut.gz: bad-gzip',
    '4-good.txt: applied',
    '5-empty.txt: ',
  ]);
  expect(await list('failed')).toEqual(['3-cut.gz']);
});

test('reports links and special files once, and leaves them', async () => {
  await put('target.tmp', retime(1));
  await symlink(join(directory, 'target.tmp'), join(directory, 'link.txt'));
  const socket = createServer().listen(join(directory, 'socket.txt'));
  await once(socket, 'listening');
  const reported = new Set<string>();
  await run({ reported });
  await run({ reported });
  socket.close();
  expect(lines).toEqual(['link.txt: no-file', 'socket.txt: no-file']);
});

test('rejects a file that expands beyond the limits, and applies nothing of it', async () => {
  await put('1-many.gz', gzipSync(`${retime(1)}${'SSM\n\n'.repeat(60_000)}`));
  await put('2-long.gz', gzipSync(Buffer.alloc(40 * 1024 * 1024, 'A')));
  await put('3-lines.gz', gzipSync(Buffer.alloc(3 * 1024 * 1024, '\n')));
  await run();
  expect(lines).toEqual(['1-many.gz: too-large', '2-long.gz: too-large', '3-lines.gz: too-large']);
  expect(await db`select from schedule_message`).toHaveLength(0);
});

test('takes over the files of a watcher that was killed, at every step', async () => {
  await put('a.txt', retime(1));
  await run();
  const dead = join(directory, 'working', `${hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')}.4194399.12345678`);
  await mkdir(dead, { recursive: true });
  // Killed before the import, after the reply was written, and after the file was moved.
  await writeFile(join(dead, '1~claimed.txt'), retime(2, 20));
  await writeFile(join(dead, '2~applied.txt'), retime(1));
  await writeFile(join(dead, '.reply-2~applied.txt'), ack(1));
  await writeFile(join(dead, '.reply-3~moved.txt'), ack(7));
  await writeFile(join(dead, '.alive'), '.');
  await run();
  expect(lines).toEqual(['a.txt: applied', 'claimed.txt: applied', 'applied.txt: duplicate']);
  expect(await list('working')).toEqual([]);
  expect(await list('done')).toEqual(['a.txt', 'applied.txt', 'claimed.txt']);
  expect(await list('replies')).toEqual(['a.txt', 'applied.txt', 'claimed.txt', 'moved.txt']);
  expect(await read('replies/applied.txt')).toBe(ack(1));
});

test('removes the folders of killed watchers before it imports the next file', async () => {
  for (const id of ['1', '2', '3']) {
    const dead = join(directory, 'working', `${hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')}.4194399.${id}`);
    await mkdir(dead, { recursive: true });
    await writeFile(join(dead, '.alive'), '.');
  }
  await put('a.txt', retime(1));
  let open: readonly string[] = [];
  await run({ onFile: () => void (open = readdirSync(join(directory, 'working'))) });
  expect(open).toHaveLength(1);
});

test('two watchers import each file once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${String(index).padStart(3, '0')}.txt`);
  for (const [index, name] of names.entries()) await put(name, retime(index + 1));
  await Promise.all([run(), run()]);
  expect(lines.toSorted()).toEqual(names.map((name) => `${name}: applied`));
  expect([await list('done'), await list('replies'), await list('working')]).toEqual([names, names, []]);
});

test('stops between two files', async () => {
  for (const number of [1, 2, 3]) await put(`${number}.txt`, retime(number));
  const stop = new AbortController();
  const stopAfterFirst: SpoolOptions['onFile'] = (name, result) => {
    onFile(name, result);
    stop.abort();
  };
  expect(await run({ onFile: stopAfterFirst, signal: stop.signal })).toBe(1);
  expect([await list('done'), await list('working')]).toEqual([['1.txt'], []]);
  expect((await list('.')).filter((name) => name.endsWith('.txt'))).toEqual(['2.txt', '3.txt']);
});

test('a file that cannot be moved stays, and does not stop the others', async () => {
  await put('0.txt', retime(9));
  await run();
  // As a folder on a file system that takes no files.
  await rm(join(directory, 'replies'), { recursive: true });
  await symlink('/proc/self/fdinfo', join(directory, 'replies'));
  await put('1.txt', retime(1));
  await put('2.txt', retime(2, 20));
  await put('3.txt', 'SSM\n\n');
  expect(await run()).toBe(3);
  expect(lines).toEqual(['0.txt: applied', '1.txt: unreadable-file', '2.txt: unreadable-file', '3.txt: quarantined']);
});
