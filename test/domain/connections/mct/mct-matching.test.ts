import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { toArrivalEnd } from '../../../../src/domain/connections/mct/mct-end.ts';
import { matchesSuppressionArea, matchesSide } from '../../../../src/domain/connections/mct/mct-matching.ts';
import type { MctSide } from '../../../../src/domain/connections/mct/mct-record.ts';
import {
  airports,
  createFlight,
  createMarketingFlight,
  createMctRecord,
  type MctRecordFields,
} from '../sample-flights.ts';

const matches = (side: Partial<MctSide>, of: ConnectingFlight): boolean =>
  matchesSide(createMctRecord({ arrival: side }).arrival, toArrivalEnd(of));

const own = createFlight('BA 207', 'JFK LHR', { arrivalTerminal: '3', equipment: [{ type: '77W', body: 'W' }] });
const sold = createMarketingFlight('AA 6160', 'BA 207', 'JFK LHR');
const soldUnderOneDesignator = createMarketingFlight('BA 6160', 'BA 207', 'JFK LHR');

test.each<[string, Partial<MctSide>, Partial<MctSide>]>([
  ['carrier', { carrier: 'BA' }, { carrier: 'AA' }],
  ['operator', { operator: 'BA' }, { operator: 'AA' }],
  ['flights', { flights: { from: 200, to: 207 } }, { flights: { from: 208, to: 300 } }],
  ['first flight', { flights: { from: 207, to: 300 } }, { flights: { from: 100, to: 206 } }],
  ['terminal', { terminal: '3' }, { terminal: '5' }],
  ['station', { station: 'JFK' }, { station: 'LHR' }],
  ['state', { stateCode: 'NY' }, { stateCode: 'NJ' }],
  ['country', { countryCode: 'US' }, { countryCode: 'GB' }],
  ['region', { region: 'NOA' }, { region: 'EUR' }],
  ['type', { equipment: '77W' }, { equipment: '777' }],
  ['body', { body: 'W' }, { body: 'N' }],
])('%s: a filled field must match', (_, right, wrong) => {
  expect(matches(right, own)).toBe(true);
  expect(matches(wrong, own)).toBe(false);
});

test('a blank field matches every flight', () => {
  expect([own, sold, createFlight('XX 1', 'XXX XXX')].map((of) => matches({}, of))).toEqual([true, true, true]);
});

test('every filled field must match', () => {
  expect(matches({ carrier: 'BA', terminal: '3', countryCode: 'US' }, own)).toBe(true);
  expect(matches({ carrier: 'BA', terminal: '5', countryCode: 'US' }, own)).toBe(false);
});

test('unknown facts of a flight match nothing', () => {
  const unknown = createFlight('BA 1', 'XXX LHR', { equipment: [{ type: '', body: '' }] });
  const criteria: readonly Partial<MctSide>[] = [
    { terminal: '3' },
    { stateCode: 'NY' },
    { countryCode: 'US' },
    { region: 'NOA' },
    { region: 'XYZ' },
    { equipment: '77W' },
    { body: 'W' },
  ];
  expect(criteria.map((side) => matches(side, unknown))).toEqual(criteria.map(() => false));
});

describe('a marketing flight', () => {
  test('with the flag, matches by marketing carrier and operator', () => {
    expect(matches({ isCodeshare: true, carrier: 'AA' }, sold)).toBe(true);
    expect(matches({ isCodeshare: true, carrier: 'BA' }, sold)).toBe(false);
    expect(matches({ isCodeshare: true, carrier: 'AA', operator: 'BA' }, sold)).toBe(true);
    expect(matches({ isCodeshare: true, carrier: 'AA', operator: 'IB' }, sold)).toBe(false);
    expect(matches({ isCodeshare: true, operator: 'BA' }, sold)).toBe(true);
    expect(matches({ isCodeshare: true }, sold)).toBe(true);
  });

  test('without the flag, matches by operating carrier', () => {
    expect(matches({ carrier: 'BA' }, sold)).toBe(true);
    expect(matches({ carrier: 'AA' }, sold)).toBe(false);
  });

  test('has its own number with the flag, and that of its operating flight without', () => {
    const [its, operating] = [
      { from: 6160, to: 6160 },
      { from: 207, to: 207 },
    ];
    expect(matches({ isCodeshare: true, carrier: 'AA', flights: its }, sold)).toBe(true);
    expect(matches({ isCodeshare: true, carrier: 'AA', flights: operating }, sold)).toBe(false);
    expect(matches({ carrier: 'BA', flights: operating }, sold)).toBe(true);
    expect(matches({ carrier: 'BA', flights: its }, soldUnderOneDesignator)).toBe(false);
  });

  test('has the number of its operating flight where only an operator accompanies the flag', () => {
    expect(matches({ isCodeshare: true, operator: 'BA', flights: { from: 207, to: 207 } }, sold)).toBe(true);
    expect(matches({ isCodeshare: true, operator: 'BA', flights: { from: 6160, to: 6160 } }, sold)).toBe(false);
  });
});

test('the flag selects marketing flights, also of one designator', () => {
  expect(matches({ isCodeshare: true, carrier: 'BA' }, own)).toBe(false);
  expect(matches({ isCodeshare: true, carrier: 'BA' }, soldUnderOneDesignator)).toBe(true);
});

describe('the scope of a suppression', () => {
  const matchesAt = (criteria: MctRecordFields, code: keyof typeof airports) =>
    matchesSuppressionArea(createMctRecord(criteria), airports[code]);

  test('is everywhere by default', () => {
    expect([matchesAt({}, 'LHR'), matchesAt({}, 'XXX')]).toEqual([true, true]);
  });

  test('is limited to its state, country and region', () => {
    expect([
      matchesAt({ suppressionStateCode: 'NY' }, 'JFK'),
      matchesAt({ suppressionStateCode: 'NY' }, 'LHR'),
    ]).toEqual([true, false]);
    expect([
      matchesAt({ suppressionCountryCode: 'GB' }, 'LHR'),
      matchesAt({ suppressionCountryCode: 'GB' }, 'XXX'),
    ]).toEqual([true, false]);
    expect([matchesAt({ suppressionRegion: 'SCH' }, 'CDG'), matchesAt({ suppressionRegion: 'SCH' }, 'LHR')]).toEqual([
      true,
      false,
    ]);
    expect(matchesAt({ suppressionCountryCode: 'US', suppressionStateCode: 'NJ' }, 'JFK')).toBe(false);
  });
});
