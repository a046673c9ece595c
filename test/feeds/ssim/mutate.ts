import { zeroRecord } from './build-file.ts';

/** Creates a reproducible random generator (32-bit multiply and xorshift). */
export const createRandom = (start: number): ((below: number) => number) => {
  let state = start >>> 0;
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
};

/** Invalid and some valid values, with their columns. */
const targetedValues: readonly (readonly [number, string])[] = [
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

/** Returns a file with one mutation. */
export const mutate = (text: string, random: (below: number) => number): string => {
  const at = random(text.length);
  const lines = text.split('\n');
  const pick = random(Math.max(1, lines.length - 1));
  const line = lines[pick] ?? '';
  const other = random(lines.length);
  const withLine = (changed: string): string => lines.with(pick, changed).join('\n');
  switch (random(14)) {
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
    case 9:
      return random(2) === 0 ? text.replaceAll('\n', '\r\n') : withLine(`${line}\r`);
    case 10:
      return lines.toSpliced(other, 0, ...Array.from({ length: 1 + random(5) }, () => zeroRecord)).join('\n');
    default: {
      const [column, value] = targetedValues[random(targetedValues.length)] ?? [1, ' '];
      return withLine(splice(line, [column - 1, value.length], value));
    }
  }
};
