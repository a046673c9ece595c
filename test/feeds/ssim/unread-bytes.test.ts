import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { FeedError } from '#feeds/feed-error.ts';
import { reportFault } from '#test/faults/support/report-fault.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { readFileText } from './build-file.ts';
import { validFiles } from './mutate.ts';

/** How many bytes are changed, each to a digit, a letter and a blank; MUTATED_BYTES=all changes every byte of both files. */
const byteCount = process.env['MUTATED_BYTES'] ?? '300';
const seed = Number(process.env['MUTATION_SEED'] ?? 20_260_601);

/** Checks whether a column is in ranges such as `6-14 29-169`. */
const within = (ranges: string | undefined, column: number): boolean =>
  (ranges ?? '').split(' ').some((range) => {
    const [from = 0, to = 0] = range.split('-').map(Number);
    return column >= from && column <= to;
  });

/**
 * Ignored columns by record type: spare ones, and those that describe the file or a rotation rather than flights.
 * Every other byte is significant: a change of it changes the result or adds a remark.
 */
const unread: Readonly<Record<string, string>> = {
  // Spare, the number of seasons, and the serial number of the data set.
  1: '36-194',
  // Spare, the season; dates and title of the file, its status, marker and general information; the creation time.
  2: '6-14 29-169 191-194',
  // Spare; the onward flight and layovers; the overflow mark of restrictions, which the restrictions repeat.
  3: '123-127 138-148 161-172',
  // Point indicators position the data; the sequence number and the service type of the leg repeat it.
  4: '12-27',
  // Spare and the date of release.
  5: '2-2 6-187',
};

/** Columns of numbers by record type: a leading zero can be a blank as well, and a blank date variation equals 0. */
const numbers = ['195-200', '195-200', '6-13 193-200', '6-13 31-33 195-200', '188-200'];

const isUnread = (line: string, column: number): boolean => {
  // Elements from 800 on are bilateral: such a record is counted, and not parsed.
  if (line.startsWith('4') && Number(line.slice(30, 33)) >= 800) return true;
  return within(unread[line.slice(0, 1)], column);
};

/** Returns everything that a file contains; undefined if it is rejected. */
const readingOf = async (text: string): Promise<object | undefined> => {
  try {
    const { schedules, report } = await readFileText(text, 1 << 20);
    return { schedules, accepted: report.accepted, entries: report.entries };
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
};

test('changing a significant byte changes the result, adds a remark, or rejects the file', async () => {
  const random = createRandom(seed);
  const changed = { 'read otherwise or reported': 0, rejected: 0 };
  const figure = { seed, mutations: 0, ...changed, 'of no meaning': 0, 'a zero left out': 0, 'silent accepts': 0 };
  const silent: string[] = [];
  for (const base of validFiles) {
    const sound = await readingOf(base);
    const lines = base.split('\n').slice(0, -1);
    const all = lines.flatMap((line, at) => Array.from(line, (_, index) => [at, index] as const));
    const chosen =
      byteCount === 'all' ? all : random.times(Number(byteCount) / validFiles.length, () => random.pick(all));
    for (const [at, index] of chosen)
      for (const byte of ['7', 'Q', ' ']) {
        const line = lines[at] ?? '';
        if (line[index] === byte) continue;
        figure.mutations += 1;
        const spoilt = lines.with(at, line.slice(0, index) + byte + line.slice(index + 1));
        const reading = await readingOf(`${spoilt.join('\n')}\n`);
        if (reading === undefined) figure.rejected += 1;
        else if (!isDeepStrictEqual(reading, sound)) figure['read otherwise or reported'] += 1;
        else if (isUnread(line, index + 1)) figure['of no meaning'] += 1;
        else if (line[index] === '0' && byte === ' ' && within(numbers[Number(line.slice(0, 1)) - 1], index + 1))
          figure['a zero left out'] += 1;
        else silent.push(`line ${at + 1}, byte ${index + 1}: '${line[index]}' became '${byte}'`);
      }
  }
  figure['silent accepts'] = silent.length;
  reportFault(21, figure, 'bytes');
  expect(silent).toEqual([]);
}, 900_000);
