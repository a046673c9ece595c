import { describe, expect, test } from 'vitest';
import { diffProperties, listProperties, parsePath } from '../../../src/domain/events/event-properties.ts';

const properties = listProperties({
  State: true,
  'Departure.Gate': true,
  'Departure.OutGate.UTC': true,
  Flights: true,
});

const between = (before: object, after: object) => diffProperties(properties, before, after);

test('changes have the order of the properties, whatever the order of the members', () => {
  const before = { flights: ['a'], departure: { outGate: { utc: '1' }, gate: 'A1' }, state: 'Scheduled' };
  const after = { flights: ['b'], departure: { outGate: { utc: '2' }, gate: 'A2' }, state: 'OutGate' };
  expect(between(before, after)).toStrictEqual([
    { propertyName: 'State', previousValue: 'Scheduled' },
    { propertyName: 'Departure.Gate', previousValue: 'A1' },
    { propertyName: 'Departure.OutGate.UTC', previousValue: '1' },
    { propertyName: 'Flights', previousValue: ['a'] },
  ]);
});

test('a removed or added object is reported property by property', () => {
  const part = { departure: { gate: 'A1', outGate: { utc: '1' } } };
  expect(between(part, {})).toStrictEqual([
    { propertyName: 'Departure.Gate', previousValue: 'A1' },
    { propertyName: 'Departure.OutGate.UTC', previousValue: '1' },
  ]);
  expect(between({}, part)).toStrictEqual([
    { propertyName: 'Departure.Gate' },
    { propertyName: 'Departure.OutGate.UTC' },
  ]);
});

describe('values', () => {
  test.each([
    ['absent and undefined', {}, { state: undefined }],
    ['absent and null', {}, { state: null }],
    ['an absent part and an empty one', {}, { departure: {} }],
    ['a part that is null and an empty one', { departure: null }, { departure: {} }],
    ['empty lists', { flights: [] }, { flights: [] }],
    ['items with their members in another order', { flights: [{ a: 1, b: 2 }] }, { flights: [{ b: 2, a: 1 }] }],
    ['items with members that are undefined', { flights: [{ a: 1, b: undefined }] }, { flights: [{ a: 1 }] }],
    ['members that no property names', { note: 1 }, { note: 2 }],
  ])('%s are equal', (_, before, after) => {
    expect(between(before, after)).toEqual([]);
  });

  test.each([
    ['an absent list and an empty one', {}, { flights: [] }, undefined],
    ['a list in another order', { flights: [1, 2] }, { flights: [2, 1] }, [1, 2]],
    ['a longer list', { flights: [1] }, { flights: [1, 2] }, [1]],
    ['items with a member less', { flights: [{ a: 1, b: 2 }] }, { flights: [{ a: 1 }] }, [{ a: 1, b: 2 }]],
    ['items with other members', { flights: [{ a: 1 }] }, { flights: [{ b: 1 }] }, [{ a: 1 }]],
    ['a list and an item', { flights: [[1]] }, { flights: [{ 0: 1 }] }, [[1]]],
    ['a text and a number', { flights: '1' }, { flights: 1 }, '1'],
    ['undefined and zero', {}, { flights: 0 }, undefined],
    ['undefined and false', {}, { flights: false }, undefined],
    ['undefined and an empty text', {}, { flights: '' }, undefined],
    ['false and undefined', { flights: false }, {}, false],
  ])('%s are not equal', (_, before, after, previousValue) => {
    expect(between(before, after)).toStrictEqual([
      { propertyName: 'Flights', ...(previousValue !== undefined && { previousValue }) },
    ]);
  });
});

test.each([
  ['State', ['state']],
  ['IsOperating', ['isOperating']],
  ['Departure.Times.Estimated.OutGate.UTC', ['departure', 'times', 'estimated', 'outGate', 'utc']],
])('%s is at %j', (name, path) => {
  expect(parsePath(name)).toEqual(path);
});
