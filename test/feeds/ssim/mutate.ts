import { readFileSync } from 'node:fs';
import type { SeededRandom } from '#test/lib/seeded-random.ts';
import { buildCarrier, header, buildLeg, buildSecondLeg, buildSegment, buildTrailer } from './build-file.ts';
import { buildWholeFile, times, zeroRecord } from './build-file.ts';

const overnight = { ...times('2100', '0100'), 193: '  ' };
const nextDay = { ...times('0300', '0600'), 15: '02JUN26', 22: '01JUL26', 193: '  ' };
const fullFile = buildWholeFile(
  header,
  zeroRecord,
  buildCarrier({ 170: '3/9', 189: 'ET' }),
  buildLeg({ 76: 'XX', 129: 'X', 149: 'Z', 150: 'AK', 173: 'XX' }),
  buildSegment(106, 'FJY'),
  buildSegment(108, 'F8J30Y200LL08'),
  buildSegment(127, 'YY /EXAMPLE'),
  buildSegment(170, 'A'),
  buildSecondLeg({ 101: 'L S' }),
  buildSegment(10, 'YY 5101 /ZZ 0001A', { 12: '02', 29: 'BC', 34: 'JFKLAX' }),
  buildSegment(201, '', { 29: 'XX', 34: 'QQQQQQ' }),
  buildSegment(901, 'OURS'),
  buildLeg({ 6: '0300', ...overnight }),
  buildSecondLeg({ 6: '0300', ...nextDay }),
  buildLeg({ 6: '0400', 22: '14JUN26' }),
  buildSecondLeg({ 6: '0400', 22: '14JUN26' }),
  buildLeg({ 6: '0400', 15: '15JUN26', 36: '2' }),
  buildLeg({ 6: '0500', 10: '05', 128: '1', 15: '00XXX00', 22: '00XXX00' }),
  buildSegment(50, 'YY 5101 ', { 6: '0500', 10: '05', 28: '1' }),
  buildTrailer('C'),
  zeroRecord,
  buildCarrier({ 1: '2U', 3: 'YY' }),
  buildLeg({ 3: 'YY', 6: '5101', ...times('2300', '2400') }),
  buildSegment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  buildLeg({ 3: 'YY', 6: '5102', 193: '0 ', 58: '0030', 62: '0030' }),
  buildTrailer('E', 'YY'),
);

/** Valid files for mutation: one with the hard cases of the format, and one with a value in most columns. */
export const validFiles = [readFileSync(new URL('fixture/fixture.ssim', import.meta.url), 'latin1'), fullFile];

const targetedValues: readonly (readonly [number, readonly string[]])[] = [
  [1, ['0', '1', '2', '3', '4', '5']],
  [2, ['U', 'Z']],
  [3, ['   ', 'YY ']],
  [6, ['    ', '0000', '0101']],
  [10, ['00']],
  [12, ['02', '99']],
  [15, ['31FEB05', '99JAN26', '00XXX00']],
  [22, ['00XXX00', '29FEB28', '01JAN00']],
  [28, ['1', 'A']],
  [29, ['7654321', '1111111', '       ', '      7', 'XX', 'BA']],
  [31, ['000', '999', '050']],
  [34, ['QQQ']],
  [36, ['2', '9']],
  [37, ['123']],
  [40, ['2459', 'YY 5101 /']],
  [44, ['1a30', '2400']],
  [48, ['+2575', '+1400']],
  [58, ['2400', '0000']],
  [62, ['2500']],
  [66, ['-1200', '+0007']],
  [73, ['   ']],
  [128, ['9']],
  [149, ['Q', 'Z']],
  [173, ['ZZZZ']],
  [188, ['000000']],
  [193, ['J', '1', '  ']],
  [194, ['A', '7', 'E', 'C']],
  [195, ['999999', 'ABCDEF']],
];

const splice = (text: string, [at, removed]: readonly [number, number], inserted: string): string =>
  text.slice(0, at) + inserted + text.slice(at + removed);

const wideLetters = ['é', 'Ａ', '\u00a0', '😀'].map((letter) => Buffer.from(letter).toString('latin1'));

export const mutate = (text: string, { integer, pick, chance }: SeededRandom): string => {
  const at = integer(0, text.length - 1);
  const lines = text.split('\n');
  const chosen = integer(0, Math.max(0, lines.length - 2));
  const line = lines[chosen] ?? '';
  const other = integer(0, lines.length - 1);
  const withLine = (changed: string): string => lines.with(chosen, changed).join('\n');
  const withZeros = (): string =>
    lines.toSpliced(other, 0, ...Array.from({ length: integer(1, 5) }, () => zeroRecord)).join('\n');
  const withTargetedValue = (): string => {
    const [column, values] = pick(targetedValues);
    const value = pick(values);
    return withLine(splice(line, [column - 1, value.length], value));
  };
  const swapped = (): string =>
    lines
      .with(chosen, lines[other] ?? '')
      .with(other, line)
      .join('\n');
  const mutations: readonly (() => string)[] = [
    () => splice(text, [at, 1], String.fromCharCode(text.charCodeAt(at) ^ (1 << integer(0, 7)))),
    () => splice(text, [at, 1], String.fromCharCode(integer(32, 126))),
    () => splice(text, [at, integer(1, 12)], ''),
    () => splice(text, [at, 0], String.fromCharCode(integer(0, 255)).repeat(integer(1, 3))),
    swapped,
    () => lines.toSpliced(chosen, 1).join('\n'),
    () => lines.toSpliced(other, 0, line).join('\n'),
    () => (chance(25) ? text.slice(0, at) : withLine(line.slice(0, integer(0, 199)))),
    () => splice(text, [at, 1], pick(wideLetters)),
    () => (chance(50) ? text.replaceAll('\n', '\r\n') : withLine(`${line}\r`)),
    withZeros,
  ];
  return (chance(20) ? withTargetedValue : pick(mutations))();
};
