import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { segmentsOf } from '../../../src/domain/segments.ts';
import { FeedError } from '../../../src/feeds/feed-error.ts';
import { carrier, header, leg, load, secondLeg, segment, trailer, wholeFile, zeros } from './build-file.ts';
import { complaintAbout } from './check-schedule.ts';

/** Any run can be had again: the seed is printed, and MUTATION_SEED and MUTATION_RUNS replace the defaults. */
const seed = Number(process.env['MUTATION_SEED'] ?? 20_260_601);
const runs = Number(process.env['MUTATION_RUNS'] ?? 100_000);

/** Small, fast and the same everywhere (a 32-bit multiply-and-xorshift generator). */
const randomFrom = (start: number): ((below: number) => number) => {
  let state = start >>> 0;
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
};

const overnight = { 40: '2100', 44: '2100', 58: '0100', 62: '0100', 193: '  ' };
const nextDay = { 15: '02JUN26', 22: '01JUL26', 40: '0300', 44: '0300', 58: '0600', 62: '0600', 193: '  ' };
const rich = wholeFile(
  header,
  zeros,
  carrier({ 170: '3/9', 189: 'ET' }),
  leg({ 76: 'XX', 129: 'X', 149: 'Z', 150: 'AK', 173: 'XX' }),
  segment(106, 'FJY'),
  segment(108, 'F8J30Y200LL08'),
  segment(127, 'YY /EXAMPLE'),
  segment(170, 'A'),
  secondLeg({ 101: 'L S' }),
  segment(10, 'YY 5101 /ZZ 0001A', { 12: '02', 29: 'BC', 34: 'JFKLAX' }),
  segment(201, '', { 29: 'XX', 34: 'QQQQQQ' }),
  segment(901, 'OURS'),
  leg({ 6: '0300', ...overnight }),
  secondLeg({ 6: '0300', ...nextDay }),
  leg({ 6: '0400', 22: '14JUN26' }),
  secondLeg({ 6: '0400', 22: '14JUN26' }),
  leg({ 6: '0400', 15: '15JUN26', 36: '2' }),
  leg({ 6: '0500', 10: '05', 128: '1', 15: '00XXX00', 22: '00XXX00' }),
  segment(50, 'YY 5101 ', { 6: '0500', 10: '05', 28: '1' }),
  trailer('C'),
  zeros,
  carrier({ 1: '2U', 3: 'YY' }),
  leg({ 3: 'YY', 6: '5101', 40: '2300', 44: '2300', 58: '2400', 62: '2400' }),
  segment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  leg({ 3: 'YY', 6: '5102', 193: '0 ', 58: '0030', 62: '0030' }),
  trailer('E', 'YY'),
);

const bases = [readFileSync(new URL('fixture/fixture.ssim', import.meta.url), 'latin1'), rich];

/** Values no record may hold, and some it may, with the column they are put in. */
const targeted: readonly (readonly [number, string])[] = [
  [15, '31FEB05'],
  [15, '99JAN26'],
  [22, '00XXX00'],
  [22, '29FEB28'],
  [15, '00XXX00'],
  [22, '01JAN00'],
  [29, '7654321'],
  [29, '1111111'],
  [29, '       '],
  [29, '      7'],
  [36, '2'],
  [36, '9'],
  [40, '2459'],
  [44, '1a30'],
  [44, '2400'],
  [58, '2400'],
  [58, '0000'],
  [62, '2500'],
  [48, '+2575'],
  [66, '-1200'],
  [48, '+1400'],
  [66, '+0007'],
  [193, 'J'],
  [194, 'A'],
  [193, '1'],
  [194, '7'],
  [193, '  '],
  [10, '00'],
  [12, '02'],
  [12, '99'],
  [128, '9'],
  [28, '1'],
  [28, 'A'],
  [6, '    '],
  [6, '0000'],
  [6, '0101'],
  [3, '   '],
  [3, 'YY '],
  [2, 'U'],
  [2, 'Z'],
  [29, 'XX'],
  [29, 'BA'],
  [31, '000'],
  [31, '999'],
  [31, '050'],
  [34, 'QQQ'],
  [37, '123'],
  [40, 'YY 5101 /'],
  [149, 'Q'],
  [149, 'Z'],
  [173, 'ZZZZ'],
  [73, '   '],
  [194, 'E'],
  [194, 'C'],
  [195, '999999'],
  [195, 'ABCDEF'],
  [188, '000000'],
  [1, '2'],
  [1, '3'],
  [1, '4'],
  [1, '5'],
  [1, '1'],
  [1, '0'],
];

