import { expect, test } from 'vitest';
import { buildHistory } from '../../../../src/products/flight-info/v2/row-statuses.ts';
import {
  toInstant,
  locationIds,
  createObservation,
  createLandingObservation,
} from '../../../domain/status/observations.ts';
import { masterDataIndex, exampleReference } from './status-master-data.ts';

const summary = (messages: Parameters<typeof buildHistory>[0]) =>
  buildHistory(messages, exampleReference, masterDataIndex).map(({ updatedAt, state, arrival, correction }) => [
    updatedAt.slice(11, 16),
    state,
    arrival?.airport?.iata,
    correction,
  ]);

test('a flight without messages has no history', () => {
  expect(buildHistory([], exampleReference, masterDataIndex)).toEqual([]);
});

test('every message is a status, newest first, in the order of source times', () => {
  const messages = [
    createObservation('19:10', { actualIn: toInstant('19:09') }),
    createObservation('10:02', { actualOut: toInstant('10:01') }),
    createLandingObservation('11:00', { id: '1', airport: locationIds.paris }),
    createObservation('10:20', { actualOff: toInstant('10:18') }),
    createLandingObservation('12:10', { id: '1', actualOn: toInstant('11:55'), actualOff: toInstant('12:09') }),
    createObservation('09:00', { departureGate: 'B36' }),
  ];
  expect(summary(messages)).toEqual([
    ['19:10', 'InGate', 'JFK', undefined],
    ['12:10', 'inAir', 'JFK', undefined],
    ['11:00', 'inAir', 'CDG', undefined],
    ['10:20', 'inAir', 'JFK', undefined],
    ['10:02', 'OutGate', 'JFK', undefined],
    ['09:00', 'Scheduled', 'JFK', undefined],
  ]);
});

test('a withdrawn fact is marked at that message, and not at later ones', () => {
  const messages = [
    createObservation('10:20', { actualOff: toInstant('10:18') }),
    createObservation('10:30', { actualOff: null }),
    createObservation('10:40', { departureGate: 'B36' }),
    createObservation('10:50', { cancelled: true }),
    createObservation('11:00', { cancelled: false }),
  ];
  expect(summary(messages)).toEqual([
    ['11:00', 'Scheduled', 'JFK', undefined],
    ['10:50', 'Canceled', 'JFK', undefined],
    ['10:40', 'Scheduled', 'JFK', undefined],
    ['10:30', 'Scheduled', 'JFK', true],
    ['10:20', 'inAir', 'JFK', undefined],
  ]);
});

test('each status contains the facts known then, and no later ones', () => {
  const messages = [
    createObservation('09:00', { departureGate: 'B36' }),
    createObservation('09:30', { departureGate: 'B40', departureTerminal: '5' }),
  ];
  const ends = buildHistory(messages, exampleReference, masterDataIndex).map(({ departure }) => departure);
  const expectedDeparture = { airport: { iata: 'LHR', icao: 'EGLL' }, country: { code: 'GB' } };
  expect(ends).toEqual([
    { ...expectedDeparture, gate: 'B40', actualTerminal: '5' },
    { ...expectedDeparture, gate: 'B36' },
  ]);
});
