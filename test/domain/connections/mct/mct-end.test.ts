import { describe, expect, test } from 'vitest';
import { toArrivalEnd, toDepartureEnd } from '../../../../src/domain/connections/mct/mct-end.ts';
import { airports, createFlight, createMarketingFlight } from '../sample-flights.ts';

describe('domestic or international', () => {
  test('the sector that touches the point counts, not the whole flight', () => {
    const throughLondon = createFlight('BA 1', 'CDG LHR MAN');
    expect(toArrivalEnd(throughLondon).status).toBe('D');
    expect(toDepartureEnd(throughLondon).status).toBe('I');
  });

  test('an unknown country is abroad', () => {
    expect(toArrivalEnd(createFlight('BA 1', 'XXX LHR')).status).toBe('I');
    expect(toDepartureEnd(createFlight('BA 1', 'XXX XXX')).status).toBe('I');
  });

  test('the filed status overrides that of the countries', () => {
    const filed = createFlight('BA 1', 'MAN LHR', { departureStatus: 'I', arrivalStatus: 'I' });
    expect([toArrivalEnd(filed).status, toDepartureEnd(filed).status]).toEqual(['I', 'I']);
    expect(toArrivalEnd(createFlight('BA 1', 'CDG LHR', { arrivalStatus: 'D' })).status).toBe('D');
    expect(toArrivalEnd(createFlight('BA 1', 'CDG LHR', { departureStatus: 'D' })).status).toBe('I');
  });
});

test('each end has its own sector, aircraft and terminal', () => {
  const flown = {
    ...createMarketingFlight('AA 6000', 'BA 1', 'JFK LHR MAN'),
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
  expect(toArrivalEnd(flown)).toEqual({
    ...who,
    status: 'D',
    terminal: '3',
    beyond: airports.LHR,
    equipment: { type: '320', body: 'N' },
  });
  expect(toDepartureEnd(flown)).toEqual({
    ...who,
    status: 'I',
    terminal: '8',
    beyond: airports.LHR,
    equipment: { type: '77W', body: 'W' },
  });
});
