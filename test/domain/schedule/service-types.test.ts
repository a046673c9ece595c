import { expect, test } from 'vitest';
import { findServiceType, listServiceTypes } from '#domain/schedule/service-types.ts';
import { listSuitableServiceTypes } from '#domain/schedule/service-types.ts';

const uses = ['Passenger', 'Combi', 'Freighter', 'Utility', 'SurfacePassenger', 'SurfaceCargo'] as const;

test.each(uses)('%s is suitable for letters of the appendix, each once and in the order of the alphabet', (use) => {
  const letters = listSuitableServiceTypes(use);
  expect(letters.filter((letter) => findServiceType(letter) === undefined)).toEqual([]);
  expect(letters).toEqual([...new Set(letters)].toSorted());
});

test('every letter of the appendix is used by some equipment', () => {
  const all = [...new Set(uses.flatMap(listSuitableServiceTypes))].toSorted().join('');
  expect(all).toBe('ABCDEFGHIJKLMNOPQRSTUVWX');
});

test.each(uses)('%s stays on the ground for the letters of surface vehicles only', (use) => {
  const surface = listSuitableServiceTypes(use).map((letter) => findServiceType(letter)?.surface);
  expect(new Set(surface)).toEqual(new Set([use.startsWith('Surface')]));
});

test('freighters serve no passenger flight, and passenger aircraft no all-cargo flight', () => {
  const classesOf = (use: (typeof uses)[number]) =>
    listSuitableServiceTypes(use).flatMap((letter) => [findServiceType(letter)?.classes]);
  expect(classesOf('Freighter').some((classes) => classes?.includes('Passenger'))).toBe(false);
  expect(classesOf('Passenger').some((classes) => classes?.join() === 'Cargo')).toBe(false);
});

test('classifies letters as passenger, cargo, both or neither, and by surface vehicle', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  expect(listServiceTypes('Passenger').toSorted().join('')).toBe('BCGJLOQRSU');
  expect(listServiceTypes('Cargo').toSorted().join('')).toBe('AFHLMQRV');
  const neither = letters.filter((letter) => findServiceType(letter)?.classes.length === 0);
  expect(neither.join('')).toBe('DEIKNPTWXYZ');
  expect(letters.filter((letter) => findServiceType(letter)?.surface)).toEqual(['U', 'V']);
});

test('returns undefined for other texts', () => {
  expect(['j', '1', '', 'constructor'].filter((text) => findServiceType(text) !== undefined)).toEqual([]);
});
