import { expect, test } from 'vitest';
import { sortByPrecedence } from '../../../../src/domain/connections/mct/mct-precedence.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { createMctRecord, type MctRecordFields } from '../sample-flights.ts';

const from = localDate('2026-06-01');
const to = localDate('2026-06-30');

/** The steps of docs/connections.md, each with a record that has only that criterion. */
const steps: readonly (readonly [string, MctRecordFields])[] = [
  ['departure codeshare flag', { departure: { isCodeshare: true } }],
  ['departure carrier', { departure: { carrier: 'BA' } }],
  ['departure operator', { departure: { operator: 'BA' } }],
  ['arrival codeshare flag', { arrival: { isCodeshare: true } }],
  ['arrival carrier', { arrival: { carrier: 'BA' } }],
  ['arrival operator', { arrival: { operator: 'BA' } }],
  ['departure flight range', { departure: { flights: { from: 1, to: 9 } } }],
  ['arrival flight range', { arrival: { flights: { from: 1, to: 9 } } }],
  ['departure terminal', { departure: { terminal: '5' } }],
  ['arrival terminal', { arrival: { terminal: '5' } }],
  ['next station', { departure: { station: 'JFK' } }],
  ['previous station', { arrival: { station: 'JFK' } }],
  ['next state', { departure: { stateCode: 'NY' } }],
  ['previous state', { arrival: { stateCode: 'NY' } }],
  ['next country', { departure: { countryCode: 'US' } }],
  ['previous country', { arrival: { countryCode: 'US' } }],
  ['next region', { departure: { region: 'NOA' } }],
  ['previous region', { arrival: { region: 'NOA' } }],
  ['departure type', { departure: { equipment: '77W' } }],
  ['arrival type', { arrival: { equipment: '77W' } }],
  ['departure body', { departure: { body: 'W' } }],
  ['arrival body', { arrival: { body: 'W' } }],
  ['first date', { from }],
  ['last date', { to }],
  ['departure station', { departureStation: 'LHR' }],
  ['arrival station', { arrivalStation: 'LHR' }],
  ['suppression state', { suppressionStateCode: 'NY' }],
  ['suppression country', { suppressionCountryCode: 'US' }],
  ['suppression region', { suppressionRegion: 'NOA' }],
];

const join = (all: readonly MctRecordFields[]): MctRecordFields =>
  all.reduce(
    (sum, one) => ({
      ...sum,
      ...one,
      arrival: { ...sum.arrival, ...one.arrival },
      departure: { ...sum.departure, ...one.departure },
    }),
    {},
  );

const winner = (one: MctRecordFields, other: MctRecordFields): number | undefined =>
  sortByPrecedence([createMctRecord({ ...one, line: 1 }), createMctRecord({ ...other, line: 2 })])[0]?.line;

test.each(steps)('%s: filled wins over blank, whatever the later line is', (_, criteria) => {
  expect(winner(criteria, {})).toBe(1);
});

test.each(steps.map(([name, criteria], index) => [name, criteria, steps.slice(index + 1)] as const))(
  '%s: wins over all later steps together',
  (_, criteria, later) => {
    expect(winner(criteria, join(later.map(([, one]) => one)))).toBe(1);
  },
);

test.each(steps.map(([name, criteria], index) => [name, criteria, steps.slice(0, index)] as const))(
  '%s: distinguishes records that are equal in all earlier steps',
  (_, criteria, earlier) => {
    const same = earlier.map(([, one]) => one);
    expect(winner(join([...same, criteria]), join(same))).toBe(1);
  },
);

const range = (last: number) => ({ flights: { from: 1, to: last } });

test.each([
  ['the narrower departure range', { departure: range(9) }, { departure: range(99) }],
  [
    'the departure range before the arrival range',
    { departure: range(9), arrival: range(99) },
    { departure: range(10), arrival: range(9) },
  ],
  ['the narrower arrival range', { arrival: range(9) }, { arrival: range(99) }],
  [
    'a range before Schengen',
    { arrival: range(9), departure: { region: 'EUR' } },
    { arrival: range(99), departure: { region: 'SCH' } },
  ],
  ['Schengen as the next region', { departure: { region: 'SCH' } }, { departure: { region: 'EUR' } }],
  ['Schengen as the previous region', { arrival: { region: 'SCH' } }, { arrival: { region: 'TC2' } }],
  ['Schengen as the region of a suppression', { suppressionRegion: 'SCH' }, { suppressionRegion: 'EUR' }],
  [
    'the next region before the previous one',
    { departure: { region: 'SCH' }, arrival: { region: 'EUR' } },
    { departure: { region: 'EUR' }, arrival: { region: 'SCH' } },
  ],
] satisfies readonly (readonly [string, MctRecordFields, MctRecordFields])[])(
  'between equal records %s wins',
  (_, one, other) => {
    expect(winner(one, other)).toBe(1);
    expect(winner(other, one)).toBe(2);
  },
);

test('the later line wins if all else is equal', () => {
  expect(sortByPrecedence([2, 3, 1].map((line) => createMctRecord({ line }))).map(({ line }) => line)).toEqual([
    3, 2, 1,
  ]);
});

test('precedence depends on which fields are filled, not on their values', () => {
  expect(winner({ departure: { body: 'W' } }, { departure: { body: 'N' } })).toBe(2);
  expect(winner({ suppression: 'Y', minutes: undefined }, {})).toBe(2);
});
