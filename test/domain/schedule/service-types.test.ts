import { expect, test } from 'vitest';

import { serviceTypeOf, serviceTypesOf } from '../../../src/domain/schedule/service-types.ts';

test('passenger and cargo flights are told by letter, and mixed flights are both', () => {
  expect(serviceTypesOf('Passenger').toSorted().join('')).toBe('BCGJLOQRSU');
  expect(serviceTypesOf('Cargo').toSorted().join('')).toBe('AFHLMQRV');
});

test('every other letter is neither', () => {
  const neither = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => serviceTypeOf(letter)?.classes.length === 0);
  expect(neither.join('')).toBe('DEIKNPTWXYZ');
});

test('flights by surface vehicle are known', () => {
  expect([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => serviceTypeOf(letter)?.surface)).toEqual(['U', 'V']);
});

test('what is no letter is no service type', () => {
  expect([serviceTypeOf('j'), serviceTypeOf('1'), serviceTypeOf(''), serviceTypeOf('constructor')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
