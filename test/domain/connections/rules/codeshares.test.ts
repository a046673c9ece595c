import { expect, test } from 'vitest';
import { CodeshareList, listCodeshares } from '#domain/connections/rules/codeshares.ts';
import type { Itinerary } from '#domain/schedule/schedule.ts';
import { sampleLeg } from '#test/domain/schedule/sample-leg.ts';

const data = (dei: number, text: string): Itinerary['segmentData'][number] => ({
  dei,
  boardStation: 'SYD',
  offStation: 'SIN',
  boardIndex: 0,
  offIndex: 1,
  data: text,
  line: 2,
});
/** Flights of XX. */
const itinerary = (...segmentData: Itinerary['segmentData']): Itinerary => ({
  legs: [sampleLeg],
  segmentData,
  complete: true,
});

test('the carriers of an itinerary are sellers and operators, but not of their own flights', () => {
  const flights = itinerary(data(10, 'YY 0007 /WW 0008 /XX 0009 '), data(50, 'ZZ 0001 /XX 0302 '));
  expect(listCodeshares(flights)).toEqual([
    ['XX', 'ZZ'],
    ['YY', 'XX'],
    ['WW', 'XX'],
  ]);
});

test('each pair of carriers is listed once, by their codes in connections', () => {
  const list = new CodeshareList((designator) => (designator === 'XXA' ? 'XX' : designator));
  for (const sold of ['YY 0007 ', 'YY 0008 /WW 0008 ', 'XXA0009 ', 'YY 0009 ']) list.add(itinerary(data(10, sold)));
  expect(list.pairs).toEqual([
    ['YY', 'XX'],
    ['WW', 'XX'],
  ]);
});
