import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventStreamParser, type ServerSentEvent } from '#client/server-sent-events.ts';

const read = (...chunks: readonly (string | Uint8Array)[]): readonly ServerSentEvent[] => {
  const reader = createEventStreamParser();
  return chunks.flatMap((chunk) => reader(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
};

const none = { id: undefined, event: undefined, data: undefined, retryMs: undefined };

test('an event ends at an empty line, and an incomplete event is dropped', () => {
  expect(read('retry: 3000\nid: 40\n\nid: 41\nevent: Test\ndata: {"a":1}\n\nid: 42\ndata: {')).toEqual([
    { ...none, id: '40', retryMs: 3000 },
    { id: '41', event: 'Test', data: '{"a":1}', retryMs: undefined },
  ]);
});

test('parses comments, fields without a value and several data lines as the standard requires', () => {
  expect(read(':\n\n: alive\n\n')).toEqual([]);
  expect(read('data\ndata:x\ndata:  y: z\nretry: soon\n\n')).toEqual([{ ...none, data: '\nx\n y: z' }]);
  expect(read('\uFEFFid: 1\n\n')).toEqual([{ ...none, id: '1' }]);
});

const text =
  'retry: 5\r\nid: 1\r\n\r\n: ✈\nid: 2\nevent: e\ndata: Zürich ✈\ndata: {"a":"b"}\n\nid: 3\rdata: x\r\rid: 4\n\n';

test('parses a stream that is split into chunks anywhere, within a character or a line break', () => {
  const bytes = new TextEncoder().encode(text);
  const whole = read(bytes);
  const expected = [
    ['1', undefined],
    ['2', 'Zürich ✈\n{"a":"b"}'],
    ['3', 'x'],
    ['4', undefined],
  ];
  expect(whole.map(({ id, data }) => [id, data])).toEqual(expected);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const offsets = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const chunks = offsets.slice(1).map((end, index) => bytes.subarray(offsets[index], end));
      expect(read(...chunks)).toEqual(whole);
    }),
    { seed: 1 },
  );
});
