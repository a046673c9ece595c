import { expect, test } from 'vitest';
import { serviceTypeOf } from '../../../src/domain/schedule/service-types.ts';
import { suitableServiceTypes, type EquipmentUse } from '../../../src/domain/schedule/suitable-service-types.ts';

const uses: readonly EquipmentUse[] = [
  'Passenger',
  'Combi',
  'Freighter',
  'Utility',
  'SurfacePassenger',
  'SurfaceCargo',
];

test.each(uses)('%s is suitable for letters of the appendix, each once and in the order of the alphabet', (use) => {
  const letters = suitableServiceTypes(use);
  expect(letters.filter((letter) => serviceTypeOf(letter) === undefined)).toEqual([]);
  expect(letters).toEqual([...new Set(letters)].toSorted());
});

test('every letter of the appendix is some equipment’s', () => {
  const all = [...new Set(uses.flatMap(suitableServiceTypes))].toSorted().join('');
  expect(all).toBe('ABCDEFGHIJKLMNOPQRSTUVWX');
});

test.each(uses)('%s keeps to the ground for the letters of surface vehicles alone', (use) => {
  const surface = suitableServiceTypes(use).map((letter) => serviceTypeOf(letter)?.surface);
  expect(new Set(surface)).toEqual(new Set([use.startsWith('Surface')]));
});

test('freighters serve no flight that carries passengers, and passenger aircraft none that carries freight alone', () => {
  const classesOf = (use: EquipmentUse) =>
    suitableServiceTypes(use).flatMap((letter) => [serviceTypeOf(letter)?.classes]);
  expect(classesOf('Freighter').some((classes) => classes?.includes('Passenger'))).toBe(false);
  expect(classesOf('Passenger').some((classes) => classes?.join() === 'Cargo')).toBe(false);
});
