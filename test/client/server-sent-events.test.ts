import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventStreamParser, type ServerSentEvent } from '../../src/client/server-sent-events.ts';

const read = (...pieces: readonly (string | Uint8Array)[]): readonly ServerSentEvent[] => {
  const reader = createEventStreamParser();
  return pieces.flatMap((piece) => reader(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
};

const none = { id: undefined, event: undefined, data: undefined, retryMs: undefined };

test('a block ends with an empty line; what breaks off is left out', () => {
  expect(read('retry: 3000\nid: 40\n\nid: 41\nevent: Test\ndata: {"a":1}\n\nid: 42\ndata: {')).toEqual([
    { ...none, id: '40', retryMs: 3000 },
    { id: '41', event: 'Test', data: '{"a":1}', retryMs: undefined },
  ]);
});

test('comments, fields without a value and lines of data are read as the standard says', () => {
  expect(read(':\n\n: alive\n\n')).toEqual([]);
  expect(read('data\ndata:x\ndata:  y: z\nretry: soon\n\n')).toEqual([{ ...none, data: '\nx\n y: z' }]);
  expect(read('\uFEFFid: 1\n\n')).toEqual([{ ...none, id: '1' }]);
});

const text =
  'retry: 5\r\nid: 1\r\n\r\n: ✈\nid: 2\nevent: e\ndata: Zürich ✈\ndata: {"a":"b"}\n\nid: 3\rdata: x\r\rid: 4\n\n';

test('it does not matter where a stream is cut into pieces, within a sign or a line break', () => {
  const bytes = new TextEncoder().encode(text);
  const whole = read(bytes);
  expect(whole.map(({ id, data }) => [id, data])).toEqual([
    ['1', undefined],
    ['2', 'Zürich ✈\n{"a":"b"}'],
    ['3', 'x'],
    ['4', undefined],
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(read(...pieces)).toEqual(whole);
    }),
    { seed: 1 },
  );
});
