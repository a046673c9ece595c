import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConnectionSet, PublishedConnections } from '#domain/connections/set/connection-set.ts';
import { Problem } from '#http/response/problem.ts';
import { getCurrentSet, getSetOfCursor } from '#products/connections/v1/current-set.ts';
import { decodePosition, encodePosition } from '#products/connections/v1/cursor-position.ts';

const at = new Date('2026-06-01T12:00:00Z');
/** The content of a set does not matter here. */
const numbered = (id: number): PublishedConnections => ({ id, builtAt: at, loadedAt: at, set: {} as ConnectionSet });

const deps = (...sets: readonly number[]) => {
  const published = sets.map(numbered);
  return { connections: () => published[0], connectionsById: (id: number) => published.find((one) => one.id === id) };
};

const getRejection = (request: () => unknown): readonly unknown[] => {
  try {
    return ['no rejection', request()];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.kind, error.message, error.headers['Retry-After']];
  }
};

test('pages are read from the set of the first page while it is in memory', () => {
  expect([12, 11].map((id) => getSetOfCursor(id, deps(12, 11), 'Cursor').id)).toEqual([12, 11]);
  expect(getRejection(() => getSetOfCursor(10, deps(12, 11), 'Cursor'))).toEqual([
    'cursor-gone',
    'The item that Cursor marks is no longer in the list. Start again at the first page.',
    undefined,
  ]);
});

test('a cursor of another server returns 503 until this server has loaded the set', () => {
  const expected = ['unavailable', 'The connection set of the cursor is being loaded. Retry in 5 seconds.', '5'];
  expect(getRejection(() => getSetOfCursor(13, deps(12, 11), 'Cursor'))).toEqual(expected);
});

test('returns 503 until the first set is published', () => {
  const reported = ['unavailable', 'The connection set is being built. Retry in 30 seconds.', '30'];
  expect([getRejection(() => getCurrentSet(deps())), getRejection(() => getSetOfCursor(1, deps(), 'Cursor'))]).toEqual([
    reported,
    reported,
  ]);
});

test('the position of a cursor is decoded as it was encoded', () => {
  const number = fc.nat({ max: 2 ** 31 - 1 });
  const connection = fc.record({ leg1: number, leg2: number, minutes: fc.nat({ max: 1440 }), rule: number });
  fc.assert(
    fc.property(fc.record({ setId: number, connection }), (position) => {
      expect(decodePosition(encodePosition(position))).toEqual(position);
    }),
  );
});
