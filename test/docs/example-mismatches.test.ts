import { expect, test } from 'vitest';
import { findMismatches } from './example-mismatches.ts';

const real = { id: 'a', days: ['monday', 'friday'], legs: [{ from: 'LHR' }, { from: 'JFK' }], none: [], next: null };

test.each([
  ['fewer members and other values', { id: 'b' }, []],
  ['the first of its records', { legs: [{ from: 'SYD' }] }, []],
  ['no records at all', { legs: [] }, []],
  ['a member that does not exist', { name: 'a' }, ['$.name is shown and is not there']],
  ['a member of another type', { id: 1 }, ['$.id is shown as number and is string']],
  ['null for a value', { id: null }, ['$.id is shown as null and is string']],
  ['a record with an unknown member', { legs: [{ to: 'LHR' }] }, ['$.legs[0].to is shown and is not there']],
  ['records for an empty list', { none: [{ from: 'LHR' }] }, ['$.none is shown with items and has none']],
  ['only some of the values', { days: ['monday'] }, ['$.days is shown with 1 of 2 values']],
])('a response shown with %s', (_, shown, mismatches) => {
  expect(findMismatches(shown, real)).toEqual(mismatches);
});