const splice = (text: string, [at, removed]: readonly [number, number], inserted: string): string =>
  text.slice(0, at) + inserted + text.slice(at + removed);

const mutate = (text: string, random: (below: number) => number): string => {
  const at = random(text.length);
  const lines = text.split('\n');
  const pick = random(Math.max(1, lines.length - 1));
  const line = lines[pick] ?? '';
  const other = random(lines.length);
  const withLine = (changed: string): string => lines.with(pick, changed).join('\n');
  switch (random(12)) {
    case 0:
      return splice(text, [at, 1], String.fromCharCode(text.charCodeAt(at) ^ (1 << random(8))));
    case 1:
      return splice(text, [at, 1], String.fromCharCode(32 + random(95)));
    case 2:
      return splice(text, [at, 1 + random(12)], '');
    case 3:
      return splice(text, [at, 0], String.fromCharCode(random(256)).repeat(1 + random(3)));
    case 4:
      return lines
        .with(pick, lines[other] ?? '')
        .with(other, line)
        .join('\n');
    case 5:
      return lines.toSpliced(pick, 1).join('\n');
    case 6:
      return lines.toSpliced(other, 0, line).join('\n');
    case 7:
      return random(4) === 0 ? text.slice(0, at) : withLine(line.slice(0, random(200)));
    case 8:
      return splice(text, [at, 1], Buffer.from(['é', 'Ａ', '\u00a0', '😀'][random(4)] ?? '').toString('latin1'));
    default: {
      const [column, value] = targeted[random(targeted.length)] ?? [1, ' '];
      return withLine(splice(line, [column - 1, value.length], value));
    }
  }
};

const countLines = (text: string): number => text.split('\n').length;

const fail = (message: string): never => {
  throw new Error(message);
};

test(`${runs} spoilt files are each read or refused, never wrongly (seed ${seed})`, { timeout: 900_000 }, async () => {
  console.log(`mutations: seed ${seed}, ${runs} runs (MUTATION_SEED, MUTATION_RUNS)`);
  const random = randomFrom(seed);
  const seen = { read: 0, refused: 0, quarantined: 0, clean: 0 };
  for (let run = 0; run < runs; run += 1) {
    let text = bases[random(bases.length)] ?? '';
    for (let more = 1 + random(3); more > 0 && text !== ''; more -= 1) text = mutate(text, random);
    const loaded = await load(text, 1 << 20).catch((error: unknown) => {
      if (!(error instanceof FeedError))
        throw new Error(`run ${run} of seed ${seed} crashed the reader`, { cause: error });
      if (error.message === '' || (error.line ?? 1) > countLines(text))
        fail(`run ${run} of seed ${seed}: a refusal that says nothing: ${error.message}`);
      return undefined;
    });
    if (loaded === undefined) {
      seen.refused += 1;
      continue;
    }
    const complaint = complaintAbout(text, loaded);
    if (complaint !== undefined) fail(`run ${run} of seed ${seed}: ${complaint}`);
    for (const itinerary of loaded.itineraries) {
      const segments = segmentsOf(itinerary).length;
      const expected = itinerary.legs.length + (itinerary.complete && itinerary.legs.length > 1 ? 1 : 0);
      if (segments !== expected)
        fail(`run ${run} of seed ${seed}: ${segments} segments of ${itinerary.legs.length} legs`);
    }
    seen.read += 1;
    if (loaded.report.entries.some(({ severity }) => severity === 'quarantined')) seen.quarantined += 1;
    if (loaded.report.entries.length === 0) seen.clean += 1;
  }
  console.log(`mutations: ${JSON.stringify(seen)}`);
  // The mutations must reach all outcomes, or the test would prove little.
  expect(Math.min(seen.read, seen.refused, seen.quarantined, seen.clean)).toBeGreaterThan(runs / 200);
});

test('the base files themselves are sound', async () => {
  for (const base of bases) {
    const loaded = await load(base);
    expect(complaintAbout(base, loaded)).toBeUndefined();
    expect(loaded.report.entries.filter(({ severity }) => severity === 'quarantined')).toEqual([]);
  }
});
