import { describe, expect, test } from 'vitest';
import { arrivalEndOf, departureEndOf } from '../../../../src/domain/connections/mct/mct-end.ts';
import { airports, flight, marketing } from '../some-flights.ts';

describe('domestic or international', () => {
  test('the sector that touches the point counts, not the whole flight', () => {
    const throughLondon = flight('BA 1', 'CDG LHR MAN');
    expect(arrivalEndOf(throughLondon).status).toBe('D');
    expect(departureEndOf(throughLondon).status).toBe('I');
  });

  test('a country that is unknown is abroad', () => {
    expect(arrivalEndOf(flight('BA 1', 'XXX LHR')).status).toBe('I');
    expect(departureEndOf(flight('BA 1', 'XXX XXX')).status).toBe('I');
  });

  test('what the schedule says counts before what the countries say', () => {
    const filed = flight('BA 1', 'MAN LHR', { departureStatus: 'I', arrivalStatus: 'I' });
    expect([arrivalEndOf(filed).status, departureEndOf(filed).status]).toEqual(['I', 'I']);
    expect(arrivalEndOf(flight('BA 1', 'CDG LHR', { arrivalStatus: 'D' })).status).toBe('D');
    expect(arrivalEndOf(flight('BA 1', 'CDG LHR', { departureStatus: 'D' })).status).toBe('I');
  });
});

test('each end has its own sector, aircraft and terminal', () => {
  const flown = {
    ...marketing('AA 6000', 'BA 1', 'JFK LHR MAN'),
    equipment: [
      { type: '77W', body: 'W' },
      { type: '320', body: 'N' },
    ],
    departureTerminal: '8',
    arrivalTerminal: '3',
  } as const;
  const who = {
    carrier: 'AA',
    flightNumber: 6000,
    isMarketing: true,
    operating: { carrier: 'BA', flightNumber: 1, suffix: '' },
  };
  expect(arrivalEndOf(flown)).toEqual({
    ...who,
    status: 'D',
    terminal: '3',
    beyond: airports.LHR,
    equipment: { type: '320', body: 'N' },
  });
  expect(departureEndOf(flown)).toEqual({
    ...who,
    status: 'I',
    terminal: '8',
    beyond: airports.LHR,
    equipment: { type: '77W', body: 'W' },
  });
});
