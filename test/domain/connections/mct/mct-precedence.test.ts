import { expect, test } from 'vitest';
import { sortByPrecedence } from '#domain/connections/mct/mct-precedence.ts';
import { localDate } from '#domain/time/dates.ts';
import { createMctRecord, type MctRecordFields } from '../sample-flights.ts';

const identity = { isCodeshare: true, carrier: 'BA', operator: 'BA' };
const places = { station: 'JFK', stateCode: 'NY', countryCode: 'US', region: 'NOA' };
const others = { flights: { from: 1, to: 9 }, terminal: '5', ...places, equipment: '77W', body: 'W' };
const dates = { from: localDate('2026-06-01'), to: localDate('2026-06-30') };
const stations = { departureStation: 'LHR', arrivalStation: 'LHR' };
const suppressed = { suppressionStateCode: 'NY', suppressionCountryCode: 'US', suppressionRegion: 'NOA' };
const wholeRecord = { ...dates, ...stations, ...suppressed };
const sides = ['departure', 'arrival'] as const;
const ofSide = (side: (typeof sides)[number], name: string, value: unknown) =>
  [`${side} ${name}`, { [side]: { [name]: value } }] as const;

/** The steps of docs/reference/connection-rules.md in order, each with a record that has only that criterion. */
const steps: readonly (readonly [string, MctRecordFields])[] = [
  ...sides.flatMap((side) => Object.entries(identity).map(([name, value]) => ofSide(side, name, value))),
  ...Object.entries(others).flatMap(([name, value]) => sides.map((side) => ofSide(side, name, value))),
  ...Object.entries(wholeRecord).map(([name, value]) => [name, { [name]: value }] as const),
];

const join = (all: readonly MctRecordFields[]): MctRecordFields => ({
  ...Object.assign({}, ...all),
  arrival: Object.assign({}, ...all.map(({ arrival }) => arrival)),
  departure: Object.assign({}, ...all.map(({ departure }) => departure)),
});

const winner = (one: MctRecordFields, other: MctRecordFields): number | undefined =>
  sortByPrecedence([createMctRecord({ ...one, line: 1 }), createMctRecord({ ...other, line: 2 })])[0]?.line;

test.each(steps.map(([name, criteria], index) => ({ name, criteria, index })))(
  '$name: distinguishes records that are equal in all earlier steps, and wins over all later steps together',
  ({ criteria, index }) => {
    const [earlier, later] = [steps.slice(0, index), steps.slice(index + 1)].map((list) => list.map(([, one]) => one));
    expect(winner(join([...(earlier ?? []), criteria]), join(earlier ?? []))).toBe(1);
    expect(winner(criteria, join(later ?? []))).toBe(1);
  },
);

const ranges = (departure: number, arrival: number): MctRecordFields => ({
  departure: departure === 0 ? {} : { flights: { from: 1, to: departure } },
  arrival: arrival === 0 ? {} : { flights: { from: 1, to: arrival } },
});
const regions = (departure: string, arrival: string) => ({
  departure: { region: departure },
  arrival: { region: arrival },
});

test.each<[string, MctRecordFields, MctRecordFields]>([
  ['the narrower departure range', ranges(9, 0), ranges(99, 0)],
  ['the departure range before the arrival range', ranges(9, 99), ranges(10, 9)],
  ['the narrower arrival range', ranges(0, 9), ranges(0, 99)],
  ['a range before Schengen', join([regions('EUR', ''), ranges(0, 9)]), join([regions('SCH', ''), ranges(0, 99)])],
  ['Schengen as the next region', regions('SCH', ''), regions('EUR', '')],
  ['Schengen as the previous region', regions('', 'SCH'), regions('', 'TC2')],
  ['Schengen as the region of a suppression', { suppressionRegion: 'SCH' }, { suppressionRegion: 'EUR' }],
  ['the next region before the previous one', regions('SCH', 'EUR'), regions('EUR', 'SCH')],
])('between equal records %s wins', (_, one, other) => {
  expect([winner(one, other), winner(other, one)]).toEqual([1, 2]);
});

test('the later line wins if all else is equal', () => {
  const sorted = sortByPrecedence([2, 3, 1].map((line) => createMctRecord({ line })));
  expect(sorted.map(({ line }) => line)).toEqual([3, 2, 1]);
});

test('precedence depends on which fields are filled, not on their values', () => {
  expect(winner({ departure: { body: 'W' } }, { departure: { body: 'N' } })).toBe(2);
  expect(winner({ suppression: 'Y', minutes: undefined }, {})).toBe(2);
});
