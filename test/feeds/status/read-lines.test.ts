import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_LINE_BYTES, parseStatusMessage, readStatusLines } from '#feeds/status/read-message.ts';

async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

const readLines = async (bytes: AsyncIterable<Uint8Array>) => {
  const found: { line: number; text: string }[] = [];
  for await (const { line, text } of readStatusLines(bytes)) found.push({ line, text: text.toString() });
  return found;
};

test.each<readonly [string, readonly (string | Uint8Array)[], Readonly<Record<number, string>>]>([
  ['count blank lines, which are skipped', ['a\n\n \t\r\nb\n'], { 1: 'a', 4: 'b' }],
  ['may end in CRLF, and the last one in nothing', ['a\r\nb\r\nc'], { 1: 'a', 2: 'b', 3: 'c' }],
  ['do not begin with a byte order mark', ['\uFEFFa\n\uFEFFb'], { 1: 'a', 2: '\uFEFFb' }],
  ['do not begin with one in pieces', [Buffer.from([0xef]), Buffer.from([0xbb, 0xbf, 0x61])], { 1: 'a' }],
  ['of a feed without bytes are none', [], {}],
  ['of an empty feed are none', ['', '\uFEFF', '\n'], {}],
])('the lines of a feed %s', async (_, parts, expected) => {
  const lines = Object.entries(expected).map(([line, text]) => ({ line: Number(line), text }));
  expect(await readLines(chunks(...parts))).toEqual(lines);
});

test('returns whole lines from chunks that are cut anywhere, also within a character', async () => {
  const text = '{"a":"Zürich"}\n{"b":"東京"}\r\n\n{"c":1}';
  const expected = await readLines(chunks(text));
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 7]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(await readLines(chunks(...parts)), `chunks of ${size}`).toEqual(expected);
  }
});

test('lines keep their bytes while later chunks are read', async () => {
  const lines: Buffer[] = [];
  for await (const { text } of readStatusLines(chunks('first be', 'gun\nsecond be', 'gun\nthird'))) lines.push(text);
  expect(lines.map(String)).toEqual(['first begun', 'second begun', 'third']);
});

test('returns the lines of a text, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.stringMatching(/^[ab\n]*$/)), async (parts) => {
      const expected = parts
        .join('')
        .split('\n')
        .map((text, index) => ({ line: index + 1, text }))
        .filter(({ text }) => text !== '');
      expect(await readLines(chunks(...parts))).toEqual(expected);
    }),
  );
});

const filled = (length: number): string => `{${' '.repeat(length - 2)}}`;
const reasons = async (...parts: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { line, text } of readStatusLines(chunks(...parts))) {
    const read = parseStatusMessage(text);
    found.push(`${line} ${'rejection' in read ? read.rejection.reason : 'taken'}`);
  }
  return found;
};

test.each(['', '\uFEFF'])('a line may have up to 64 kB, at any position (%j before)', async (before) => {
  for (const end of ['', '\n', '\r\n']) {
    expect(await reasons(`${before}${filled(MAX_LINE_BYTES)}${end}`)).toEqual(['1 missing-member']);
    expect(await reasons(`${before}${filled(MAX_LINE_BYTES + 1)}${end}`)).toEqual(['1 too-long']);
    expect(await reasons(before, filled(MAX_LINE_BYTES + 1), end)).toEqual(['1 too-long']);
  }
});

test('a line that is too long does not hide the next', async () => {
  expect(await reasons(filled(MAX_LINE_BYTES), 'x', '\n{', '}\n')).toEqual(['1 too-long', '2 missing-member']);
});

test('a line without an end is cut, to limit memory', async () => {
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    const chunk = Buffer.alloc(1_000_000, 0x61);
    for (let count = 0; count < 200; count += 1) yield chunk;
  };
  const sizes: number[] = [];
  for await (const { text } of readStatusLines(endless())) sizes.push(text.length);
  expect(sizes).toEqual([MAX_LINE_BYTES + 5]);
});
