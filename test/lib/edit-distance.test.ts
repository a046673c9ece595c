import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithinEditDistance } from '#lib/edit-distance.ts';

test.each([
  ['Limit', 'Limit', 0],
  ['Limitt', 'Limit', 1],
  ['abd', 'abcd', 1],
  ['Linit', 'Limit', 1],
  ['Lmiit', 'Limit', 1],
  ['Airprot', 'Airport', 1],
  ['Airprott', 'Airport', 2],
  ['', 'ab', 2],
  ['ca', 'abc', 3],
  ['kitten', 'sitting', 3],
])('%j and %j differ by %i edits', (one, other, edits) => {
  const bounds = [0, 1, 2, 3, 4].map((bound) => isWithinEditDistance(one, other, bound));
  expect(bounds).toEqual([0, 1, 2, 3, 4].map((bound) => bound >= edits));
});

test('the distance is the same in both directions, and no more than the number of random edits', () => {
  const edit = fc.record({
    at: fc.nat(20),
    kind: fc.constantFrom('insert', 'delete', 'replace', 'swap'),
    letter: fc.constantFrom('a', 'b', 'c'),
  });
  fc.assert(
    fc.property(
      fc.string({ maxLength: 20, unit: fc.constantFrom('a', 'b', 'c') }),
      edit,
      (text, { at, kind, letter }) => {
        const [left, right] = [text.slice(0, at), text.slice(at)];
        const [first = '', second = ''] = right;
        const edited = {
          insert: left + letter + right,
          delete: left + right.slice(1),
          replace: right === '' ? text : left + letter + right.slice(1),
          swap: left + second + first + right.slice(2),
        }[kind];
        expect([isWithinEditDistance(text, edited, 1), isWithinEditDistance(edited, text, 1)]).toEqual([true, true]);
      },
    ),
  );
});
