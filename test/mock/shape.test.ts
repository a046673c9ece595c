import { expect, test } from 'vitest';
import { findConflicts, computeShape } from './shape.ts';

test('a shape has the types of a value by path', () => {
  const shape = computeShape([{ data: [{ code: 'A', seats: 1 }], note: null }, { data: [{ seats: '1' }] }]);
  expect([...shape].map(([place, types]) => [place, [...types]])).toEqual([
    ['', ['object']],
    ['.data', ['array']],
    ['.data[]', ['object']],
    ['.data[].code', ['string']],
    ['.data[].seats', ['number', 'string']],
  ]);
});

test('another type at a path is a conflict; a missing path is none', () => {
  const shape = computeShape([{ data: [{ seats: '1', gate: 'A' }], next: {} }]);
  expect(findConflicts(shape, computeShape([{ data: [{ seats: 1 }], next: 'x' }]))).toEqual([
    '.data[].seats: string, not number',
    '.next: object, not string',
  ]);
  expect(findConflicts(shape, shape)).toEqual([]);
});
