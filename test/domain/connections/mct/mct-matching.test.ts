import { expect, test } from 'vitest';
import type { ConnectingFlight } from '#domain/connections/flights/connecting-flight.ts';
import { toArrivalEnd } from '#domain/connections/mct/mct-end.ts';
import { matchesSide } from '#domain/connections/mct/mct-matching.ts';
import type { MctSide } from '#domain/connections/mct/mct-record.ts';
import { createFlight, createMarketingFlight, createMctRecord } from '../sample-flights.ts';

const matches = (side: Partial<MctSide>, of: ConnectingFlight): boolean =>
  matchesSide(createMctRecord({ arrival: side }).arrival, toArrivalEnd(of));

const own = createFlight('BA 207', 'JFK LHR');
const sold = createMarketingFlight('AA 6160', 'BA 207', 'JFK LHR');

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
