import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { toArrivalEnd, toDepartureEnd } from '../../../../src/domain/connections/mct/mct-end.ts';
import { matchesSuppressionArea, matchesSide } from '../../../../src/domain/connections/mct/mct-matching.ts';
import type { MctSide } from '../../../../src/domain/connections/mct/mct-record.ts';
import { airports, createFlight, createMarketingFlight, createMctRecord } from '../sample-flights.ts';
import type { MctRecordFields } from '../sample-flights.ts';

const matches = (side: Partial<MctSide>, of: ConnectingFlight): boolean =>
  matchesSide(createMctRecord({ arrival: side }).arrival, toArrivalEnd(of));

const own = createFlight('BA 207', 'JFK LHR', { arrivalTerminal: '3', equipment: [{ type: '77W', body: 'W' }] });
const sold = createMarketingFlight('AA 6160', 'BA 207', 'JFK LHR');
const unknown = createFlight('BA 1', 'XXX LHR', { equipment: [{ type: '', body: '' }] });

test('a blank field matches every flight, and unknown facts of a flight match nothing', () => {
  expect([own, sold, unknown].map((of) => matches({}, of))).toEqual([true, true, true]);
  const places = { stateCode: 'NY', countryCode: 'US', region: 'NOA' };
  const criteria = Object.entries({ terminal: '3', station: 'JFK', ...places, equipment: '77W', body: 'W' });
  expect(criteria.filter(([name, value]) => !matches({ [name]: value }, own))).toEqual([]);
  expect(criteria.filter(([name, value]) => matches({ [name]: value }, unknown))).toEqual([]);
  expect(matches({ region: 'XYZ' }, unknown)).toBe(false);
});

test.each<[string, boolean, ConnectingFlight, Partial<MctSide>]>([
  ['the flag and its seller', true, sold, { isCodeshare: true, carrier: 'AA' }],
  ['the flag and its operator as the seller', false, sold, { isCodeshare: true, carrier: 'BA' }],
  ['the flag and its operator', true, sold, { isCodeshare: true, operator: 'BA' }],
  ['its operator without the flag', true, sold, { carrier: 'BA' }],
  ['its seller without the flag', false, sold, { carrier: 'AA' }],
  ['the flag and its number', true, sold, { isCodeshare: true, carrier: 'AA', flights: { from: 6160, to: 6160 } }],
  ['the number that operates', true, sold, { carrier: 'BA', flights: { from: 207, to: 207 } }],
  ['its number without the flag', false, sold, { carrier: 'BA', flights: { from: 6160, to: 6160 } }],
  ['an operator and its number', true, sold, { isCodeshare: true, operator: 'BA', flights: { from: 207, to: 207 } }],
  ['the flag, for an operating flight', false, own, { isCodeshare: true, carrier: 'BA' }],
  ['the flag, its seller and another operator', false, sold, { isCodeshare: true, carrier: 'AA', operator: 'IB' }],
  ['flights up to its number', true, own, { flights: { from: 200, to: 207 } }],
  ['flights from its number', true, own, { flights: { from: 207, to: 300 } }],
  ['flights before its number', false, own, { flights: { from: 100, to: 206 } }],
  ['flights after its number', false, own, { flights: { from: 208, to: 300 } }],
  ['another station', false, own, { station: 'LHR' }],
])('a record with %s matches a flight: %s', (_, isMatch, flight, side) => {
  expect(matches(side, flight)).toBe(isMatch);
});

test.each<[MctRecordFields, string]>([
  [{}, 'LHR JFK CDG XXX'],
  [{ suppressionStateCode: 'NY' }, 'JFK'],
  [{ suppressionCountryCode: 'GB' }, 'LHR'],
  [{ suppressionRegion: 'SCH' }, 'CDG'],
  [{ suppressionCountryCode: 'US', suppressionStateCode: 'NJ' }, ''],
])('a suppression with %j applies at %s', (criteria, expected) => {
  const at = (['LHR', 'JFK', 'CDG', 'XXX'] as const).filter((code) =>
    matchesSuppressionArea(createMctRecord(criteria), airports[code]),
  );
  expect(at.join(' ')).toBe(expected);
});

describe('the ends of a flight', () => {
  const statuses = (route: string, filed: Partial<ConnectingFlight> = {}) => {
    const flight = createFlight('BA 1', route, filed);
    return toArrivalEnd(flight).status + toDepartureEnd(flight).status;
  };

  test.each([
    ['the sector that touches the point counts, not the whole flight', 'CDG LHR MAN', {}, 'DI'],
    ['an unknown country is abroad', 'XXX LHR', {}, 'II'],
    ['two unknown countries are not one', 'XXX XXX', {}, 'II'],
    ['a filed status overrides that of the countries', 'MAN LHR', { departureStatus: 'I', arrivalStatus: 'I' }, 'II'],
    ['at the arrival only', 'CDG LHR', { arrivalStatus: 'D' }, 'DI'],
    ['at the departure only', 'CDG LHR', { departureStatus: 'D' }, 'ID'],
  ] as const)('are domestic or international: %s', (_, route, filed, expected) => {
    expect(statuses(route, filed)).toBe(expected);
  });

  test('have each their own sector, aircraft and terminal', () => {
    const [wide, narrow] = [{ type: '77W', body: 'W' } as const, { type: '320', body: 'N' } as const];
    const flown = { ...createMarketingFlight('AA 6000', 'BA 1', 'JFK LHR MAN'), equipment: [wide, narrow] } as const;
    const { carrier, flightNumber, isMarketing } = flown;
    const common = { carrier, flightNumber, isMarketing, operating: flown.operating, beyond: airports.LHR };
    const terminals = { departureTerminal: '8', arrivalTerminal: '3' };
    expect([toArrivalEnd({ ...flown, ...terminals }), toDepartureEnd({ ...flown, ...terminals })]).toEqual([
      { ...common, status: 'D', terminal: '3', equipment: narrow },
      { ...common, status: 'I', terminal: '8', equipment: wide },
    ]);
  });
});
