import { expect, test } from 'vitest';
import { findMismatches } from './example-mismatches.ts';

const real = { id: 'a', days: ['monday', 'friday'], legs: [{ from: 'LHR' }, { from: 'JFK' }], none: [], next: null };

test.each([
  ['fewer members and other values', { id: 'b' }, []],
  ['the first of its records', { legs: [{ from: 'SYD' }] }, []],
  ['no records at all', { legs: [] }, []],
  ['a member that there is not', { name: 'a' }, ['$.name is shown and is not there']],
  ['a member of another kind', { id: 1 }, ['$.id is shown as number and is string']],
  ['null for what has a value', { id: null }, ['$.id is shown as null and is string']],
  ['a record with a member that it has not', { legs: [{ to: 'LHR' }] }, ['$.legs[0].to is shown and is not there']],
  ['records where there are none', { none: [{ from: 'LHR' }] }, ['$.none is shown with items and has none']],
  ['some of several values', { days: ['monday'] }, ['$.days is shown with 1 of 2 values']],
])('an answer that is shown with %s', (_, shown, strays) => {
  expect(findMismatches(shown, real)).toEqual(strays);
});
